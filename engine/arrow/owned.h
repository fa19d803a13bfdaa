// Owners of the structs of the C interfaces, until they are moved to other programs.
#pragma once

#include <utility>

#include "heron/arrow.h"

namespace heron::inline v0::arrow {

// An ArrowSchema, ArrowArray or ArrowArrayStream that is released on destruction, unless moved out.
template <class Struct>
class Owned {
 public:
  Owned() = default;
  // Takes over the content, as consumers do.
  explicit Owned(Struct* from) noexcept : struct_(*from) { from->release = nullptr; }
  Owned(Owned&& other) noexcept : struct_(other.struct_) { other.struct_.release = nullptr; }
  Owned& operator=(Owned&& other) noexcept {
    std::swap(struct_, other.struct_);
    return *this;
  }
  ~Owned() { reset(); }

  void reset() noexcept {
    if (struct_.release != nullptr) struct_.release(&struct_);
    struct_.release = nullptr;
  }
  // Moves it to its next owner.
  void move_to(Struct* out) noexcept {
    *out = struct_;
    struct_.release = nullptr;
  }

  Struct* get() noexcept { return &struct_; }
  const Struct& operator*() const noexcept { return struct_; }
  Struct* operator->() noexcept { return &struct_; }
  const Struct* operator->() const noexcept { return &struct_; }

 private:
  Struct struct_{};
};

}  // namespace heron::inline v0::arrow

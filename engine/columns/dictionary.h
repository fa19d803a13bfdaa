// The distinct values of a column whose cells are codes into a table.
#pragma once

#include "base/once.h"
#include "columns/column.h"

namespace heron::inline v0 {

// Values 4 or 8 bytes wide, by code from 0. Immutable, thread-safe. A codec implements decode();
// this class decides whether to decode one value or all of them.
class Dictionary {
 public:
  virtual ~Dictionary() = default;
  Dictionary(const Dictionary&) = delete;
  Dictionary& operator=(const Dictionary&) = delete;

  const Type& type() const noexcept { return type_; }
  uint64_t size() const noexcept { return size_; }

  // The values of `count` codes from `first` on, all below size(), as cells of type().
  virtual void decode(uint64_t first, uint64_t count, std::byte* cells,
                      const Context& context) const = 0;

  // Prefetches what decode() needs for a code, valid or not; a hint.
  virtual void prefetch(uint64_t /*code*/) const noexcept {}

  // The cells of all codes; for codes of a byte followed by zeros up to 256 cells, because such
  // codes are looked up unchecked while others may write to the file. Decoded at the first call and
  // kept; the memory is charged to the budget of that call.
  const std::byte* cells(const Context& context) const;

 protected:
  Dictionary(Type type, uint64_t size) : type_(std::move(type)), size_(size) {}

 private:
  Type type_;
  uint64_t size_;
  mutable Once once_;
  mutable std::unique_ptr<Arena> arena_;
  mutable const std::byte* cells_ = nullptr;
};

}  // namespace heron::inline v0

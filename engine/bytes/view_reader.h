// Reads a ByteView whether or not its source has an address.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "base/arena.h"
#include "base/cpu.h"
#include "bytes/byte_source.h"

namespace heron::inline v0 {

// Returns consecutive bytes of a view, aligned to `alignment`: in place if the source has them
// aligned, else a copy in the arena.
inline const std::byte* window(const ByteView& view, uint64_t at, uint64_t bytes,
                               uint64_t alignment, Arena& arena, const Context& context) {
  const std::byte* data = view.data();
  if (data != nullptr && reinterpret_cast<uintptr_t>(data + at) % alignment == 0) return data + at;
  std::byte* copy = arena.allocate(bytes);
  if (data != nullptr) {
    std::memcpy(copy, data + at, bytes);
  } else {
    view.read(at, {copy, bytes}, context);
  }
  return copy;
}

// Returns a window of numbers that are checked and then used as positions, lengths or indices: also
// a copy if the bytes may change meanwhile.
inline const std::byte* own_window(const ByteView& view, uint64_t at, uint64_t bytes,
                                   uint64_t alignment, Arena& arena, const Context& context) {
  if (!view.source->may_change() || view.data() == nullptr) {
    return window(view, at, bytes, alignment, arena, context);
  }
  std::byte* copy = arena.allocate(bytes);
  std::memcpy(copy, view.data() + at, bytes);
  return copy;
}

// Loads a number from bytes that may change, and keeps the compiler from loading it a second time.
template <class Number>
HERON_INLINE Number loaded_once(Number number) noexcept {
  __asm__("" : "+r"(number));
  return number;
}

// Copies small parts of a view in any order. If every part costs a system call, parts that lie
// close behind each other share one.
class ViewReader {
 public:
  ViewReader(const ByteView& view, const Context& context) : view_(view), context_(context) {}

  void copy(uint64_t at, uint64_t bytes, std::byte* to) {
    if (const std::byte* data = view_.data()) {
      std::memcpy(to, data + at, bytes);
    } else if (bytes <= kMaxKept && at >= start_ && bytes <= kept_ &&
               at - start_ <= kept_ - bytes) {
      std::memcpy(to, kept_bytes_.data() + (at - start_), bytes);
    } else {
      fetch(at, bytes, to);
    }
  }

 private:
  static constexpr uint64_t kMaxKept = 4096;

  void fetch(uint64_t at, uint64_t bytes, std::byte* to) {
    const bool close = last_ <= at && at - last_ <= kMaxKept;
    last_ = at;
    if (!close || bytes > kMaxKept) {
      view_.read(at, {to, bytes}, context_);
      return;
    }
    start_ = at;
    kept_ = std::min<uint64_t>(kMaxKept, view_.bytes - at);
    view_.read(at, {kept_bytes_.data(), kept_}, context_);
    std::memcpy(to, kept_bytes_.data(), bytes);
  }

  const ByteView& view_;
  const Context& context_;
  uint64_t last_ = UINT64_MAX;  // offset of the last part fetched
  uint64_t start_ = 0;          // offset of the bytes held
  uint64_t kept_ = 0;
  std::array<std::byte, kMaxKept> kept_bytes_;
};

}  // namespace heron::inline v0

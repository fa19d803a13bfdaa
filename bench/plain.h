// Shared by the bounds: a plain map of a file, unaligned loads in either byte order, and a way to
// keep the compiler from removing unused results.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace heron::bench {

inline constexpr uint64_t kAhead = 32;  // rows between a prefetch and its use

// Stands for a use of `value`, so that computing it is not optimised away.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "g"(&value) : "memory");
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Loads a number of 2, 4 or 8 bytes that is not in the machine's byte order.
template <class T>
T load_swapped(const std::byte* from) {
  if constexpr (sizeof(T) == 2) {
    return std::bit_cast<T>(__builtin_bswap16(load<uint16_t>(from)));
  } else if constexpr (sizeof(T) == 4) {
    return std::bit_cast<T>(__builtin_bswap32(load<uint32_t>(from)));
  } else {
    return std::bit_cast<T>(__builtin_bswap64(load<uint64_t>(from)));
  }
}

// Maps a file by open, fstat, mmap. Throws std::system_error.
class PlainMap {
 public:
  explicit PlainMap(const std::string& path);
  ~PlainMap();
  PlainMap(const PlainMap&) = delete;
  PlainMap& operator=(const PlainMap&) = delete;

  const std::byte* base() const { return base_; }
  uint64_t bytes() const { return bytes_; }

 private:
  int descriptor_;
  uint64_t bytes_ = 0;
  const std::byte* base_ = nullptr;
};

}  // namespace heron::bench

// Arrays that grow by zeros: for the slots of hash tables and for states of groups, of which there
// may be millions.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "base/huge_pages.h"

namespace heron::inline v0 {

// Zero bytes must be a T. Large arrays are memory straight from the system, which is zero without
// being written, and which grows without being copied. Growing throws std::bad_alloc and leaves the
// array as it is. One thread at a time.
template <class T>
class ZeroedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;

  ZeroedArray() = default;
  explicit ZeroedArray(uint64_t size) { resize(size); }
  ZeroedArray(ZeroedArray&& other) noexcept { swap(other); }
  ZeroedArray& operator=(ZeroedArray&& other) noexcept {
    ZeroedArray(std::move(other)).swap(*this);
    return *this;
  }
  ~ZeroedArray() { release(data_, capacity_); }

  // Grows the array to that size, which is none below its own.
  void resize(uint64_t size) {
    assert(size >= size_);
    if (size > capacity_) grow(size);
    size_ = size;
  }
  void push_back(const T& value) {
    if (size_ == capacity_) grow(size_ + 1);
    data_[size_++] = value;
  }
  void append(const T* values, uint64_t count) {
    const uint64_t at = size_;
    resize(size_ + count);
    if (count != 0) std::memcpy(data_ + at, values, count * sizeof(T));
  }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  T& operator[](uint64_t i) noexcept { return data_[i]; }
  const T& operator[](uint64_t i) const noexcept { return data_[i]; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  bool empty() const noexcept { return size_ == 0; }
  uint64_t size() const noexcept { return size_; }
  uint64_t capacity() const noexcept { return capacity_; }

 private:
  static constexpr uint64_t kMostElements = (uint64_t{1} << 47) / sizeof(T);

  static bool is_mapped(uint64_t capacity) noexcept { return capacity * sizeof(T) >= kHugePage; }
  static void release(T* data, uint64_t capacity) noexcept {
    if (data == nullptr) return;
    is_mapped(capacity) ? unmap_zeroed(data, capacity * sizeof(T)) : ::operator delete(data, kLine);
  }
  void swap(ZeroedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }
  [[gnu::noinline]] void grow(uint64_t size) {
    if (size > kMostElements) throw std::bad_alloc();
    const uint64_t capacity = std::max({size, 2 * capacity_, 64 / sizeof(T)});
    const uint64_t bytes = capacity * sizeof(T);
    if (is_mapped(capacity_)) {
      data_ = static_cast<T*>(grow_zeroed(data_, capacity_ * sizeof(T), bytes));
    } else {
      void* grown = is_mapped(capacity) ? map_zeroed(bytes) : ::operator new(bytes, kLine);
      const uint64_t used = size_ * sizeof(T);
      if (used != 0) std::memcpy(grown, data_, used);
      if (!is_mapped(capacity)) std::memset(static_cast<std::byte*>(grown) + used, 0, bytes - used);
      release(std::exchange(data_, static_cast<T*>(grown)), capacity_);
    }
    capacity_ = capacity;
  }

  static constexpr std::align_val_t kLine{64};

  T* data_ = nullptr;
  uint64_t size_ = 0, capacity_ = 0;
};

}  // namespace heron::inline v0

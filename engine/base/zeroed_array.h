// Arrays that grow by zeros, for the slots of hash tables and the states of groups, which may be
// millions.
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

// All-zero bytes must be a valid T. Large arrays are in huge pages. Growing throws std::bad_alloc
// and leaves the array as it is. One thread at a time.
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

  // Grows the array to that size, which must not be below its own.
  void resize(uint64_t size) {
    assert(size >= size_);
    if (size > capacity_) grow(size);
    if (size_ < written_) {
      std::memset(static_cast<void*>(data_ + size_), 0,
                  (std::min(size, written_) - size_) * sizeof(T));
    }
    size_ = size;
  }
  // Grows the array as resize() does, by elements of any value.
  void resize_for_overwrite(uint64_t size) {
    assert(size >= size_);
    if (size > capacity_) grow(size);
    size_ = size;
  }
  // Drops the elements from that size on.
  void truncate(uint64_t size) noexcept {
    assert(size <= size_);
    written_ = std::max(written_, size_);
    size_ = size;
  }
  void push_back(const T& value) {
    if (size_ == capacity_) grow(size_ + 1);
    data_[size_++] = value;
  }
  void append(const T* values, uint64_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    if (count != 0) std::memcpy(data_ + size_, values, count * sizeof(T));
    size_ += count;
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
  static constexpr uint64_t kMaxElements = (uint64_t{1} << 47) / sizeof(T);

  static bool is_mapped(uint64_t capacity) noexcept { return capacity * sizeof(T) >= kHugePage; }
  static void release(T* data, uint64_t capacity) noexcept {
    if (data == nullptr) return;
    is_mapped(capacity) ? unmap_pages(data, capacity * sizeof(T)) : ::operator delete(data, kLine);
  }
  void swap(ZeroedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(written_, other.written_);
  }
  [[gnu::noinline]] void grow(uint64_t size) {
    if (size > kMaxElements) throw std::bad_alloc();
    const uint64_t capacity = std::max({size, 2 * capacity_, 64 / sizeof(T)});
    const uint64_t bytes = capacity * sizeof(T);
    const uint64_t used = size_ * sizeof(T);
    if (is_mapped(capacity_)) {
      take(grow_pages({data_, written_ * sizeof(T)}, capacity_ * sizeof(T), used, bytes));
    } else {
      PageBlock grown{nullptr, 0};
      if (is_mapped(capacity)) {
        grown = map_pages(bytes);
      } else {
        grown.memory = ::operator new(bytes, kLine);
        std::memset(static_cast<std::byte*>(grown.memory) + used, 0, bytes - used);
      }
      if (used != 0) std::memcpy(grown.memory, data_, used);
      release(data_, capacity_);
      take(grown);
    }
    capacity_ = capacity;
  }

  void take(const PageBlock& block) noexcept {
    data_ = static_cast<T*>(block.memory);
    written_ = (block.written + sizeof(T) - 1) / sizeof(T);
  }

  static constexpr std::align_val_t kLine{64};

  T* data_ = nullptr;
  uint64_t size_ = 0, capacity_ = 0;
  uint64_t written_ = 0;  // elements from here on are zero, unless they are below size_
};

}  // namespace heron::inline v0

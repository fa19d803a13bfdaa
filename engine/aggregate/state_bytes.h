// Serializes aggregate states, to be merged in another process: numbers as they are in memory,
// little-endian, texts and lists after their length. The reader does not trust the bytes.
#pragma once

#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/fail.h"
#include "base/int128.h"
#include "heron/error.h"
#include "values/scalar.h"

namespace heron::inline v0 {

class StateWriter {
 public:
  template <class T>
  void put(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, Int128>);
    put_raw(&value, sizeof value);
  }
  void put(std::string_view text) {
    put(uint64_t{text.size()});
    put_raw(text.data(), text.size());
  }
  // T has no padding.
  template <class T>
  void put_all(const std::vector<T>& values) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    put(uint64_t{values.size()});
    put_raw(values.data(), values.size() * sizeof(T));
  }
  void put_scalar(const ScalarView& value) {
    put(static_cast<uint8_t>(value.index()));
    std::visit(
        [this](const auto& held) {
          if constexpr (!std::is_same_v<std::remove_cvref_t<decltype(held)>, std::monostate>)
            put(held);
        },
        value);
  }
  std::vector<std::byte> finish() && { return std::move(bytes_); }

 private:
  void put_raw(const void* from, uint64_t bytes) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + bytes);
  }

  std::vector<std::byte> bytes_;
};

// Reads what a StateWriter wrote. Throws Error(Corrupt).
class StateReader {
 public:
  explicit StateReader(std::span<const std::byte> bytes) : left_(bytes) {}

  template <class T>
  T take() {
    T value;
    std::memcpy(&value, take_raw(sizeof value), sizeof value);
    return value;
  }
  bool take_bool() { return take<uint8_t>() != 0; }
  std::string_view take_text() {
    const auto bytes = take<uint64_t>();
    return {reinterpret_cast<const char*>(take_raw(bytes)), bytes};
  }
  // Takes the number of items that follow, each of at least `bytes` bytes.
  uint64_t take_count(uint64_t bytes) {
    const auto count = take<uint64_t>();
    if (count > left_.size() / bytes) fail_damaged();
    return count;
  }
  template <class T>
  std::vector<T> take_all() {
    std::vector<T> values(take_count(sizeof(T)));
    if (!values.empty()) {
      std::memcpy(values.data(), take_raw(values.size() * sizeof(T)), values.size() * sizeof(T));
    }
    return values;
  }
  Scalar take_scalar() {
    switch (take<uint8_t>()) {
      case 0: return {};
      case 1: return take_bool();
      case 2: return take<int64_t>();
      case 3: return take<uint64_t>();
      case 4: return take<double>();
      case 5: return std::string(take_text());
      case 6: return wide_of(take<Int128>());
      default: fail_damaged();
    }
  }
  // Takes a value of that type, or null.
  Scalar take_scalar(const Type& type) {
    Scalar value = take_scalar();
    if (!is_scalar_of(type, view_of(value))) fail_damaged();
    return value;
  }
  bool empty() const noexcept { return left_.empty(); }

  [[noreturn]] static void fail_damaged() {
    fail(ErrorKind::Corrupt, {}, "a state of aggregates is damaged or of another version");
  }

 private:
  const std::byte* take_raw(uint64_t bytes) {
    if (bytes > left_.size()) fail_damaged();
    const std::byte* at = left_.data();
    left_ = left_.subspan(bytes);
    return at;
  }

  std::span<const std::byte> left_;
};

}  // namespace heron::inline v0

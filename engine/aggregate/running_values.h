// Running sums and extremes, for aggregates of columns and of groups.
#pragma once

#include <limits>
#include <optional>

#include "aggregate/state_bytes.h"
#include "base/int128.h"
#include "columns/extremes.h"
#include "values/scalar.h"

namespace heron::inline v0 {

// An int64_t if that holds the sum, else a uint64_t if that does.
inline std::optional<Scalar> in_64_bits(Int128 sum) {
  if (sum >= INT64_MIN && sum <= INT64_MAX) return static_cast<int64_t>(sum);
  if (sum >= 0 && sum <= UINT64_MAX) return static_cast<uint64_t>(sum);
  return std::nullopt;
}

// -0.0 is 0.0.
template <class T>
ScalarView number_scalar(T value) {
  if constexpr (std::is_same_v<T, bool>)
    return value;
  else if constexpr (std::is_floating_point_v<T>)
    return value + 0.0;
  else if constexpr (std::is_signed_v<T>)
    return int64_t{value};
  else
    return uint64_t{value};
}

// The minimum and the maximum number of a column, without NaNs.
template <class T>
class Extremes {
 public:
  void add(T value) {
    low_ = value < low_ ? value : low_;
    high_ = value > high_ ? value : high_;
  }
  void add(const CellExtremes<T>& cells) {
    low_ = cells.low < low_ ? cells.low : low_;
    high_ = cells.high > high_ ? cells.high : high_;
  }
  bool any() const noexcept { return low_ <= high_; }
  T low() const noexcept { return low_; }
  T high() const noexcept { return high_; }
  void append(const Extremes& next) { add(CellExtremes<T>{next.low_, next.high_}); }
  void save(StateWriter& to) const {
    to.put(low_);
    to.put(high_);
  }
  void load(StateReader& from) {
    low_ = from.take<T>();
    high_ = from.take<T>();
  }

 private:
  using Limits = std::numeric_limits<T>;
  static constexpr bool kFloat = std::is_floating_point_v<T>;

  T low_ = kFloat ? Limits::infinity() : Limits::max();
  T high_ = kFloat ? -Limits::infinity() : Limits::lowest();
};

// The minimum or the maximum number of a group, without NaNs.
template <class T>
class GroupExtreme {
 public:
  void add(T value, bool greatest) {
    if (value != value) return;
    if (known_ && !(greatest ? value > value_ : value < value_)) return;
    value_ = value;
    known_ = true;
  }
  void append(const GroupExtreme& next, bool greatest) {
    if (next.known_) add(next.value_, greatest);
  }
  ScalarView result() const { return known_ ? number_scalar(value_) : ScalarView(); }
  void save(StateWriter& to) const {
    to.put(known_);
    to.put(value_);
  }
  void load(StateReader& from) {
    known_ = from.take_bool();
    if constexpr (std::is_same_v<T, bool>)
      value_ = from.take_bool();
    else
      value_ = from.take<T>();
  }

 private:
  T value_{};
  bool known_ = false;
};

// The minimum or the maximum of values that are compared as scalars: texts, values of keys, times
// with an offset. Leaves out nulls and NaNs.
class ScalarExtreme {
 public:
  // Returns the bytes of a copied text, else 0.
  uint64_t add(ScalarView value, bool greatest) {
    if (std::holds_alternative<std::monostate>(value)) return 0;
    if (const auto* number = std::get_if<double>(&value)) {
      if (*number != *number) return 0;
      value = canonical(value);
    }
    if (any()) {
      const auto order = compare(value, view_of(best_));
      if (greatest ? order <= 0 : order >= 0) return 0;
    }
    best_ = owned(value);
    const auto* text = std::get_if<std::string_view>(&value);
    return text == nullptr ? 0 : text->size();
  }
  uint64_t add(std::string_view text, bool greatest) {
    if (const auto* best = std::get_if<std::string>(&best_)) {
      if (greatest ? text <= *best : text >= *best) return 0;
    }
    best_ = std::string(text);
    return text.size();
  }
  bool any() const noexcept { return !std::holds_alternative<std::monostate>(best_); }
  const Scalar& best() const noexcept { return best_; }

 private:
  Scalar best_;
};

}  // namespace heron::inline v0

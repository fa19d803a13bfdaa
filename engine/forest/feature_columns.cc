#include "forest/feature_columns.h"

#include <algorithm>
#include <limits>

#include "base/fail.h"
#include "base/hints.h"
#include "forest/class_labels.h"
#include "heron/error.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

template <class... Parts>
[[noreturn]] void fail_cell(const std::string& source, const Field& field, uint64_t row,
                            const Parts&... parts) {
  fail(ErrorKind::Argument, source, "column \"", field.name, "\", row ", row, ": ", parts...);
}

// Converts a cell to the float that is compared with split values.
template <class T>
auto feature_of(T value) {
  if constexpr (std::is_same_v<T, float>) return value;
  else return static_cast<double>(value);
}

template <class T>
bool is_exact(T value) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    const auto as_double = static_cast<double>(value);
    // 2^63 and 2^64 are doubles, but not in the range of T.
    constexpr auto kEnd = static_cast<double>(std::numeric_limits<T>::max());
    return as_double < kEnd && static_cast<T>(as_double) == value;
  } else {
    return true;
  }
}

// Writes the keys of one feature of all points.
template <class Key>
void put_keys(const FeatureColumns& columns, uint64_t feature, const Values& values,
              uint64_t first_row, Key* keys) {
  const Field& field = columns.schema[feature];
  const auto key_of = [&](uint64_t row) -> Key& {
    return keys[key_index(row, feature, columns.schema.size())];
  };
  if (values.type.is(Type::Bool)) {
    for (uint64_t i = 0; i < values.rows; ++i) {
      key_of(i) = point_key<Key>(values.get_bool(i) ? 1.0 : 0.0);
    }
  } else {
    visit_cell_type(values.type, [&]<class T>() {
      for (uint64_t i = 0; i < values.rows; ++i) {
        const auto value = cell_of<T>(values, i);
        if (!is_exact(value) && !values.is_null(i)) [[unlikely]] {
          fail_cell(columns.source, field, first_row + i, "no float64 is equal to ", value);
        }
        key_of(i) = point_key<Key>(feature_of(value));
      }
    });
  }
  for (uint64_t i = 0; values.null_count != 0 && i < values.rows; ++i) {
    if (!values.is_null(i)) continue;
    if (!columns.nulls_as_nan) {
      fail_with_hint(ErrorKind::Argument, hint::kNullsAsNaN, columns.source, "column \"",
                     field.name, "\", row ", first_row + i, ": expected a number, got null");
    }
    key_of(i) = point_key<Key>(std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace

void check_feature_type(const std::string& source, const Field& field) {
  const Type& type = field.type;
  if (type.is(Type::Bool) || type.is_integer() || type.is_float()) return;
  fail(ErrorKind::Argument, source, "column \"", field.name,
       "\": expected a feature of type bool, integer or float, got ", type.name());
}

PointKeys keys_of(const PackedForest& forest, const FeatureColumns& columns,
                  std::span<const Values> values, uint64_t first_row, Arena& arena) {
  PointKeys keys;
  keys.points = values.empty() ? 0 : values.front().rows;
  const auto fill = [&]<class Key>(Key) {
    const uint64_t features = values.size(), keys_and_more = key_count(keys.points, features);
    auto* to = arena.allocate_array<Key>(keys_and_more);
    for (uint64_t i = 0; i < features; ++i) put_keys(columns, i, values[i], first_row, to);
    for (uint64_t point = keys.points; point % kGroup != 0; ++point) {
      for (uint64_t i = 0; i < features; ++i) to[key_index(point, i, features)] = 0;
    }
    std::fill(to + keys_and_more - kKeysBehind, to + keys_and_more, Key{0});
    return to;
  };
  if (forest.has_narrow()) keys.narrow = fill(uint32_t{});
  if (forest.has_wide()) keys.wide = fill(uint64_t{});
  return keys;
}

void read_class_labels(const std::string& source, const Field& field, const Values& values,
                       uint64_t first_row, std::vector<uint8_t>& labels) {
  constexpr double kMaxLabel = 254;
  check_feature_type(source, field);
  labels.resize(values.rows);
  const auto label_of = [&](uint64_t row, double value) {
    if (values.is_null(row)) {
      fail_cell(source, field, first_row + row, "expected a label, got null");
    }
    if (!(value >= 0 && value <= kMaxLabel) || value != static_cast<uint8_t>(value)) {
      fail_cell(source, field, first_row + row, "expected a label from 0 to ", kMaxLabel, ", got ",
                value);
    }
    return static_cast<uint8_t>(value);
  };
  if (values.type.is(Type::Bool)) {
    for (uint64_t i = 0; i < values.rows; ++i) labels[i] = label_of(i, values.get_bool(i));
    return;
  }
  visit_cell_type(values.type, [&]<class T>() {
    for (uint64_t i = 0; i < values.rows; ++i) {
      labels[i] = label_of(i, static_cast<double>(cell_of<T>(values, i)));
    }
  });
}

}  // namespace heron::inline v0

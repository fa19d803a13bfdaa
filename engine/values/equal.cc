#include "values/equal.h"

#include <bit>
#include <limits>
#include <type_traits>

namespace heron::inline v0 {
namespace {

// Orders floats as the integers of their bits, -0 with 0.
template <class Float>
auto steps_from_zero(Float value) {
  using Bits = std::conditional_t<sizeof(Float) == 8, int64_t, int32_t>;
  const auto bits = std::bit_cast<Bits>(value);
  constexpr Bits kMinimum = std::numeric_limits<Bits>::min();
  return bits >= 0 ? int64_t{bits} : int64_t{kMinimum} - int64_t{bits};
}

template <class Float>
bool floats_equal(Float a, Float b, uint64_t ulp) {
  if (a == b || (a != a && b != b)) return true;
  if (ulp == 0 || a != a || b != b) return false;
  const int64_t from = steps_from_zero(a), to = steps_from_zero(b);
  const uint64_t apart = from < to ? static_cast<uint64_t>(to) - static_cast<uint64_t>(from)
                                   : static_cast<uint64_t>(from) - static_cast<uint64_t>(to);
  return apart <= ulp;
}

bool items_equal(const Values& a, uint64_t row_a, const Values& b, uint64_t row_b, uint64_t ulp) {
  const uint64_t start_a = a.extent(row_a), start_b = b.extent(row_b);
  const uint64_t count = a.extent(row_a + 1) - start_a;
  if (b.extent(row_b + 1) - start_b != count) return false;
  for (uint64_t i = 0; i < count; ++i) {
    if (!is_equal(a.children[0], start_a + i, b.children[0], start_b + i, ulp)) return false;
  }
  return true;
}

// Returns whether a stored item equals a slot that is not stored.
bool is_unstored(const Values& items, uint64_t item) {
  const Type& type = items.type;
  if (type.is(Type::Key)) return items.is_null(item);
  if (items.is_null(item)) return false;
  if (type.has_bytes()) return items.text(item).empty();
  if (type.is(Type::Bool)) return !items.get_bool(item);
  if (type.is(Type::Float32)) return items.get<float>(item) == 0;
  if (type.is(Type::Float64)) return items.get<double>(item) == 0;
  const std::byte* cell = items.data.data + item * type.width();
  for (uint32_t i = 0; i < type.width(); ++i) {
    if (cell[i] != std::byte{}) return false;
  }
  return true;
}

// The stored items of a row, with their slots.
class Slots {
 public:
  Slots(const Values& vectors, uint64_t row)
      : items_(vectors.children[0].children[0]),
        positions_(vectors.children[1].children[0]),
        item_(vectors.children[0].extent(row)),
        end_(vectors.children[0].extent(row + 1)),
        position_(vectors.children[1].extent(row)),
        is_sparse_(vectors.children[1].extent(row + 1) != position_) {}

  bool at_end() const noexcept { return item_ == end_; }
  const Values& items() const noexcept { return items_; }
  uint64_t item() const noexcept { return item_; }
  // INT64_MAX at the end.
  int64_t slot() const noexcept {
    if (at_end()) return INT64_MAX;
    return is_sparse_ ? positions_.get<int32_t>(position_) : dense_slot_;
  }
  void next() noexcept {
    ++item_;
    ++position_;
    ++dense_slot_;
  }

 private:
  const Values& items_;
  const Values& positions_;
  uint64_t item_, end_, position_;
  int64_t dense_slot_ = 0;
  bool is_sparse_;
};

bool vectors_equal(const Values& a, uint64_t row_a, const Values& b, uint64_t row_b, uint64_t ulp) {
  if (a.get<int32_t>(row_a) != b.get<int32_t>(row_b)) return false;
  Slots in_a(a, row_a), in_b(b, row_b);
  while (!in_a.at_end() || !in_b.at_end()) {
    const int64_t slot_a = in_a.slot(), slot_b = in_b.slot();
    if (slot_a == slot_b) {
      if (!is_equal(in_a.items(), in_a.item(), in_b.items(), in_b.item(), ulp)) return false;
      in_a.next();
      in_b.next();
    } else {
      Slots& alone = slot_a < slot_b ? in_a : in_b;
      if (!is_unstored(alone.items(), alone.item())) return false;
      alone.next();
    }
  }
  return true;
}

uint64_t key_at(const Values& values, uint64_t row) {
  uint64_t key = 0;
  std::memcpy(&key, values.data.data + row * values.type.width(), values.type.width());
  return key;
}

bool keys_equal(const Values& a, uint64_t row_a, const Values& b, uint64_t row_b, uint64_t ulp) {
  const uint64_t key_a = key_at(a, row_a), key_b = key_at(b, row_b);
  if (a.children.empty() || b.children.empty()) {
    return a.children.empty() && b.children.empty() && key_a == key_b;
  }
  return is_equal(a.children[0], key_a - 1, b.children[0], key_b - 1, ulp);
}

}  // namespace

bool is_equal(const Values& a, uint64_t row_a, const Values& b, uint64_t row_b,
              uint64_t float_ulp) {
  if (a.is_null(row_a) || b.is_null(row_b)) return a.is_null(row_a) && b.is_null(row_b);
  switch (a.type.id()) {
    case Type::Null: return true;
    case Type::Bool: return a.get_bool(row_a) == b.get_bool(row_b);
    case Type::Float32: return floats_equal(a.get<float>(row_a), b.get<float>(row_b), float_ulp);
    case Type::Float64: return floats_equal(a.get<double>(row_a), b.get<double>(row_b), float_ulp);
    case Type::Text:
    case Type::LargeText:
    case Type::Binary:
    case Type::LargeBinary: return a.text(row_a) == b.text(row_b);
    case Type::List:
    case Type::LargeList: return items_equal(a, row_a, b, row_b, float_ulp);
    case Type::Vector: return vectors_equal(a, row_a, b, row_b, float_ulp);
    case Type::Key: return keys_equal(a, row_a, b, row_b, float_ulp);
    case Type::DateTimeOffset: {
      const auto x = a.get<DateTimeOffset>(row_a), y = b.get<DateTimeOffset>(row_b);
      return x.ticks == y.ticks && x.minutes == y.minutes;
    }
    default: {
      const uint64_t width = a.type.width();
      return std::memcmp(a.data.data + row_a * width, b.data.data + row_b * width, width) == 0;
    }
  }
}

}  // namespace heron::inline v0

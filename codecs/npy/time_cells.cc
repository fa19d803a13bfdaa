#include "npy/time_cells.h"

#include <optional>

#include "values/byte_order.h"
#include "values/cells.h"
#include "values/times.h"
#include "values/validity.h"

namespace heron::inline v0::npy {
namespace {

constexpr int64_t kSecond = 1'000'000'000;
constexpr int64_t kDay = 24 * 60 * 60 * kSecond;

struct Unit {
  std::string_view name;
  int64_t nanoseconds;
};
constexpr Unit kUnits[] = {{"W", 7 * kDay},
                           {"D", kDay},
                           {"h", 60 * 60 * kSecond},
                           {"m", 60 * kSecond},
                           {"s", kSecond},
                           {"ms", kSecond / 1000},
                           {"us", kSecond / 1'000'000},
                           {"ns", 1}};

// Returns the nanoseconds of an element's unit; 0 if it has no fixed number of them.
int64_t nanoseconds_of(const Element& element) {
  for (const Unit& unit : kUnits) {
    if (element.unit != unit.name) continue;
    int64_t product = 0;
    return __builtin_mul_overflow(element.multiple, unit.nanoseconds, &product) ? 0 : product;
  }
  return 0;
}

// The value is stored x multiply / divide + add.
struct Scale {
  int64_t multiply = 1;
  int64_t divide = 1;
  int64_t add = 0;
};

bool fits(const Type& type, int64_t value) noexcept {
  if (type.is(Type::Date32)) return value == static_cast<int32_t>(value);
  if (type.is(Type::DateTime)) return in_calendar(value);
  return value != kNaT;
}

// Cells of 8 bytes as integers of Cell.
template <class Cell>
class TimeCells final : public CellDecoder {
 public:
  TimeCells(Type type, const Element& element, Scale scale)
      : CellDecoder(std::move(type), sizeof(int64_t)),
        text_(element.text),
        is_swapped_(element.order != std::endian::native),
        scale_(scale) {}

  bool nullable() const noexcept override { return true; }
  Values decode(const std::byte* cells, uint64_t count, const CellOrigin& origin,
                Arena& arena) const override {
    Values values(type(), count);
    auto* times = arena.allocate_array<Cell>(count);
    auto* valid = arena.allocate_array<uint8_t>(count);
    for (uint64_t i = 0; i < count; ++i) {
      const auto stored = load_cell<uint64_t>(cells, i);
      const auto time = static_cast<int64_t>(is_swapped_ ? byte_reversed(stored) : stored);
      valid[i] = time != kNaT;
      times[i] = valid[i] ? converted(time, i, origin) : Cell{0};
    }
    values.data = {reinterpret_cast<const std::byte*>(times), count * sizeof(Cell)};
    set_validity_from_flags(values, valid, arena);
    return values;
  }

 private:
  Cell converted(int64_t stored, uint64_t i, const CellOrigin& origin) const {
    int64_t value = 0;
    if (__builtin_mul_overflow(stored, scale_.multiply, &value) || value % scale_.divide != 0 ||
        __builtin_add_overflow(value / scale_.divide, scale_.add, &value) || !fits(type(), value)) {
      origin.fail_at(ErrorKind::Limit, i, "expected a value of NumPy type ", text_, " that ",
                     type().name(), " can hold, got ", stored);
    }
    return static_cast<Cell>(value);
  }

  std::string text_;
  bool is_swapped_;
  Scale scale_;
};

Decoding scaled(Type type, const Element& element, Scale scale) {
  const bool is_plain = scale.multiply == 1 && scale.divide == 1 && scale.add == 0;
  if (is_plain && !type.is(Type::Date32)) return {type, NullEncoding::Sentinel};
  Decoding times{type, NullEncoding::Sentinel};
  if (type.is(Type::Date32)) {
    times.decoder = std::make_unique<TimeCells<int32_t>>(std::move(type), element, scale);
  } else {
    times.decoder = std::make_unique<TimeCells<int64_t>>(std::move(type), element, scale);
  }
  return times;
}

// Returns the unit of that many nanoseconds that Heron's types have too.
std::optional<Type::Unit> unit_of(int64_t nanoseconds) noexcept {
  for (const auto unit : {Type::Nanosecond, Type::Tick, Type::Microsecond, Type::Millisecond}) {
    if (nanoseconds == kSecond / units_a_second(unit)) return unit;
  }
  return nanoseconds == kSecond ? std::optional(Type::Second) : std::nullopt;
}

// Returns the coarsest unit of which that many nanoseconds are a multiple.
Type::Unit unit_below(int64_t nanoseconds) noexcept {
  for (const auto unit : {Type::Second, Type::Millisecond, Type::Microsecond}) {
    if (nanoseconds % (kSecond / units_a_second(unit)) == 0) return unit;
  }
  return Type::Nanosecond;
}

}  // namespace

Decoding time_cells(const Element& element) {
  const int64_t nanoseconds = nanoseconds_of(element);
  if (nanoseconds == 0) return {Type::Null};
  const Type::Unit unit = unit_of(nanoseconds).value_or(unit_below(nanoseconds));
  const int64_t multiply = nanoseconds / (kSecond / units_a_second(unit));
  if (element.kind == 'm') return scaled(Type::duration(unit), element, {multiply});
  if (nanoseconds % kDay == 0) return scaled(Type::Date32, element, {nanoseconds / kDay});
  if (unit == Type::Tick) return scaled(Type::DateTime, element, {1, 1, kTicksBefore1970});
  return scaled(Type::timestamp(unit), element, {multiply});
}

}  // namespace heron::inline v0::npy

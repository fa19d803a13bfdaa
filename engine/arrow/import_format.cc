#include "arrow/import_format.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "arrow/export_schema.h"
#include "base/fail.h"
#include "values/times.h"

namespace heron::inline v0::arrow {
namespace {

using Layout = ArrayPlan::Layout;

constexpr int64_t kMillisecondsADay = std::chrono::milliseconds(std::chrono::days(1)).count();

std::optional<Type> number_type(char format) noexcept {
  switch (format) {
    case 'c': return Type::Int8;
    case 's': return Type::Int16;
    case 'i': return Type::Int32;
    case 'l': return Type::Int64;
    case 'C': return Type::UInt8;
    case 'S': return Type::UInt16;
    case 'I': return Type::UInt32;
    case 'L': return Type::UInt64;
    case 'f': return Type::Float32;
    case 'g': return Type::Float64;
    default: return std::nullopt;
  }
}

void set_numbers(ArrayPlan& plan, Type type, int64_t multiply, int64_t divide, int64_t add = 0) {
  plan.type = std::move(type);
  plan.cell = Type::Int64;
  plan.multiply = multiply;
  plan.divide = divide;
  plan.add = add;
  const bool as_they_are = multiply == 1 && divide == 1 && add == 0;
  plan.layout = as_they_are ? Layout::Cells : Layout::Numbers;
}

std::optional<Type::Unit> unit_of(char letter) noexcept {
  switch (letter) {
    case 's': return Type::Second;
    case 'm': return Type::Millisecond;
    case 'u': return Type::Microsecond;
    case 'n': return Type::Nanosecond;
    default: return std::nullopt;
  }
}

// Converts from units of a time to ticks.
void set_ticks(ArrayPlan& plan, Type type, int64_t units, int64_t zero) {
  constexpr int64_t kTicksASecond = 10'000'000;
  if (units <= kTicksASecond) {
    set_numbers(plan, std::move(type), kTicksASecond / units, 1, zero);
  } else {
    set_numbers(plan, std::move(type), 1, units / kTicksASecond, zero);
  }
}

bool read_time(ArrayPlan& plan) {
  const std::string_view format = plan.format;
  if (format == "tdD") {
    plan.layout = Layout::Cells;
    plan.type = Type::Date32;
    return true;
  }
  if (format == "tdm") {
    set_numbers(plan, Type::Date32, 1, kMillisecondsADay);
    return true;
  }
  const auto unit = format.size() < 3 ? std::nullopt : unit_of(format[2]);
  if (!unit) return false;
  if (format.starts_with("ts") && format.size() > 3 && format[3] == ':') {
    set_numbers(plan, Type::timestamp(*unit, std::string(format.substr(4))), 1, 1);
    return true;
  }
  if (format.size() != 3) return false;
  if (format.starts_with("tD")) {
    set_numbers(plan, Type::duration(*unit), 1, 1);
    return true;
  }
  if (!format.starts_with("tt")) return false;
  set_numbers(plan, Type::Time, units_a_second(Type::Nanosecond) / units_a_second(*unit), 1);
  if (*unit <= Type::Millisecond) plan.cell = Type::Int32;
  return true;
}

bool read_letter(ArrayPlan& plan) {
  const char letter = plan.format[0];
  if (const auto number = number_type(letter)) {
    plan.layout = Layout::Cells;
    plan.type = *number;
    return true;
  }
  switch (letter) {
    case 'n':
      plan.layout = Layout::Null;
      plan.type = Type::Null;
      return true;
    case 'b':
      plan.layout = Layout::Bits;
      plan.type = Type::Bool;
      return true;
    case 'e':
      plan.layout = Layout::Halves;
      plan.type = Type::Float32;
      return true;
    case 'u':
    case 'z':
      plan.layout = Layout::Text;
      plan.type = letter == 'u' ? Type::Text : Type::Binary;
      return true;
    case 'U':
    case 'Z':
      plan.layout = Layout::Text;
      plan.type = letter == 'U' ? Type::LargeText : Type::LargeBinary;
      return true;
    default: return false;
  }
}

// Sets the type of "d:precision,scale" or "d:precision,scale,bits".
void read_decimal(ArrayPlan& plan) {
  const std::string_view format = plan.format;
  int64_t sizes[3] = {0, 0, 128};
  const char *at = format.data() + 1, *const end = format.data() + format.size();
  size_t count = 0;
  while (at != end && count < std::size(sizes) && (*at == ':' || *at == ',')) {
    const auto [stop, error] = std::from_chars(at + 1, end, sizes[count]);
    if (error != std::errc()) break;
    at = stop;
    ++count;
  }
  const auto [precision, scale, bits] = sizes;
  if (at != end || count < 2 || bits != 128 || precision < 1 || precision > Type::kMaxPrecision ||
      scale < 0 || scale > precision) {
    fail_unsupported(plan);
  }
  plan.layout = Layout::Cells;
  plan.type = Type::decimal(static_cast<uint32_t>(precision), static_cast<uint32_t>(scale));
}

// Returns the number in the last brackets of a type's name.
std::optional<uint64_t> size_in(std::string_view type) noexcept {
  const size_t open = type.rfind('[');
  if (open == std::string_view::npos || !type.ends_with(']')) return std::nullopt;
  const char* end = type.data() + type.size() - 1;
  uint64_t size = 0;
  const auto [stop, error] = std::from_chars(type.data() + open + 1, end, size);
  if (error != std::errc() || stop != end) return std::nullopt;
  return size;
}

void apply_key(ArrayPlan& plan, std::string_view type) {
  const auto count = size_in(type);
  if (!count) return;
  for (const Type::Id stored : {Type::UInt8, Type::UInt16, Type::UInt32, Type::UInt64}) {
    const Type key = Type::key(stored, *count);
    if (type != key.name()) continue;
    if (plan.layout == Layout::Codes || plan.type == key.item()) plan.type = key;
  }
}

// The dimensions of "vector<float32>[2x?]"; empty unless there are several.
std::vector<uint64_t> dimensions_in(std::string_view type) {
  const size_t open = type.rfind('[');
  if (open == type.npos || !type.ends_with(']')) return {};
  std::vector<uint64_t> sizes;
  std::string_view rest = type.substr(open + 1, type.size() - open - 2);
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find('x'));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    uint64_t size = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), size);
    const bool is_number = error == std::errc() && stop == word.data() + word.size();
    if ((!is_number && word != "?") || size > INT32_MAX) return {};
    sizes.push_back(size);
  }
  return sizes.size() < 2 ? std::vector<uint64_t>() : sizes;
}

// Returns whether vectors of these dimensions, each below 2^31, have `slots` slots.
bool have_slots(std::span<const uint64_t> dimensions, uint64_t slots) {
  uint64_t product = dimensions.empty() ? 0 : 1;
  for (const uint64_t size : dimensions) {
    product *= size;
    if (product > INT32_MAX) return false;
  }
  return !dimensions.empty() && product == slots;
}

// Makes a fixed-size or large list a vector. The dimensions in the name apply if their product is
// the list's size.
void apply_vector(ArrayPlan& plan, std::string_view name) {
  const bool is_vector = plan.layout == Layout::FixedList
                             ? plan.width != 0
                             : plan.layout == Layout::List && plan.type.is(Type::LargeList);
  if (!is_vector || plan.children[0].type.is_nested()) return;
  plan.type = Type::vector(plan.children[0].type, plan.width);
  const std::vector<uint64_t> dimensions = dimensions_in(name);
  if (!have_slots(dimensions, plan.width)) return;
  plan.type = Type::vector(plan.children[0].type, dimensions);
}

// Restores ticks, from the unit in which they were exported.
void apply_ticks(ArrayPlan& plan, Type type) {
  const int64_t zero = type.is(Type::Duration) ? 0 : kTicksBefore1970;
  if (plan.format == "l") {
    plan.type = std::move(type);
  } else if (plan.type.is(type.is(Type::Duration) ? Type::Duration : Type::Timestamp)) {
    set_ticks(plan, std::move(type), units_a_second(plan.type.unit()), zero);
  }
}

void apply_local_time(ArrayPlan& plan) {
  if (plan.format != "+s" || plan.children.size() != 2) return;
  if (plan.children[1].format != "s") return;
  apply_ticks(plan.children[0], Type::DateTime);
  if (!plan.children[0].type.is(Type::DateTime)) return;
  plan.layout = Layout::LocalTimes;
  plan.type = Type::DateTimeOffset;
}

}  // namespace

void fail_unsupported(const ArrayPlan& plan) {
  fail(ErrorKind::Unsupported, {}, "Arrow column \"", plan.path, "\": Heron has no type for \"",
       plan.format, '"');
}

uint64_t width_in(std::string_view format, const ArrayPlan& plan) {
  const size_t colon = format.find(':') + 1;
  int32_t width = -1;
  const char* end = format.data() + format.size();
  const auto [stop, error] = std::from_chars(format.data() + colon, end, width);
  if (error != std::errc() || stop != end || width < 0) {
    fail(ErrorKind::Argument, {}, "Arrow column \"", plan.path,
         "\": expected a width of 0 or more, got \"", format, '"');
  }
  return static_cast<uint64_t>(width);
}

void read_format(ArrayPlan& plan) {
  const std::string_view format = plan.format;
  if (format.size() == 1 && read_letter(plan)) return;
  if (format.starts_with('t') && read_time(plan)) return;
  if (format == "vu" || format == "vz") {
    plan.layout = Layout::Views;
    plan.type = format == "vu" ? Type::LargeText : Type::LargeBinary;
  } else if (format.starts_with("w:")) {
    plan.layout = Layout::FixedBinary;
    plan.width = width_in(format, plan);
    plan.type = Type::LargeBinary;
  } else if (format.starts_with("d:")) {
    read_decimal(plan);
  } else {
    fail_unsupported(plan);
  }
}

void apply_type_entry(ArrayPlan& plan, std::string_view type, bool has_dictionary) {
  if (type.starts_with("key<")) {
    apply_key(plan, type);
  } else if (has_dictionary) {
    return;
  } else if (type == "datetime") {
    apply_ticks(plan, Type::DateTime);
  } else if (type == "duration") {
    apply_ticks(plan, Type::Duration);
  } else if (type == "datetimeoffset") {
    apply_local_time(plan);
  } else if (type == "rowid" && plan.layout == Layout::FixedBinary && plan.width == 16) {
    plan.layout = Layout::Cells;
    plan.type = Type::RowId;
  } else if (type == "text" && plan.type.is_binary()) {
    plan.type = plan.type.has_large_offsets() ? Type::LargeText : Type::Text;
  } else if (type.starts_with("vector<")) {
    apply_vector(plan, type);
  }
}

}  // namespace heron::inline v0::arrow

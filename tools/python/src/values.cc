// Converts values of the engine to Python objects, and back.
//
// Times are objects of `datetime`, which hold microseconds: finer parts are cut off, towards the
// past. Text that is not UTF-8 is repaired.
#include <cstring>

#include "base/fail.h"
#include "base/hints.h"
#include "common.h"
#include "values/times.h"

namespace heron::python {
namespace {

constexpr int64_t kDaysToEpoch = 719'162;         // days from 0001-01-01 to 1970-01-01
constexpr int64_t kMicrosOfDay = kSecondsADay * 1'000'000;

// The classes of `datetime`, looked up once; never released, as modules are not.
struct Times {
  nb::object date_of_ordinal, datetime, time, timedelta, timezone, utc;
};

const Times& times() {
  static const Times* all = [] {
    const nb::module_ module = nb::module_::import_("datetime");
    return new Times{module.attr("date").attr("fromordinal"), module.attr("datetime"),
                     module.attr("time"), module.attr("timedelta"), module.attr("timezone"),
                     module.attr("timezone").attr("utc")};
  }();
  return *all;
}

int64_t floor_div(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0) ? 1 : 0);
}

// Converts microseconds since 0001-01-01.
nb::object datetime_object(int64_t micros, nb::handle zone = nb::handle()) {
  static const nb::object* first = new nb::object(times().datetime(1, 1, 1));
  const int64_t days = floor_div(micros, kMicrosOfDay);
  const int64_t rest = micros - days * kMicrosOfDay;
  if (days < 0 || days > 3'652'058) {
    throw nb::value_error("a time outside of the years 1 to 9999");
  }
  const nb::object sum = *first + times().timedelta(days, rest / 1'000'000, rest % 1'000'000);
  if (!zone.is_valid()) return sum;
  nb::dict replaced;
  replaced["tzinfo"] = zone;
  return sum.attr("replace")(**replaced);
}

// A number of units as days and microseconds of a day, towards the past.
struct DayTime {
  int64_t days, micros;

  DayTime(Type::Unit unit, int64_t units) {
    const int64_t a_second = units_a_second(unit);
    days = floor_div(units, kSecondsADay * a_second);
    const int64_t rest = units - days * kSecondsADay * a_second;
    const int64_t fraction = rest % a_second;
    micros = rest / a_second * 1'000'000 + (a_second <= 1'000'000
                                                ? fraction * (1'000'000 / a_second)
                                                : fraction / (a_second / 1'000'000));
  }
};

nb::object duration_object(const Type& type, int64_t units) {
  const DayTime time(type.unit(), units);
  return times().timedelta(time.days, time.micros / 1'000'000, time.micros % 1'000'000);
}

nb::object timestamp_object(const Type& type, int64_t units) {
  const DayTime time(type.unit(), units);
  if (time.days < -kDaysToEpoch || time.days > 2'932'896) {
    throw nb::value_error("a time outside of the years 1 to 9999");
  }
  return datetime_object((time.days + kDaysToEpoch) * kMicrosOfDay + time.micros,
                         type.zone().empty() ? nb::handle() : nb::handle(times().utc));
}

nb::object time_object(int64_t nanoseconds) {
  const int64_t micros = floor_div(nanoseconds, 1000), seconds = floor_div(micros, 1'000'000);
  return times().time(seconds / 3600, seconds / 60 % 60, seconds % 60, micros % 1'000'000);
}

nb::object bytes_object(std::string_view bytes) {
  return nb::bytes(bytes.data(), bytes.size());
}

nb::object offset_object(const DateTimeOffset& value) {
  const nb::object zone = times().timezone(times().timedelta(0, int64_t{value.minutes} * 60));
  return datetime_object(floor_div(value.ticks, 10), zone);
}

nb::object bytes_of(const RowId& id) {
  return nb::bytes(reinterpret_cast<const char*>(&id), sizeof id);
}

nb::object list_of(const Values& items, uint64_t first, uint64_t last) {
  nb::object list = nb::steal(PyList_New(static_cast<Py_ssize_t>(last - first)));
  if (!list.is_valid()) throw nb::python_error();
  for (uint64_t i = first; i < last; ++i) {
    PyList_SetItem(list.ptr(), static_cast<Py_ssize_t>(i - first),
                   value_object(items, i).release().ptr());
  }
  return list;
}

// Returns the value of a slot that a sparse row does not store.
nb::object default_of(const Type& type) {
  if (type.is(Type::Bool)) return nb::bool_(false);
  if (type.is_text()) return nb::str("");
  if (type.is_binary()) return bytes_object({});
  if (type.is(Type::Decimal)) return decimal_object({}, type);
  if (type.is_float()) return nb::float_(0.0);
  if (type.is_integer()) return nb::int_(0);
  if (type.is(Type::Key)) return nb::none();
  if (type.is(Type::DateTimeOffset)) return offset_object({});
  if (type.is(Type::RowId)) return bytes_of({});
  return integer_time(type, 0);
}

nb::object vector_object(const Values& values, uint64_t row) {
  const auto slots = static_cast<uint64_t>(values.get<int32_t>(row));
  const Values& items = values.children[0];
  const Values& indices = values.children[1];
  const uint64_t first = items.extent(row), last = items.extent(row + 1);
  const uint64_t at = indices.extent(row), stored = indices.extent(row + 1) - at;
  if (stored == 0 && last - first == slots) return list_of(items.children[0], first, last);
  if (slots > ColumnText::kMaxSlots) {
    fail_with_hint(ErrorKind::Limit, hint::kSparse, {}, "a vector of ", slots, " slots, more than ",
                   ColumnText::kMaxSlots);
  }
  nb::list list;
  const nb::object empty = default_of(values.type.item());
  for (uint64_t slot = 0, next = 0; slot < slots; ++slot) {
    const bool here =
        next < stored && static_cast<uint64_t>(indices.children[0].get<int32_t>(at + next)) == slot;
    list.append(here ? value_object(items.children[0], first + next++) : empty);
  }
  return list;
}

nb::object key_object(const Values& values, uint64_t row) {
  uint64_t stored = 0;
  std::memcpy(&stored, values.data.data + row * values.type.width(), values.type.width());
  if (values.children.empty()) return nb::int_(stored);
  return value_object(values.children[0], stored - 1);
}

template <class T>
nb::object number(const Values& values, uint64_t row) {
  if constexpr (std::is_floating_point_v<T>) {
    return nb::float_(static_cast<double>(values.get<T>(row)));
  } else {
    return nb::int_(values.get<T>(row));
  }
}

}  // namespace

nb::object text_object(std::string_view text) {
  const auto bytes = static_cast<Py_ssize_t>(text.size());
  if (PyObject* made = PyUnicode_DecodeUTF8(text.data(), bytes, nullptr)) return nb::steal(made);
  PyErr_Clear();
  StringSink repaired;
  append_utf8(repaired, text);
  const std::string_view utf8 = repaired.text();
  PyObject* made =
      PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "replace");
  if (made == nullptr) throw nb::python_error();
  return nb::steal(made);
}

nb::object decimal_object(const WideInteger& units, const Type& type) {
  static const nb::object* make = new nb::object(nb::module_::import_("decimal").attr("Decimal"));
  const std::string text = to_text(type, Scalar(units));
  return (*make)(nb::str(text.data(), text.size()));
}

nb::object integer_time(const Type& type, int64_t stored) {
  switch (type.id()) {
    case Type::Date32:
      if (stored < -kDaysToEpoch || stored > 2'932'896) {
        throw nb::value_error("a date outside of the years 1 to 9999");
      }
      return times().date_of_ordinal(stored + kDaysToEpoch + 1);
    case Type::Timestamp: return timestamp_object(type, stored);
    case Type::DateTime: return datetime_object(floor_div(stored, 10));
    case Type::Duration: return duration_object(type, stored);
    case Type::Time: return time_object(stored);
    default: return nb::int_(stored);
  }
}

nb::object value_object(const Values& values, uint64_t row) {
  if (values.is_null(row)) return nb::none();
  switch (values.type.id()) {
    case Type::Null: return nb::none();
    case Type::Bool: return nb::bool_(values.get_bool(row));
    case Type::Int8: return number<int8_t>(values, row);
    case Type::Int16: return number<int16_t>(values, row);
    case Type::Int32: return number<int32_t>(values, row);
    case Type::Int64: return number<int64_t>(values, row);
    case Type::UInt8: return number<uint8_t>(values, row);
    case Type::UInt16: return number<uint16_t>(values, row);
    case Type::UInt32: return number<uint32_t>(values, row);
    case Type::UInt64: return number<uint64_t>(values, row);
    case Type::Float32: return number<float>(values, row);
    case Type::Float64: return number<double>(values, row);
    case Type::Text:
    case Type::LargeText: return text_object(values.text(row));
    case Type::Binary:
    case Type::LargeBinary: return bytes_object(values.text(row));
    case Type::Decimal: return decimal_object(values.get<WideInteger>(row), values.type);
    case Type::Date32: return integer_time(values.type, values.get<int32_t>(row));
    case Type::Timestamp:
    case Type::DateTime:
    case Type::Duration:
    case Type::Time: return integer_time(values.type, values.get<int64_t>(row));
    case Type::List:
    case Type::LargeList:
      return list_of(values.children[0], values.extent(row), values.extent(row + 1));
    case Type::DateTimeOffset: return offset_object(values.get<DateTimeOffset>(row));
    case Type::RowId: return bytes_of(values.get<RowId>(row));
    case Type::Int128:
      return nb::steal(PyLong_FromString(to_text(values, row).c_str(), nullptr, 10));
    case Type::Key: return key_object(values, row);
    case Type::Vector: return vector_object(values, row);
  }
  return nb::none();
}

nb::dict row_dict(const RowBatch& batch, uint64_t row) {
  nb::dict out;
  for (uint64_t i = 0; i < batch.columns.size(); ++i) {
    out[text_object((*batch.schema)[i].name)] = value_object(batch.columns[i], row);
  }
  return out;
}

nb::object scalar_object(const Type& type, const Scalar& scalar) {
  if (const auto* text = std::get_if<std::string>(&scalar)) {
    return type.is_binary() ? bytes_object(*text) : text_object(*text);
  }
  if (const auto* units = std::get_if<WideInteger>(&scalar)) return decimal_object(*units, type);
  if (const auto* flag = std::get_if<bool>(&scalar)) return nb::bool_(*flag);
  if (const auto* real = std::get_if<double>(&scalar)) return nb::float_(*real);
  if (const auto* natural = std::get_if<uint64_t>(&scalar)) return nb::int_(*natural);
  if (const auto* integer = std::get_if<int64_t>(&scalar)) {
    if (!type.is(Type::DateTimeOffset)) return integer_time(type, *integer);
    return datetime_object(floor_div(*integer, 10), times().timezone.attr("utc"));
  }
  return nb::none();
}

Scalar scalar_of(const Type& type, nb::handle value) {
  if (value.is_none()) return {};
  if (PyBool_Check(value.ptr())) return value.ptr() == Py_True;
  if (type.is_text()) {
    return argument<std::string>("key", value);
  }
  if (type.is_binary() && PyBytes_Check(value.ptr())) {
    const nb::bytes bytes = nb::borrow<nb::bytes>(value);
    return std::string(bytes.c_str(), bytes.size());
  }
  if (type.is(Type::Decimal)) {
    const nb::object text = nb::str(value);
    return parse_scalar(type, argument<std::string>("key", text));
  }
  if (PyFloat_Check(value.ptr())) return nb::cast<double>(value);
  if (nb::isinstance<nb::str>(value)) {
    return parse_scalar(type, argument<std::string>("key", value));
  }
  if (nb::hasattr(value, "isoformat")) {
    return parse_scalar(type, argument<std::string>("key", value.attr("isoformat")()));
  }
  if (!PyIndex_Check(value.ptr())) {
    refuse_argument("key", concat("a value of ", type.name()), value);
  }
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  int64_t number = 0;
  if (!nb::try_cast(index, number)) return argument<uint64_t>("key", index);
  return number;
}

}  // namespace heron::python

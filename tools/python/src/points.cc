#include "points.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/fail.h"
#include "values/byte_order.h"

namespace heron::python {
namespace {

constexpr std::string_view kNumbers = "an array of numbers";
constexpr int64_t kAllExact = int64_t{1} << 53;  // float64 has every integer up to it

struct Bool {
  uint8_t byte;
};
struct Half {
  uint16_t bits;
};

double float_of(Half half) noexcept {
  constexpr int kMantissaBits = 10, kBias = 15, kMaxExponent = 31;
  const int exponent = half.bits >> kMantissaBits & kMaxExponent;
  const int mantissa = half.bits & ((1 << kMantissaBits) - 1);
  double value = 0;
  if (exponent == kMaxExponent) {
    value = mantissa == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(mantissa, 1 - kBias - kMantissaBits);
  } else {
    value = std::ldexp(mantissa + (1 << kMantissaBits), exponent - kBias - kMantissaBits);
  }
  return (half.bits & 0x8000) != 0 ? -value : value;
}

template <class T>
T load(const char* from, bool is_swapped) noexcept {
  if constexpr (std::is_same_v<T, Bool>) {
    return {load<uint8_t>(from, is_swapped)};
  } else if constexpr (std::is_same_v<T, Half>) {
    return {load<uint16_t>(from, is_swapped)};
  } else if constexpr (sizeof(T) == 1) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  } else {
    using Bits = std::conditional_t<
        sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
    Bits bits;
    std::memcpy(&bits, from, sizeof bits);
    return std::bit_cast<T>(is_swapped ? byte_reversed(bits) : bits);
  }
}

template <class T>
bool is_exact(T value, double as_double) noexcept {
  constexpr auto kEnd = static_cast<double>(std::numeric_limits<T>::max());  // 2^63 or 2^64
  return as_double < kEnd && static_cast<T>(as_double) == value;
}

template <class Value>
[[noreturn]] void fail_inexact(const std::string& source, std::string_view where,
                               const Value& value) {
  fail(ErrorKind::Argument, source, where, ": no float64 is equal to ", value);
}

// Converts an integer outside of +-2^53, or a type that only its methods convert.
double other_number(const std::string& source, std::string_view name, nb::handle item) {
  if (!PyFloat_Check(item.ptr()) && PyIndex_Check(item.ptr())) {
    const nb::object integer = nb::steal(PyNumber_Index(item.ptr()));
    if (!integer.is_valid()) throw nb::python_error();
    const double value = PyLong_AsDouble(integer.ptr());
    const bool is_too_large = PyErr_Occurred() != nullptr;
    if (is_too_large) PyErr_Clear();
    const int is_equal =
        is_too_large ? 0
                     : PyObject_RichCompareBool(integer.ptr(), nb::float_(value).ptr(), Py_EQ);
    if (is_equal < 0) throw nb::python_error();
    if (is_equal == 0) {
      fail_inexact(source, name, std::string_view(nb::str(integer).c_str()));
    }
    return value;
  }
  const double value = PyFloat_AsDouble(item.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse_argument(name, "float", item);
  }
  return value;
}

double number(const std::string& source, std::string_view name, uint64_t i, PyObject* item) {
  if (PyFloat_CheckExact(item)) return PyFloat_AsDouble(item);
  if (PyLong_CheckExact(item)) {
    int overflow = 0;
    const int64_t value = PyLong_AsLongLongAndOverflow(item, &overflow);
    if (overflow == 0 && value >= -kAllExact && value <= kAllExact) {
      return static_cast<double>(value);
    }
  }
  return other_number(source, concat(name, '[', i, ']'), item);
}

}  // namespace

NumberBuffer::NumberBuffer(std::string_view argument, nb::handle object) {
  if (PyBytes_Check(object.ptr()) || PyByteArray_Check(object.ptr()) ||
      PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_FORMAT | PyBUF_STRIDES) != 0) {
    PyErr_Clear();  // a NumPy array of times, for example, has no buffer
    refuse_argument(argument, kNumbers, object);
  }
  const char* format = buffer_.format == nullptr ? "B" : buffer_.format;
  const bool has_order = std::strchr("@=<>!", format[0]) != nullptr && format[0] != 0;
  const bool is_big = format[0] == '>' || format[0] == '!';
  is_swapped_ = has_order && format[0] != '@' && format[0] != '=' &&
                is_big != (std::endian::native == std::endian::big);
  const char* code = format + has_order;
  const auto width = static_cast<uint64_t>(buffer_.itemsize);
  const auto is_one_of = [&](const char* codes) {
    return code[0] != 0 && code[1] == 0 && std::strchr(codes, code[0]) != nullptr;
  };
  const bool is_word = std::has_single_bit(width) && width <= sizeof(uint64_t);
  if (is_word && is_one_of("bhilqn")) {
    kind_ = Kind::Signed;
  } else if (is_word && is_one_of("BHILQN")) {
    kind_ = Kind::Unsigned;
  } else if (is_word && width > 1 && is_one_of("efd")) {
    kind_ = Kind::Float;
  } else if (width == 1 && is_one_of("?")) {
    kind_ = Kind::Bool;
  } else {
    const std::string got(format);
    PyBuffer_Release(&buffer_);
    throw nb::type_error(
        concat(argument, ": expected an array of bools, integers, float16, float32 or float64, got "
                         "one of the format \"", got, '"').c_str());
  }
}

template <class T>
const T* NumberBuffer::in_place() const noexcept {
  const bool is_type = kind_ == Kind::Float && buffer_.itemsize == sizeof(T) && !is_swapped_;
  const bool is_aligned = reinterpret_cast<uintptr_t>(buffer_.buf) % alignof(T) == 0;
  if (!is_type || !is_aligned) return nullptr;
  if (PyBuffer_IsContiguous(&buffer_, 'C') == 0) return nullptr;
  static constexpr T kNone[1] = {};
  return buffer_.buf == nullptr ? kNone : static_cast<const T*>(buffer_.buf);
}
template const float* NumberBuffer::in_place() const noexcept;
template const double* NumberBuffer::in_place() const noexcept;

template <class T>
void NumberBuffer::copy_as(const std::string& source, uint64_t first, uint64_t count,
                           double* to) const {
  const bool is_matrix = buffer_.ndim == 2;
  const uint64_t columns = size(is_matrix);
  const Py_ssize_t row_stride = is_matrix ? buffer_.strides[0] : 0;
  const Py_ssize_t column_stride = buffer_.strides[is_matrix];
  for (uint64_t row = first; row < first + count; ++row) {
    const char* from =
        static_cast<const char*>(buffer_.buf) + static_cast<Py_ssize_t>(row) * row_stride;
    for (uint64_t i = 0; i < columns; ++i, from += column_stride) {
      const T value = load<T>(from, is_swapped_);
      if constexpr (std::is_same_v<T, Half>) {
        *to++ = float_of(value);
      } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        const auto as_double = static_cast<double>(value);
        if (!is_exact(value, as_double)) [[unlikely]] {
          fail_inexact(source, is_matrix ? concat("row ", row, ", column ", i)
                                         : concat("feature ", i), value);
        }
        *to++ = as_double;
      } else if constexpr (std::is_same_v<T, Bool>) {
        *to++ = value.byte != 0 ? 1 : 0;
      } else {
        *to++ = static_cast<double>(value);
      }
    }
  }
}

void NumberBuffer::copy(const std::string& source, uint64_t first, uint64_t count,
                        double* to) const {
  const auto as = [&]<class T>(T) { copy_as<T>(source, first, count, to); };
  const auto width = buffer_.itemsize;
  switch (kind_) {
    case Kind::Bool: return as(Bool{});
    case Kind::Float: return width == 2 ? as(Half{}) : width == 4 ? as(float{}) : as(double{});
    case Kind::Signed:
      return width == 1   ? as(int8_t{})
             : width == 2 ? as(int16_t{})
             : width == 4 ? as(int32_t{})
                          : as(int64_t{});
    case Kind::Unsigned:
      return width == 1   ? as(uint8_t{})
             : width == 2 ? as(uint16_t{})
             : width == 4 ? as(uint32_t{})
                          : as(uint64_t{});
  }
}

void copy_numbers(const std::string& source, std::string_view name, nb::handle sequence,
                  std::span<double> to) {
  PyObject* const object = sequence.ptr();
  const bool is_list = PyList_Check(object);
  for (uint64_t i = 0; i < to.size(); ++i) {
    const auto index = static_cast<Py_ssize_t>(i);
    // A list may change while methods of its items run.
    PyObject* const item = is_list ? PyList_GetItem(object, index) : PyTuple_GetItem(object, index);
    if (item == nullptr) throw nb::python_error();
    to[i] = number(source, name, i, nb::borrow(item).ptr());
  }
}

OnePoint::OnePoint(const std::string& source, nb::handle point, uint64_t features)
    : size_(features) {
  const auto check_size = [&](uint64_t got) {
    if (got == features && got <= copies_.size()) return;
    fail(ErrorKind::Argument, source, "expected ", features, " features, got ", got);
  };
  if (is_list_or_tuple(point)) {
    check_size(static_cast<uint64_t>(PyObject_Size(point.ptr())));
    copy_numbers(source, "point", point, std::span(copies_).first(features));
    doubles_ = copies_.data();
    return;
  }
  buffer_.emplace("point", point);
  if (buffer_->dimensions() != 1) {
    fail(ErrorKind::Argument, source, "expected one point of ", features,
         " features, got an array of ", buffer_->dimensions(), " dimensions");
  }
  check_size(buffer_->size(0));
  floats_ = buffer_->in_place<float>();
  if (floats_ == nullptr) doubles_ = buffer_->in_place<double>();
  if (floats_ != nullptr || doubles_ != nullptr) return;
  buffer_->copy(source, 0, 1, copies_.data());
  doubles_ = copies_.data();
}

}  // namespace heron::python

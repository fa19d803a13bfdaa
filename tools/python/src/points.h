// Points as callers give them: lists, tuples and buffers of numbers. A number that is not a float32
// or float64 becomes an equal float64, or an error.
#pragma once

#include <array>
#include <span>

#include "common.h"

namespace heron::python {

// A view of a buffer of numbers, of any type of number, byte order and strides.
class NumberBuffer {
 public:
  // Throws TypeError, which names the argument, for other objects.
  NumberBuffer(std::string_view argument, nb::handle object);
  ~NumberBuffer() { PyBuffer_Release(&buffer_); }
  NumberBuffer(const NumberBuffer&) = delete;
  NumberBuffer& operator=(const NumberBuffer&) = delete;

  int dimensions() const noexcept { return buffer_.ndim; }
  uint64_t size(int dimension) const noexcept {
    return static_cast<uint64_t>(buffer_.shape[dimension]);
  }
  // Returns all numbers in order of rows, if they are of type T in this machine's order, contiguous
  // and aligned; else null. T: float, double.
  template <class T>
  const T* in_place() const noexcept;
  // Copies rows of a matrix, or the only row if it has 1 dimension. Throws ArgumentError, which
  // names `source`, row and column, for an integer that no float64 equals. Needs no GIL.
  void copy(const std::string& source, uint64_t first, uint64_t count, double* to) const;

 private:
  enum class Kind : uint8_t { Bool, Signed, Unsigned, Float };
  template <class T>
  void copy_as(const std::string& source, uint64_t first, uint64_t count, double* to) const;

  Py_buffer buffer_{};
  Kind kind_{};
  bool is_swapped_ = false;
};

inline constexpr uint64_t kMaxPointValues = 256;

// One point of a list, tuple or buffer.
class OnePoint {
 public:
  // Throws ArgumentError for another number of values, TypeError for other objects.
  OnePoint(const std::string& source, nb::handle point, uint64_t features);

  // Calls work(std::span<const float>) or work(std::span<const double>).
  template <class Work>
  auto visit(const Work& work) const {
    if (floats_ != nullptr) return work(std::span(floats_, size_));
    return work(std::span(doubles_, size_));
  }

 private:
  std::optional<NumberBuffer> buffer_;
  const float* floats_ = nullptr;
  const double* doubles_ = nullptr;
  uint64_t size_;
  std::array<double, kMaxPointValues> copies_;
};

inline bool is_list_or_tuple(nb::handle object) noexcept {
  return PyList_Check(object.ptr()) || PyTuple_Check(object.ptr());
}

// Copies the first numbers of a list or tuple, which has at least that many. `name` is that of the
// argument, for errors. Throws as OnePoint does.
void copy_numbers(const std::string& source, std::string_view name, nb::handle sequence,
                  std::span<double> to);

}  // namespace heron::python

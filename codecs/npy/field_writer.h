// Writes the values of one column into items.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "heron/schema.h"
#include "heron/values.h"

namespace heron::inline v0::npy {

// The NumPy type of a column's values, or of a vector's items, such as "<f8"; empty for texts,
// whose length is unknown, and for types that are not supported.
std::string_view stored_type(const Type& type);
// Returns whether values of the type are times, whose null is NaT.
bool has_nat(const Type& type);

// Throws Error(Argument) for a null that NumPy does not have, and for a value that it takes for
// one.
class FieldWriter {
 public:
  virtual ~FieldWriter() = default;
  FieldWriter(const FieldWriter&) = delete;
  FieldWriter& operator=(const FieldWriter&) = delete;

  // Bytes of the field in an item.
  uint64_t bytes() const noexcept { return bytes_; }
  // Writes rows to every `stride`-th byte of `to`. `rows_before` of the batch are counted in
  // errors.
  virtual void put(const Values& values, RowRange rows, uint64_t rows_before, std::byte* to,
                   uint64_t stride) const = 0;

 protected:
  explicit FieldWriter(uint64_t bytes) : bytes_(bytes) {}

 private:
  uint64_t bytes_;
};

// Returns the writer of a field of a supported type that is not a text nor has texts. Errors name
// `path`.
std::unique_ptr<const FieldWriter> field_writer(const std::string& path, const Field& field);

}  // namespace heron::inline v0::npy

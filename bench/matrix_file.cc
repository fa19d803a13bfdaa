#include "matrix_file.h"

#include <utility>

#include "base/fail.h"

namespace heron::bench {
namespace {

// The cells end the file.
MatrixRows rows_of(const PlainMap& map, uint64_t rows, uint64_t width) {
  const uint64_t row_bytes = width * sizeof(float);
  return {map.base() + map.bytes() - rows * row_bytes, rows, row_bytes};
}

}  // namespace

MatrixFile::MatrixFile(std::string file_path, const OpenOptions& open_options)
    : MeasuredFile(std::move(file_path), open_options),
      width((*all.schema())[0].type.size()),
      matrix(rows_of(map, rows, width)) {}

bool is_matrix(const File& file) {
  if (file.format() != "npy") return false;
  const Schema& schema = *Projection(file.table()).schema();
  return schema.size() == 1 && schema[0].type.is(Type::Vector) &&
         schema[0].type.item().is(Type::Float32);
}

}  // namespace heron::bench

// A matrix of float32 in an npy file.
#pragma once

#include "file.h"
#include "matrix_bound.h"

namespace heron::bench {

struct MatrixFile : MeasuredFile {
  // `file_path` passes is_matrix().
  MatrixFile(std::string file_path, const OpenOptions& open_options);

  uint64_t width;  // values of a row
  MatrixRows matrix;
};

// Returns whether the file is npy, with one column of vectors of float32.
bool is_matrix(const File& file);

}  // namespace heron::bench

// NumPy files that a test made, opened and read.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"

namespace heron::test {

using Rows = std::vector<std::string>;

// Returns the bytes of cells, one after the other.
template <class T>
std::string bytes_of_cells(std::initializer_list<T> cells) {
  return {reinterpret_cast<const char*>(cells.begin()), cells.size() * sizeof(T)};
}

inline std::string npy_header(const std::string& descr, const std::string& shape,
                              bool fortran_order = false) {
  return concat("{'descr': ", descr, ", 'fortran_order': ", fortran_order ? "True" : "False",
                ", 'shape': ", shape, ", }\n");
}

// Returns a file of version 1.0 (2.0, 3.0) with that header.
inline std::string npy_file(const std::string& header, const std::string& cells = "",
                            char version = 1) {
  std::string file = concat("\x93NUMPY", version, '\0');
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    file += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  }
  return file + header + cells;
}

inline std::shared_ptr<const File> opened_array(const std::string& file, bool mapped = true) {
  return open_source(made_source("made.npy", std::as_bytes(std::span(file)), mapped), {}, {});
}

inline Rows rows_of_array(const std::string& file, bool mapped = true) {
  const auto table = opened_array(file, mapped)->table();
  return json_rows(read(Projection(table), {0, table->rows()}));
}
inline Rows rows_at(const std::string& file, const std::vector<uint64_t>& rows,
                    bool mapped = true) {
  return json_rows(take(Projection(opened_array(file, mapped)->table()), rows));
}

// Returns the type of each column.
inline std::vector<std::string> types_of_array(const std::string& file) {
  std::vector<std::string> types;
  const auto table = opened_array(file)->table();
  for (const Field& field : table->schema()) {
    types.push_back(concat(field.name, ' ', field.type.name()));
  }
  return types;
}

}  // namespace heron::test

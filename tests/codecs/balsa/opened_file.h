// Balsa files that a test made, opened and read.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "error_of.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/balsa_file.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"

namespace heron::test {

using Rows = std::vector<std::string>;

// Returns a source of the bytes, with an address or without one.
inline std::shared_ptr<const ByteSource> source_of(const std::string& file, bool mapped = true) {
  return made_source("made", std::as_bytes(std::span(file)), mapped);
}

inline std::shared_ptr<const File> opened(const std::string& file, bool mapped = true) {
  return open_source(source_of(file, mapped), {}, {});
}

inline std::vector<std::string> table_names(const File& file) {
  std::vector<std::string> names;
  for (const auto& table : file.tables()) names.push_back(table->name());
  return names;
}

inline Projection projection(const File& file, const std::string& table,
                             const std::vector<std::string>& columns) {
  return columns.empty() ? Projection(file.table(table))
                         : Projection(file.table(table), columns);
}

// Returns the rows of a table, by all of its columns or by some.
inline Rows rows_of(const File& file, const std::string& table,
                    const std::vector<std::string>& columns = {}) {
  const Projection all = projection(file, table, columns);
  return json_rows(read(all, {0, all.table()->rows()}));
}
inline Rows rows_at(const File& file, const std::string& table,
                    const std::vector<uint64_t>& rows,
                    const std::vector<std::string>& columns = {}) {
  return json_rows(take(projection(file, table, columns), rows));
}

inline ErrorKind kind_of_opening(const std::string& file) {
  return error_of([&] { opened(file); }).kind();
}
inline std::string text_of_opening(const std::string& file) {
  return error_of([&] { opened(file); }).what();
}

}  // namespace heron::test

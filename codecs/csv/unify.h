// Unifies the columns of several text files into those of one table: matched by name, each of the
// first type that holds its values in all files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "csv/infer.h"
#include "heron/context.h"
#include "heron/csv.h"
#include "heron/schema.h"

namespace heron::inline v0::csv {

// Repairs the names in a header as a table's names are: none is empty, each is unique.
std::vector<std::string> table_names(const std::vector<std::string>& header);

// Returns, for each column of the table, the index of its field in a record of `file`; the first
// file names the columns. Throws Error(Argument), with the names, for files of different columns.
std::vector<uint64_t> field_indices_of(const std::string& file,
                                       const std::vector<std::string>& names,
                                       const std::string& first_file,
                                       const std::vector<std::string>& first_names);

// The facts of the columns of one file, in the order of the table.
struct FileFacts {
  std::string file;
  std::vector<ColumnFacts> columns;
  bool has_plain_names = false;  // some name is unquoted
};

// Sets the types of the columns and whether they are nullable, except where the options give the
// type. Context::note reports columns of different types in the files. Returns whether a quoted
// value is text.
bool set_found_types(std::span<const FileFacts> files, const CsvOptions& options, Schema& schema,
                     const Context& context);

}  // namespace heron::inline v0::csv

// The columns of several text files as those of one table: matched by name, each of the first type
// that holds its values in all files.
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

// Names as a header has them, repaired as those of a table are: none is empty, each is unique.
std::vector<std::string> table_names(const std::vector<std::string>& header);

// Which field of each record of a file is a column of the table, whose names those of the first
// file are. Throws Error(Argument) for files of different columns, which their names report.
std::vector<uint64_t> places_of(const std::string& file, const std::vector<std::string>& names,
                                const std::string& first_file,
                                const std::vector<std::string>& first_names);

// What is known of the columns of one file, in the order of the table.
struct FileFacts {
  std::string file;
  std::vector<ColumnFacts> columns;
  bool has_plain_names = false;  // some name is not quoted
};

// Sets the types of the columns and whether they are nullable, except of those whose type is given
// by the options. Context::note reports columns of different types in the files. Returns whether a
// quoted value is text.
bool set_found_types(std::span<const FileFacts> files, const CsvOptions& options, Schema& schema,
                     const Context& context);

}  // namespace heron::inline v0::csv

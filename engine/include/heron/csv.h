// Rows of text files with a separator between fields (RFC 4180).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "heron/row_source.h"

namespace heron::inline v0 {

struct CsvOptions {
  // Between fields; 0: the one of , ; tab | that the first lines agree on.
  char separator = 0;
  // Whether the first record has the columns' names; else they are c0, c1, ..
  bool header = true;
  // Words that mean that there is no value. An empty field without quotes always does, also of a
  // text; in quotes a field is what it says.
  std::vector<std::string> missing = {"NA", "null", "NULL"};
  // Types of columns by name: bool, int8 .. int64, uint8 .. uint64, float32, float64, text, date32,
  // timestamp[ns]. Of the others the whole file decides: the first of bool, int32, int64, float64,
  // date32, timestamp[ns], text that holds all their fields.
  std::vector<std::pair<std::string, Type>> types;
};

// The records of all the files, one after the other, each with the same names in its header. Goes
// through all of them once, at a few hundred MB/s: types, the number of rows, and that each record
// has as many fields as the first. Each stream goes through them again. Memory does not grow with
// the files, but for a record, which must be below 1 GiB. A byte order mark is passed over; LF,
// CRLF and CR end records, blank lines of files with several columns are passed over. What is not
// UTF-8 stays as it is. Throws Error: Io; Corrupt, with line and column, for a record of another
// number of fields, quotes that do not close, and a field that the type told for its column does
// not hold; Argument for a type of a column that is not there; Changed where a file is no longer
// the one that was gone through; Limit; Cancelled.
RowSourcePtr csv_rows(std::vector<std::string> paths, const CsvOptions& options = {},
                      const Context& context = {});

}  // namespace heron::inline v0

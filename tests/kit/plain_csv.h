// CSV files read the plain way, a character at a time, and a comparison with csv_rows().
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heron/csv.h"

namespace heron::inline v0 {

struct PlainField {
  std::string text;
  bool in_quotes = false;
};
using PlainRecord = std::vector<PlainField>;

struct PlainCsv {
  std::vector<PlainRecord> records;  // the header too, but no blank lines that are ignored
  bool is_damaged = false;
  bool is_foreign = false;  // true if the file begins like another format or UTF-32
};

PlainCsv read_plain_csv(std::string_view content, const CsvOptions& options);

// Reads a file with this content, as a stream and if `as_table` as a table too, and compares
// schema, values and errors. Returns a difference; empty if there is none, or if a container is
// read. `separator` is set in the options, and no types are given.
std::string disagreement(std::string_view content, const CsvOptions& options, bool as_table = true);

}  // namespace heron::inline v0

// Opens a text file: finds its separator, its header, and where its rows begin.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_source.h"
#include "csv/record_reader.h"
#include "heron/context.h"
#include "heron/csv.h"

namespace heron::inline v0::csv {

// Returns how files are divided into records: as the options say and, if they give no separator,
// with the one of , ; tab | with which most of the first lines of this file have the same number of
// fields, at least two, as the very first line; among equals, the one with the most fields. Without
// any, a comma, or a semicolon if the comma is the decimal mark. Throws Error(Argument) for marks
// that are invalid or contradict each other.
RecordRules record_rules(const ByteSource& source, const CsvOptions& options,
                         const Context& context);

// Returns whether the beginning of a file looks like records: at least two lines with the same
// number of fields, at least two, and no misplaced quote. JSON and XML do not look like records.
bool has_records(std::string_view head);

struct CsvFile {
  std::shared_ptr<const ByteSource> source;
  uint64_t rows_offset = 0;  // offset of the first row in the file
  std::vector<std::string> names;  // one per field; empty names without a header
  bool has_plain_names = false;    // some name is unquoted
};

// Reads the first record and checks its encoding unless it is Bytes. Throws Error: Io, Changed;
// Corrupt if there is no record.
CsvFile open_csv(std::shared_ptr<const ByteSource> source, const RecordRules& rules,
                 const CsvOptions& options, const Context& context);

}  // namespace heron::inline v0::csv

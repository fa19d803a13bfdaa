// Opens a text file: finds its separator, its header, and where its rows begin.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_source.h"
#include "heron/context.h"

namespace heron::inline v0::csv {

// The one of , ; tab | with which most of the first lines have the same number of fields, at least
// two, as the very first; of several the one with the most fields. A comma if there is none.
char find_separator(const ByteSource& source, const Context& context);

// Whether the beginning of a file looks like records: at least two lines with the same number of
// fields, at least two, and no misplaced quote. JSON and XML do not.
bool has_records(std::string_view head);

struct CsvFile {
  std::shared_ptr<const ByteSource> source;
  uint64_t rows_offset = 0;  // offset of the first row
  uint64_t columns = 0;
  std::vector<std::string> names;  // empty names without a header
  bool has_plain_names = false;    // some name is not quoted
};

// Reads the first record and, if check_utf8, checks its encoding. Throws Error: Io, Changed;
// Corrupt if there is no record.
CsvFile open_csv(std::shared_ptr<const ByteSource> source, char separator, bool header,
                 bool check_utf8, const Context& context);

}  // namespace heron::inline v0::csv

// The documented result of convert(), computed from the values and a format's write support,
// without the engine's casts and trials; and a check of a file that it wrote.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "format/format.h"
#include "heron/convert.h"
#include "kit/exact_value.h"

namespace heron::inline v0 {

// The columns to write, with their types, and the columns that are refused.
struct Plan {
  struct Column {
    uint64_t column = 0;
    Type type;
  };
  std::vector<Column> kept;
  std::vector<uint64_t> refused;
};
// Returns whether a format stores values of the type in a type of its own, so that they are not read
// back as they were: their tests are those of the format (tests/codecs/arrow).
inline bool has_own_form(const Format& format, const Type& type) {
  return format.name == "arrow" &&
         (type.is(Type::DateTimeOffset) || type.is(Type::RowId) || type.is(Type::Key));
}

// Makes the plan. A format with one type gets that of the first column that fits; with casts, it
// gets a type that most columns fit, which is `one_type` if that is among them.
Plan plan(const ExactTable& rows, const WriteSupport& write_support, bool cast,
          std::optional<Type> one_type = std::nullopt);

// Returns the value that the format reads back if it is written as that type: NaN may become null,
// and null NaN.
ExactValue as_read_back(ExactValue value, const Type& type, const WriteSupport& write_support);

// Returns whether values or their items are equal, or differ only by NaN instead of null, or by
// U+FFFD where a text is not UTF-8.
bool look_alike(const ExactValue& a, const ExactValue& b);

// Compares a file with `plan`, the rows and the report, and describes differences in some lines;
// empty: none. Compares columns and their order, types, values; for formats that round, how much
// values have changed.
struct Written {
  const ExactTable& rows;
  const Format& format;
  const ConvertOptions& options;
  const ConvertReport& report;
};
std::string faults_of(const Written& written, const Plan& plan, const ExactTable& read_back);

// Reads the first table of a file; with pread unless mapped.
ExactTable exact_file(const std::string& path, bool mapped = true);

}  // namespace heron::inline v0

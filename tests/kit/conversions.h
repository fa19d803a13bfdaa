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

// The columns as which rows are to be written, and the refused ones.
struct Plan {
  struct Column {
    uint64_t column = 0;
    Type type;
  };
  std::vector<Column> kept;
  std::vector<uint64_t> refused;
};
// Makes the plan. A format with one type gets that of the first column that fits; with casts, one
// that as many columns fit as any other, and `one_type` if it is one of these.
Plan plan(const ExactTable& rows, const WriteSupport& write_support, bool cast,
          std::optional<Type> one_type = std::nullopt);

// Returns the value as the format gives it back, if it is written as that type: NaN and nulls may
// have become each other.
ExactValue as_read_back(ExactValue value, const Type& type, const WriteSupport& write_support);

// Returns whether values or their items are equal, but that one is NaN and the other null, or for
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

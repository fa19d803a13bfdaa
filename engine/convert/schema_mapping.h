// Resolves the schema mapping: the type in which a format stores each column. Done before any byte
// is written.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convert/cast_rows.h"
#include "format/format.h"
#include "heron/convert.h"

namespace heron::inline v0 {

struct MappedColumn {
  CastColumn cast;
  // The format writes nulls as NaN.
  bool nulls_as_nan = false;
  // NaN, which is a value, is read back as null.
  bool nan_as_null = false;
  // The number of nulls that the cast has written as NaN.
  uint64_t cast_to_nan = 0;
  // Metadata of the column that is not written.
  std::vector<std::string> metadata_lost = {};
  // The largest possible difference of a value.
  double expected_loss = 0;
};

struct SchemaMapping {
  std::vector<MappedColumn> columns;  // key columns first
  std::vector<std::string> dropped;   // the reason for each dropped column
  std::vector<std::string> dropped_names;
};

// Maps columns onto the format with that name and write support. Throws Error(Argument) unless all
// sources have the same columns. Reads rows if schemas do not suffice. Throws Error(Unsupported)
// that names `out` and every column that does not fit, or a source and its unreadable columns,
// unless they are to be dropped, and if none is left then; Error(Argument) if the sources have no
// columns.
SchemaMapping map_schema(std::span<const RowSourcePtr> sources, std::string_view format,
                         const WriteSupport& write_support, const ConvertOptions& options,
                         const std::string& out, const Context& context);

}  // namespace heron::inline v0

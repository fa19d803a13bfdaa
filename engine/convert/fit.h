// As what the columns of some rows are written to a format: decided before any byte is.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convert/cast_rows.h"
#include "dataset/format.h"
#include "heron/convert.h"

namespace heron::inline v0 {

struct FittedColumn {
  CastColumn cast;
  std::string name;
  Type from;
  // Nulls are written as NaN by the format; so many are in the cast already.
  bool nulls_as_nan = false;
  uint64_t cast_to_nan = 0;
  // NaN, which is a value, is read as null.
  bool nan_as_null = false;
  // What the file says of the column besides its values and is not taken along.
  std::vector<std::string> metadata_lost = {};
  // By how much values can come to differ.
  double expected_loss = 0;
};

struct Fitted {
  std::vector<FittedColumn> columns;  // those of the key first
  std::vector<std::string> dropped;   // why, each of them
  std::vector<std::string> dropped_names;
};

// For the format of that name and capacity. All sources have the same columns, else
// Error(Argument). Reads what their schemas leave open. Throws Error(Unsupported) that names `out`
// and every column that does not fit, or a source and those of it that cannot be read, unless they
// are to be dropped.
Fitted fit(std::span<const RowSourcePtr> sources, std::string_view format, const Capacity& capacity,
           const ConvertOptions& options, const std::string& out, const Context& context);

}  // namespace heron::inline v0

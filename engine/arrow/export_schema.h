// Heron's types as Arrow format strings.
#pragma once

#include <string>

#include "arrow/structs.h"
#include "heron/values.h"

namespace heron::inline v0::arrow {

// Returns the schema of a column. `sample` holds values of it, which show whether its keys have
// values; if `sample` is null, they have none.
Owned<ArrowSchema> schema_of(const Field& field, const Values* sample, const ArrowOptions& options);

// Returns a struct of all columns; `sample` may be null.
Owned<ArrowSchema> schema_of(const Schema& fields, const RowBatch* sample,
                             const ArrowOptions& options);

// Returns the value of a column's metadata as Arrow stores it, as text: other values become JSON.
std::string text_of(const Metadata& metadata);

// The metadata entry with Heron's type of a column or of items.
inline constexpr std::string_view kTypeEntry = "heron.type";
inline constexpr std::string_view kEncodingEntry = "heron.encoding";
inline constexpr std::string_view kMetadataEntry = "heron.metadata.";
inline constexpr std::string_view kValueEntry = "heron.value.";

// The children of a datetimeoffset.
inline constexpr std::string_view kUtcName = "utc", kOffsetName = "offset_minutes";

}  // namespace heron::inline v0::arrow

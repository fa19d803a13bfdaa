// Rows of a source with some columns left out and others cast.
#pragma once

#include <string>
#include <vector>

#include "convert/cast.h"
#include "heron/row_source.h"

namespace heron::inline v0 {

struct CastColumn {
  uint64_t column = 0;  // column of the source
  Type type;            // the type to cast to
  NullFloat nulls = NullFloat::Keep;
  std::vector<Metadata> metadata = {};
  bool keeps_metadata = false;  // the source's metadata comes before `metadata`
};

// Returns the source itself if nothing changes. Streams throw Error(Argument) that names row and
// value for a value that does not fit.
RowSourcePtr cast_rows(RowSourcePtr source, std::vector<CastColumn> columns);

}  // namespace heron::inline v0

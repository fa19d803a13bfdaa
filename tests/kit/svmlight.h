// SVMlight text, as learning-to-rank data sets come in, made into a batch of rows:
//
//   @Feature	id:1	name:length
//   2 qid:7 1:0.5 3:-2
//
// The range of each feature is given in its field's metadata, as the reference's converter
// computes it for a single file: a feature that is absent from any line counts as 0 there.
#pragma once

#include <string_view>

#include "heron/values.h"

namespace heron::inline v0 {

// Columns: target, query (only if `ranking`; null on lines without an id) and each feature up to
// the highest number. The last value of a feature that comes twice on a line is taken.
// `statistics`, if not empty, is the converter's file of names and ranges, which replace those of
// the text.
RowBatch parse_svmlight(std::string_view text, bool ranking, std::string_view statistics = {});

}  // namespace heron::inline v0

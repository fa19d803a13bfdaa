// The values of a feature, in three views: scaled back to the original, as stored, and as indices.
#pragma once

#include <memory>

#include "columns/dictionaries/dictionary.h"
#include "heron/context.h"
#include "heron/file.h"
#include "heron/schema.h"
#include "jforests/options.h"
#include "jforests/record.h"

namespace heron::inline v0::jforests {

// Returns the type of a feature's cells in this view.
Type type_of(CodedValues view) noexcept;

// Reads the dictionary of a parsed record. Throws Error(Corrupt), without a file's name, unless the
// stored values ascend strictly, so that a range of values is a range of indices, and contain 0.
std::shared_ptr<const Dictionary> open_dictionary(const Record& record, CodedValues view,
                                                  const Context& context);

}  // namespace heron::inline v0::jforests

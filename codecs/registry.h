// The one table of formats.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "dataset/format.h"
#include "skip/sidecar.h"

namespace heron::inline v0 {

std::span<const Format> formats();

// Finds the format of the bytes (or takes the one that options name) and opens them. Throws
// Error(UnknownFormat) when none fits, and what the format's open throws.
std::shared_ptr<const Dataset> open_dataset(std::shared_ptr<const ByteSource> bytes,
                                            const OpenOptions& options, const Context& context);

// What the formats of the bytes, containers outermost first, keep in a sidecar to open them faster;
// a format that keeps nothing is left out. Opens them anew, without what a sidecar has already.
std::vector<FormatIndex> format_indexes(std::shared_ptr<const ByteSource> bytes,
                                        const OpenOptions& options, const Context& context);

}  // namespace heron::inline v0

// The one table of formats.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataset/format.h"
#include "skip/sidecar.h"

namespace heron::inline v0 {

std::span<const Format> formats();

// Throws Error(Argument), which tells the names there are.
const Format& format_named(std::string_view name);

// What the endings of a path say.
struct PathEndings {
  std::string stem;                            // what is before them
  const Format* format = nullptr;              // null: no format's
  std::vector<const Format*> containers = {};  // around it, innermost first
};
PathEndings endings_of(const std::string& path);

// Finds the format of the bytes (or takes the one that options name) and opens them. Throws
// Error(UnknownFormat) when none fits, and what the format's open throws.
std::shared_ptr<const Dataset> open_dataset(std::shared_ptr<const ByteSource> bytes,
                                            const OpenOptions& options, const Context& context);

// What the formats of the bytes, containers outermost first, keep in a sidecar to open them faster;
// a format that keeps nothing is left out. Opens them anew, without what a sidecar has already.
std::vector<FormatIndex> format_indexes(std::shared_ptr<const ByteSource> bytes,
                                        const OpenOptions& options, const Context& context);

}  // namespace heron::inline v0

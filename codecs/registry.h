// The table of formats.
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

// Throws Error(Argument), which lists the known names.
const Format& format_named(std::string_view name);

// What the endings of a path mean.
struct PathEndings {
  std::string stem;                            // the path without them
  const Format* format = nullptr;              // null: of no format
  std::vector<const Format*> containers = {};  // around it, innermost first
};
PathEndings endings_of(const std::string& path);

// Detects the format of the bytes (or takes the one named in options) and opens them. Throws
// Error(UnknownFormat) if none matches, and what the format's open throws.
std::shared_ptr<const Dataset> open_dataset(std::shared_ptr<const ByteSource> bytes,
                                            const OpenOptions& options, const Context& context);

// What each format of the bytes, containers outermost first, stores in a sidecar to open them
// faster; formats that store nothing are left out. Opens the bytes without an existing sidecar.
std::vector<FormatIndex> format_indexes(std::shared_ptr<const ByteSource> bytes,
                                        const OpenOptions& options, const Context& context);

}  // namespace heron::inline v0

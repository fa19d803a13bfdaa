// Opens the bytes of any source; heron::open() opens paths.
#pragma once

#include <memory>
#include <vector>

#include "format/format.h"
#include "skip/sidecar.h"

namespace heron::inline v0 {

// Detects the format of the bytes (or takes the one named in options) and opens them. Throws
// Error(UnknownFormat) if none matches, and what the format's open throws.
std::shared_ptr<const File> open_source(std::shared_ptr<const ByteSource> bytes,
                                            const OpenOptions& options, const Context& context);

// Returns what each format of the bytes stores in a sidecar to open them faster, containers
// outermost first; formats that store nothing are left out. `opened` is the dataset of the bytes.
// Opens the bytes without an existing sidecar.
std::vector<FormatIndex> format_indexes(std::shared_ptr<const ByteSource> bytes,
                                        const File& opened, const OpenOptions& options,
                                        const Context& context);

}  // namespace heron::inline v0

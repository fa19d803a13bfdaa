// Writes forests into files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "format/checked_forest_writer.h"
#include "heron/convert.h"

namespace heron::inline v0 {

// Makes the writer that create_forest() returns.
std::unique_ptr<CheckedForestWriter> create_forest_file(const std::string& path,
                                                        const ForestShape& shape,
                                                        const WriteOptions& options,
                                                        const Context& context);

// Returns whether convert() writes forests: each source has the columns of a forest, and the format
// of each file holds forests.
bool writes_forests(std::span<const RowSourcePtr> sources, std::span<const std::string> outs,
                    const ConvertOptions& options);

// Writes each source as a forest into a file of its own.
ConvertReport convert_forests(std::span<const RowSourcePtr> sources,
                              std::span<const std::string> outs, const ConvertOptions& options,
                              const Context& context);

}  // namespace heron::inline v0

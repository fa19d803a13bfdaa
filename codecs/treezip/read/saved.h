// The data that a sidecar stores of a tree to avoid another survey: the results of the survey and,
// for a tree with previous bits, the bits before each block of the payload. It is little-endian
// numbers of 64 bits, checksum first, then entries and checkpoints as in memory.
//
// The checksum detects damage. A forgery with a valid checksum is checked for its ranges, so that
// no access leaves the file, the index or a stack; its payload is wrong.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "treezip/read/survey.h"

namespace heron::inline v0::treezip {

std::vector<std::byte> save(const TreeFile& file, const Survey& survey,
                            std::span<const std::byte> checkpoints);

// Returns the length of the bit stream that `saved` describes; nullopt if its checksum is wrong.
std::optional<uint64_t> saved_stream_bytes(std::span<const std::byte> saved);

struct Restored {
  Survey survey;
  std::span<const std::byte> checkpoints;  // a view of `saved`
};
// Returns nullopt if `saved` does not match the file.
std::optional<Restored> restore(std::span<const std::byte> saved, const TreeFile& file);

}  // namespace heron::inline v0::treezip

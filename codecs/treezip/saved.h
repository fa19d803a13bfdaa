// What a sidecar keeps of a tree, so that it need not be surveyed again: what the survey found, and
// of a tree that looks back the bits before each block of the payload. Little-endian numbers of 64
// bits, checksum first, then entries and checkpoints as they are in memory.
//
// The checksum tells damage. A forgery that has it right is held against what it points into, so
// that nothing leaves the file, the index or the stacks of those who walk; its payload is wrong.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "treezip/survey.h"

namespace heron::inline v0::treezip {

std::vector<std::byte> save(const TreeFile& file, const Survey& survey,
                            std::span<const std::byte> checkpoints);

// How many bytes of the file it is about, behind the header; nothing if its checksum does not hold.
std::optional<uint64_t> saved_stream_bytes(std::span<const std::byte> saved);

struct Restored {
  Survey survey;
  std::span<const std::byte> checkpoints;  // of `saved`
};
// Nothing if it does not hold for the file.
std::optional<Restored> restore(std::span<const std::byte> saved, const TreeFile& file);

}  // namespace heron::inline v0::treezip

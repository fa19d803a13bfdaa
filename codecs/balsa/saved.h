// What a sidecar keeps of a file's objects, so that it need not be walked again: where each lies
// and of what shape it is. A checksum, the file's size, then a record an object in file order, an
// ensemble's in front of those of its trees.
//
// The checksum tells damage. A forgery that has it right is held against the file, so that nothing
// leaves it; trees are held against their headers at first use, as those that a walk passed over.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "balsa/objects.h"

namespace heron::inline v0::balsa {

// Of all objects of a file of so many bytes. Nothing if a tree is damaged: there is no place for
// what is wrong with it.
std::vector<std::byte> save(std::span<const Object> objects, uint64_t file_bytes);

// Of a file whose objects begin there. Nothing if it does not hold for the file.
std::optional<std::vector<Object>> restore(std::span<const std::byte> saved, uint64_t begin,
                                           uint64_t file_bytes);

}  // namespace heron::inline v0::balsa

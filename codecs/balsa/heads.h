// The bytes before and between cells, as the format's own library writes them: entries of
// dictionaries are sorted by key, and sizes do not depend on counts.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "balsa/layout.h"

namespace heron::inline v0::balsa {

// The signature and the header of a file.
std::string file_head(std::endian order);
// The head of a table up to its cells.
std::string table_head(const Scalar& scalar, std::endian order, uint32_t rows, uint32_t columns);
// The head of an ensemble up to its trees, and that of a tree up to its tables.
std::string ensemble_head(uint8_t class_count, uint8_t feature_count);
std::string tree_head(uint8_t class_count, uint8_t feature_count, bool wide);

// The offset of the row count in a table: behind the entry of the column count, its own key and
// type id.
inline constexpr uint64_t kRowCountOffset =
    kMarkerBytes + kMarkerBytes + 1 + (1 + 12 + 4 + 4) + (1 + 9 + 4);
// The offsets of the two counts in an ensemble and in a tree: key, type id and value of an entry
// each.
inline constexpr uint64_t kClassCountOffset = kMarkerBytes + kMarkerBytes + 1 + 1 + 11 + 4;
inline constexpr uint64_t kFeatureCountOffset = kClassCountOffset + 1 + 1 + 13 + 4;

}  // namespace heron::inline v0::balsa

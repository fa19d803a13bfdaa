// Options of Balsa files.
#pragma once

#include <bit>
#include <cstdint>

namespace heron::inline v0 {

struct BalsaWriteOptions {
  std::endian order = std::endian::little;  // the byte order of the file
  // How many classes and features a forest has, 1 to 255. 0: as ForestShape, or the metadata of the
  // rows that convert() reads, says.
  uint64_t class_count = 0;
  uint64_t feature_count = 0;

  bool operator==(const BalsaWriteOptions&) const = default;
};

}  // namespace heron::inline v0

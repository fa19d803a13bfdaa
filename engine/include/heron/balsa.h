// Options of Balsa files.
#pragma once

#include <bit>

namespace heron::inline v0 {

struct BalsaWriteOptions {
  std::endian order = std::endian::little;  // the byte order of the file

  bool operator==(const BalsaWriteOptions&) const = default;
};

}  // namespace heron::inline v0

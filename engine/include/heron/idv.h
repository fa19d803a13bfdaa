// Options of IDV files.
#pragma once

#include <cstdint>

namespace heron::inline v0 {

struct IdvOpenOptions {
  // Show keys as the unsigned integers that are stored, 0 for null, instead of their values.
  bool stored_keys = false;

  bool operator==(const IdvOpenOptions&) const = default;
};

struct IdvWriteOptions {
  static constexpr int kDefaultCompression = -1;

  uint64_t block_rows = 0;  // rows in each column's block; 0: as ML.NET, fewer if rows are large
  int compression = kDefaultCompression;  // DEFLATE's level, 1 to 12; 0: none

  bool operator==(const IdvWriteOptions&) const = default;
};

}  // namespace heron::inline v0

// The file that is measured: opened by Heron, mapped plainly beside it for the bound, every page of
// both maps touched.
#pragma once

#include <cstdint>
#include <string>

#include "bound.h"
#include "heron/heron.h"

namespace heron::bench {

// Throws Error(Argument) if the file's columns are not the peers' ten.
struct PeersFile {
  PeersFile(std::string file_path, const OpenOptions& open_options);

  std::string path;
  OpenOptions options;
  std::shared_ptr<const Dataset> dataset;
  Projection all;
  uint64_t rows;

  Places places;
  PlainMap map;
  Columns columns;
};

// Column numbers: id, ts, f0..f3, d0, d1, flag, s.
inline constexpr uint64_t kId = 0, kTs = 1, kF0 = 2, kD0 = 6, kFlag = 8, kText = 9, kColumns = 10;
inline constexpr uint64_t kNumeric = 8;  // so many are numbers: id .. d1

// A projection of columns first .. last - 1.
Projection columns_between(const PeersFile& file, uint64_t first, uint64_t last);

}  // namespace heron::bench

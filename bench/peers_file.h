// A file of the peers' ten columns: Jay, or Arrow IPC that is not compressed.
#pragma once

#include "file.h"
#include "peers_bound.h"

namespace heron::bench {

struct PeersFile : MeasuredFile {
  // Throws Error(Argument) unless the file has the peers' ten columns in one record batch, or in
  // batches of a power of two rows.
  PeersFile(std::string file_path, const OpenOptions& open_options);

  std::vector<ColumnOffsets> offsets;  // of each record batch
  Batches batches;
};

// Column numbers: id, ts, f0..f3, d0, d1, flag, s.
inline constexpr uint64_t kId = 0, kTs = 1, kF0 = 2, kD0 = 6, kFlag = 8, kText = 9, kColumns = 10;
inline constexpr uint64_t kNumeric = 8;  // the number of numeric columns: id .. d1

}  // namespace heron::bench

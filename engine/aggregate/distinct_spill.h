// Distinct values that no longer fit a set: partitioned by hash into an unnamed file, so that the
// values of each partition fit memory on their own.
#pragma once

#include <array>
#include <vector>

#include "bytes/scratch_file.h"

namespace heron::inline v0 {

// Spills values by partition. One thread at a time. Throws Error(Write) if the disk is full.
class DistinctSpill {
 public:
  static constexpr uint64_t kPartitions = 64;

  DistinctSpill() : file_(temporary_path("distinct values")) {}

  // Writes values as records, all of one partition.
  void write(uint64_t partition, std::span<const std::byte> records) {
    if (records.empty()) return;
    file_.write_at(end_, records);
    extents_[partition].push_back({end_, records.size()});
    end_ += records.size();
  }
  void append(const DistinctSpill& other) {
    for (uint64_t partition = 0; partition < kPartitions; ++partition) {
      other.for_each(partition,
                     [&](std::span<const std::byte> records) { write(partition, records); });
    }
  }
  // Calls use(records) for each write(), in order.
  template <class Use>
  void for_each(uint64_t partition, Use use) const {
    std::vector<std::byte> records;
    for (const Extent& extent : extents_[partition]) {
      records.resize(extent.bytes);
      file_.read_at(extent.offset, records);
      use(std::span<const std::byte>(records));
    }
  }

 private:
  struct Extent {
    uint64_t offset, bytes;
  };

  ScratchFile file_;
  uint64_t end_ = 0;
  std::array<std::vector<Extent>, kPartitions> extents_;
};

}  // namespace heron::inline v0

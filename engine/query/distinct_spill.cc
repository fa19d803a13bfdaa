#include "query/distinct_spill.h"

namespace heron::inline v0 {

void DistinctSpill::write(uint64_t partition, std::span<const std::byte> records) {
  if (records.empty()) return;
  file_.write_at(end_, records);
  extents_[partition].push_back({end_, records.size()});
  end_ += records.size();
}

void DistinctSpill::append(const DistinctSpill& other) {
  for (uint64_t partition = 0; partition < kPartitions; ++partition) {
    other.for_each(partition,
                   [&](std::span<const std::byte> records) { write(partition, records); });
  }
}

}  // namespace heron::inline v0

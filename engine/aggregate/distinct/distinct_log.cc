#include "aggregate/distinct/distinct_log.h"

#include <algorithm>

namespace heron::inline v0 {

void DistinctLog::add_chunk(Partition& to, uint64_t record_bytes) {
  to.close();
  if (record_bytes <= chunk_bytes_ && !free_.empty()) {
    to.chunks.push_back(std::move(free_.back()));
    free_.pop_back();
  } else {
    const uint64_t bytes = std::max(record_bytes, chunk_bytes_);
    to.chunks.push_back({std::make_shared_for_overwrite<std::byte[]>(bytes), bytes, 0});
    bytes_ += bytes;
  }
  to.next = to.chunks.back().memory.get();
  to.left = to.chunks.back().bytes;
}

void DistinctLog::free_chunks(Partition& of) {
  of.close();
  for (Chunk& chunk : of.chunks) {
    if (chunk.bytes == chunk_bytes_ && chunk.memory.use_count() == 1)
      free_.push_back(std::move(chunk));
    else
      bytes_ -= chunk.bytes;
  }
  of.chunks.clear();
}

void DistinctLog::spill() {
  if (file_ == nullptr) file_ = std::make_shared<ScratchFile>(temporary_path("distinct values"));
  for (Partition& partition : partitions_) {
    for (const Chunk& chunk : partition.chunks) {
      const auto records = partition.bytes_of(chunk);
      file_->write_at(file_end_, records);
      partition.extents.push_back({file_, file_end_, records.size()});
      file_end_ += records.size();
    }
    partition.spilled += std::exchange(partition.records, 0);
    free_chunks(partition);
  }
}

void DistinctLog::append(const DistinctLog& other) {
  for (uint64_t i = 0; i < kPartitions; ++i) {
    const Partition& from = other.partitions_[i];
    Partition& to = partitions_[i];
    to.close();
    for (const Chunk& chunk : from.chunks) {
      to.chunks.push_back({chunk.memory, chunk.bytes, from.bytes_of(chunk).size()});
      bytes_ += chunk.bytes;
    }
    to.extents.insert(to.extents.end(), from.extents.begin(), from.extents.end());
    to.records += from.records;
    to.spilled += from.spilled;
  }
}

void DistinctLog::clear_memory(uint64_t partition) {
  partitions_[partition].records = 0;
  free_chunks(partitions_[partition]);
}

}  // namespace heron::inline v0

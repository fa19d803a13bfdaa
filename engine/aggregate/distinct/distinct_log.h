// Values that are counted later: each is appended to the records of its partition, by hash,
// without a look at the values before it. The values of a partition fit the caches, or memory, on
// their own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "bytes/scratch_file.h"

namespace heron::inline v0 {

// Records of any bytes in partitions, in memory and, beyond that, in an unnamed file. One thread at
// a time.
class DistinctLog {
 public:
  static constexpr uint64_t kPartitions = 256;

  // Memory of a partition grows by chunk_bytes, or by a record if that is longer.
  explicit DistinctLog(uint64_t chunk_bytes) : chunk_bytes_(chunk_bytes) {}

  // Adds a record to a partition; the caller writes its bytes, at least one, to the memory
  // returned.
  std::byte* add(uint64_t partition, uint64_t bytes) {
    Partition& to = partitions_[partition];
    if (bytes > to.left) add_chunk(to, bytes);
    ++to.records;
    to.left -= bytes;
    return std::exchange(to.next, to.next + bytes);
  }
  // Moves all records to the file. Throws Error(Write) if the disk is full.
  void spill();
  // Adds the records of another log, whose memory and file both use from then on.
  void append(const DistinctLog& other);
  // Calls use(records) for all records of a partition, some at a time.
  template <class Use>
  void for_each(uint64_t partition, Use use) const {
    std::vector<std::byte> records;
    for (const Extent& extent : partitions_[partition].extents) {
      records.resize(extent.bytes);
      extent.file->read_at(extent.offset, records);
      use(std::span<const std::byte>(records));
    }
    for_each_in_memory(partition, use);
  }
  template <class Use>
  void for_each_in_memory(uint64_t partition, Use use) const {
    const Partition& from = partitions_[partition];
    for (const Chunk& chunk : from.chunks) use(from.bytes_of(chunk));
  }
  // Drops the records of a partition that are in memory.
  void clear_memory(uint64_t partition);
  // Return the number of records in a partition, and the number of its records in memory.
  uint64_t records(uint64_t partition) const noexcept {
    return partitions_[partition].records + partitions_[partition].spilled;
  }
  uint64_t records_in_memory(uint64_t partition) const noexcept {
    return partitions_[partition].records;
  }
  // Return the bytes of memory held, and the bytes of it in use.
  uint64_t bytes() const noexcept { return bytes_; }
  uint64_t used_bytes() const noexcept { return bytes_ - free_.size() * chunk_bytes_; }

 private:
  struct Chunk {
    std::shared_ptr<std::byte[]> memory;
    uint64_t bytes;
    uint64_t used;  // bytes of records, if it is closed
  };
  struct Extent {
    std::shared_ptr<const ScratchFile> file;
    uint64_t offset, bytes;
  };
  struct Partition {
    std::byte* next = nullptr;  // the next record's memory, in the last chunk; null: it is closed
    uint64_t left = 0;          // bytes from there to the end of the chunk
    uint64_t records = 0;       // records in memory
    uint64_t spilled = 0;       // records in files
    std::vector<Chunk> chunks;
    std::vector<Extent> extents;

    std::span<const std::byte> bytes_of(const Chunk& chunk) const noexcept {
      const bool is_open = next != nullptr && &chunk == &chunks.back();
      return {chunk.memory.get(), is_open ? chunk.bytes - left : chunk.used};
    }
    // Closes the last chunk if it is open.
    void close() noexcept {
      if (next != nullptr) chunks.back().used = bytes_of(chunks.back()).size();
      next = nullptr;
      left = 0;
    }
  };

  void add_chunk(Partition& to, uint64_t record_bytes);
  void free_chunks(Partition& of);

  uint64_t chunk_bytes_;
  uint64_t bytes_ = 0;
  std::vector<Chunk> free_;  // free chunks, each of chunk_bytes_
  std::shared_ptr<ScratchFile> file_;
  uint64_t file_end_ = 0;
  std::array<Partition, kPartitions> partitions_;
};

}  // namespace heron::inline v0

// The text of blocks of rows, divided into records and fields once for all columns. Columns convert
// their own fields of it (field_blocks.h), and those values go to the cache of decoded blocks; the
// texts stay in memory while the columns of the same rows are read one after the other.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "csv/record_reader.h"
#include "csv/row_index.h"

namespace heron::inline v0::csv {

// The rows of one block. Immutable.
class TextBlock {
 public:
  // Reads `bytes` of the file from `offset` on. Throws Error: Io, Limit, Changed; Corrupt unless
  // the text has `rows` records of `columns` fields.
  TextBlock(const ByteSource& source, uint64_t offset, uint64_t bytes, const RecordRules& rules,
            uint64_t columns, uint64_t rows, const std::shared_ptr<MemoryBudget>& memory,
            const Context& context);

  const Records& records() const noexcept { return records_; }
  TextPosition position(const ByteSource& source, const Context& context) const noexcept {
    return {source, data_, offset_, context};
  }
  uint64_t held_bytes() const noexcept { return memory_.held_bytes(); }

 private:
  void find_records(uint64_t bytes, const RecordRules& rules, uint64_t columns, uint64_t rows,
                    const TextPosition& position);

  Arena memory_;
  uint64_t offset_;
  char* data_ = nullptr;
  Records records_;
};

// The most recently used blocks of one file. Thread-safe.
class TextBlocks {
 public:
  // Caches up to `most_bytes`, and always the last block, charged to `memory`.
  TextBlocks(std::shared_ptr<const ByteSource> source, RowIndex index, const RecordRules& rules,
             uint64_t columns, uint64_t most_bytes, std::shared_ptr<MemoryBudget> memory)
      : source_(std::move(source)),
        index_(std::move(index)),
        rules_(rules),
        columns_(columns),
        most_bytes_(most_bytes),
        memory_(std::move(memory)),
        divisions_(index_.offsets.size()) {}

  const ByteSource& source() const noexcept { return *source_; }
  const RowIndex& index() const noexcept { return index_; }
  char separator() const noexcept { return rules_.syntax.separator; }
  // Reads the block's text and divides it, at some GB/s, unless it is cached. Waits while another
  // thread divides it.
  std::shared_ptr<const TextBlock> block(uint64_t number, const Context& context) const;
  // Returns how often the block was divided so far: more than once if columns are read one after
  // the other over more blocks than are cached.
  uint64_t divisions(uint64_t number) const noexcept {
    return divisions_[number].load(std::memory_order_relaxed);
  }
  // Returns how often all blocks were divided, repeats included.
  uint64_t all_divisions() const noexcept { return all_divisions_.load(std::memory_order_relaxed); }

 private:
  struct Cached {
    uint64_t number;
    std::shared_ptr<const TextBlock> block;
  };

  std::shared_ptr<const TextBlock> find_or_claim(uint64_t number) const;
  void give_up(uint64_t number) const;
  std::shared_ptr<const TextBlock> read_within_budget(uint64_t number,
                                                      const Context& context) const;
  std::shared_ptr<const TextBlock> read(uint64_t number, const Context& context) const;
  void drop_beyond(uint64_t most_bytes) const;

  const std::shared_ptr<const ByteSource> source_;
  const RowIndex index_;
  const RecordRules rules_;
  const uint64_t columns_;
  const uint64_t most_bytes_;
  const std::shared_ptr<MemoryBudget> memory_;
  mutable std::atomic<uint64_t> all_divisions_{0};
  mutable std::vector<std::atomic<uint8_t>> divisions_;  // divisions of each block, up to 255

  mutable std::mutex mutex_;          // guards the members below
  mutable std::list<Cached> cached_;  // the most recently used block is first
  mutable std::unordered_map<uint64_t, std::list<Cached>::iterator> by_number_;
  mutable uint64_t held_bytes_ = 0;
  mutable std::set<uint64_t> loading_;  // blocks that one thread divides while others wait for them
  mutable std::condition_variable loaded_;
};

}  // namespace heron::inline v0::csv

// Sorts records, which are byte strings: more of them than fit memory, or only the first ones. It
// is the one sort of the engine; values/sort_keys.h makes byte strings that sort as values do.
//
// Records are collected up to a limit, then sorted and spilled as a run to an unnamed file; runs
// are merged, in several steps if there are many. If everything fits, nothing is written.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/zeroed_array.h"
#include "bytes/scratch_file.h"
#include "heron/context.h"
#include "rows/charge.h"

namespace heron::inline v0 {

class SortedRecords;

struct SortOptions {
  uint64_t limit = UINT64_MAX;         // only the first `limit` records are returned
  uint64_t memory_bytes = UINT64_MAX;  // records beyond that are spilled
  std::string path = {};               // the file of spilled records, as errors name it
  bool numbers = false;                // records are pairs of numbers, added as such
};

// Returns the memory of a sort: `most` bytes, or at most a quarter of the Context's budget.
uint64_t sort_memory(uint64_t most, const Context& context) noexcept;

// One thread at a time; sorts on the Context's threads. Its memory is charged to the Context's
// budget. Throws Error: Limit, Cancelled, Write if the disk is full.
class Sorter {
 public:
  Sorter(SortOptions options, const Context& context);

  // Adds the record made of these parts. If no key is a prefix of another, records are ordered by
  // key, then by `rest`.
  void add(std::string_view key, std::string_view rest, std::string_view tail = {});
  // Adds a record of 16 bytes: both numbers, big-endian. Without a limit; nothing is spilled before
  // the records are moved to another sorter.
  void add(uint64_t key, uint64_t number) { entries_.push_back({key, number}); }
  // Moves the records of `others` here; none of them may be spilled.
  void add(Sorter&& others);
  // Returns a record behind which none is needed; empty: not known yet. Records behind it that are
  // added later may be left out.
  const std::string& bound() const noexcept { return bound_; }
  void set_bound(std::string bound) { bound_ = std::move(bound); }

  // Sorts the records: called after the last one, before SortedRecords reads them.
  void finish();
  // Returns how many records SortedRecords gives.
  uint64_t size() const noexcept { return std::min(options_.limit, entries_.size() + spilled_); }
  bool has_spilled() const noexcept { return !levels_.empty(); }

 private:
  friend class SortedRecords;
  struct Entry {
    uint64_t prefix;  // 8 bytes of the record after the shared ones; they decide most comparisons
    uint64_t rest;    // the record's address; the second number if records are pairs
  };
  // Runs one after the other in a file.
  struct Level {
    struct Run {
      uint64_t first, last;  // bytes of the file
    };
    std::unique_ptr<ScratchFile> file;
    uint64_t bytes = 0;
    std::vector<Run> runs;
  };

  char* allocate(uint64_t bytes);
  uint64_t store(std::string_view key, std::string_view rest, std::string_view tail);
  void after_adding();
  // Sets a lower bound of the bytes that all records in memory share.
  void share(uint64_t bytes);
  // Drops all but the first `limit` records in memory, and sets the bound.
  void prune();
  void sort();
  void spill();
  void write_run(uint64_t level, SortedRecords&& records);

  SortOptions options_;
  Context context_;
  const uint64_t most_runs_;  // max runs of a level
  std::vector<ZeroedArray<Entry>> parts_;  // pairs of others, until they are sorted
  uint64_t pairs_ = 0;                     // in parts_
  ZeroedArray<Entry> entries_;
  uint64_t shared_ = 0;  // bytes at the beginning of all records in memory
  std::vector<std::unique_ptr<char[]>> blocks_;  // with the records in memory
  char* next_ = nullptr;                         // in the last block that this allocated
  uint64_t free_ = 0, block_ = 0;                // bytes left in that block; bytes of it
  uint64_t held_ = 0;                            // bytes of all blocks
  Charge charge_;
  std::string bound_;
  std::vector<Level> levels_;
  uint64_t spilled_ = 0;  // records
};

// Reads the records in order. The sorter, finished, must outlive this; several of these may read it
// at once, each on one thread.
class SortedRecords {
 public:
  explicit SortedRecords(const Sorter& sorter);
  SortedRecords(SortedRecords&&) = default;

  // The record is valid until the next call. Returns false at the end.
  bool next(std::string_view& record);

 private:
  friend class Sorter;
  // A cursor to the next record of a run.
  struct Cursor {
    const ScratchFile* file;
    uint64_t next, last;  // range of the file after the buffer
    std::vector<std::byte> buffer = {};
    uint64_t used = 0;  // bytes of the buffer already read
    uint64_t prefix = 0;
    std::string_view record = {};  // in the buffer
  };

  SortedRecords(std::span<const Sorter::Level> levels, const SortOptions& options);
  SortedRecords(std::span<const Sorter::Entry> entries, bool numbers);
  bool advance(Cursor& cursor) const;
  // Makes `bytes` bytes from `used` on available in the buffer.
  void fill(Cursor& cursor, uint64_t bytes) const;
  // Restores the order of the heap after its first cursor has changed.
  void sift();

  std::span<const Sorter::Entry> entries_;  // the records, if nothing was spilled
  bool numbers_ = false;  // the entries are the records
  std::array<char, 16> pair_{};
  uint64_t given_ = 0, limit_;
  uint64_t read_bytes_ = 0;  // bytes to read of each run at a time
  std::vector<Cursor> cursors_;
  std::vector<Cursor*> heap_;  // the cursor with the first record is in front
};

// Converts a number to bytes that sort as it does, for the rest of a record; number_at_end()
// converts them back.
std::array<char, 8> sortable(uint64_t number) noexcept;
inline std::string_view view(const std::array<char, 8>& bytes) { return {bytes.data(), 8}; }
uint64_t number_at_end(std::string_view record) noexcept;

}  // namespace heron::inline v0

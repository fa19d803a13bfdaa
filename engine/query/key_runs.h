// Sorted runs of rows with their keys, spilled to an unnamed file in TMPDIR, and their merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bytes/scratch_file.h"

namespace heron::inline v0 {

// First written, run after run, then merged. One thread at a time. Throws Error(Write) where the
// disk has no room.
class KeyRuns {
 public:
  KeyRuns() : file_(temporary_path("keys of rows")) {}

  // The rows of a run come in its order: by key, equal keys by row.
  void add(std::string_view key, uint64_t row);
  void end_run();

  uint64_t rows() const noexcept { return rows_; }

 private:
  friend class KeyMerge;
  struct Run {
    uint64_t first, last;  // bytes of the file
  };

  void flush();

  ScratchFile file_;
  std::vector<std::byte> buffer_;  // still to be written
  uint64_t written_ = 0;
  uint64_t run_begin_ = 0;
  uint64_t rows_ = 0;
  std::vector<Run> runs_;
};

// The rows of all runs in order. Holds a buffer for each run: 64 KiB, or what its longest key needs.
class KeyMerge {
 public:
  // The runs must outlive it.
  explicit KeyMerge(const KeyRuns& runs);

  // False at the end.
  bool next(uint64_t& row);

 private:
  struct Cursor {
    uint64_t next, last;  // bytes of the file that are not in the buffer
    std::vector<std::byte> buffer;
    uint64_t used = 0;  // bytes of the buffer
    uint64_t row = 0;
    std::string_view key;  // in the buffer
  };

  // Goes to the cursor's next row; false at the end of its run.
  bool advance(Cursor& cursor) const;
  // Makes `bytes` bytes from `used` on available.
  void fill(Cursor& cursor, uint64_t bytes) const;

  const ScratchFile& file_;
  std::vector<Cursor> cursors_;
  std::vector<Cursor*> heap_;
};

}  // namespace heron::inline v0

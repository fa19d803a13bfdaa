// Sorted runs of rows with their keys, spilled to an unnamed file in TMPDIR, and their merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bytes/scratch_file.h"

namespace heron::inline v0 {

// Written first, run after run, then merged. One thread at a time. Throws Error(Write) if the disk
// is full.
class KeyRuns {
 public:
  KeyRuns() : file_(temporary_path("keys of rows")) {}

  // Rows of a run must come in order: by key, and for equal keys by row.
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
  std::vector<std::byte> buffer_;  // not written yet
  uint64_t written_ = 0;
  uint64_t run_begin_ = 0;
  uint64_t rows_ = 0;
  std::vector<Run> runs_;
};

// The rows of all runs in order. Holds a buffer per run: 64 KiB, or as much as its longest key
// needs.
class KeyMerge {
 public:
  // The runs must outlive this.
  explicit KeyMerge(const KeyRuns& runs);

  // Returns false at the end.
  bool next(uint64_t& row);

 private:
  struct Cursor {
    uint64_t next, last;  // bytes of the file after the buffer
    std::vector<std::byte> buffer;
    uint64_t used = 0;  // bytes of the buffer already read
    uint64_t row = 0;
    std::string_view key;  // in the buffer
  };

  // Moves to the cursor's next row; returns false at the end of its run.
  bool advance(Cursor& cursor) const;
  // Makes `bytes` bytes from `used` on available in the buffer.
  void fill(Cursor& cursor, uint64_t bytes) const;

  const ScratchFile& file_;
  std::vector<Cursor> cursors_;
  std::vector<Cursor*> heap_;
};

}  // namespace heron::inline v0

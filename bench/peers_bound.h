// The lower bound of the ops on the peers' ten columns on this machine: plain loops over the same
// bytes of the same file in a plain map, compiled for this CPU. They check nothing (no nulls, no
// damage, no change of the file) and are given the columns' offsets. A text is a start offset, an
// end offset and the characters between them. The rows are in one piece, as in Jay, or in record
// batches, as Arrow IPC files have them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plain.h"

namespace heron::bench {

inline constexpr uint64_t kSampleRows = 256;

// One row of the ten columns as native values; a text is its offsets.
struct Row {
  int64_t ts;
  double d[2];
  float f[4];
  int32_t id;
  bool flag;
  char text_front, text_back;  // copied so that the characters are fetched
  uint32_t text_bytes;
  const char* text;
};

inline void set_text(const char* text, uint64_t bytes, Row& row) {
  row.text = text;
  row.text_bytes = static_cast<uint32_t>(bytes);
  row.text_front = bytes == 0 ? '\0' : text[0];
  row.text_back = bytes == 0 ? '\0' : text[bytes - 1];
}

// Offsets of a record batch's columns in the file.
struct ColumnOffsets {
  uint64_t rows;
  uint64_t id, ts, f[4], d[2], flag, text_offsets, characters;
  bool flag_bits;  // a flag is a bit, else a byte
};

// The columns of a record batch in a mapping, or of selected rows in memory.
struct Columns {
  Columns() = default;
  Columns(const PlainMap& map, const ColumnOffsets& offsets);

  bool is_set(uint64_t row) const {
    return (flag_bits ? flag[row / 8] >> row % 8 & 1 : flag[row]) != 0;
  }

  uint64_t rows;
  const int32_t* id;
  const int64_t* ts;
  const float* f[4];
  const double* d[2];
  const uint8_t* flag;
  const uint32_t* text_offsets;
  const char* characters;
  bool flag_bits = false;
};

// All rows of a file: one batch, or batches of 2^shift rows, of which the last may have fewer.
struct Batches {
  const Columns& of(uint64_t row) const { return batches[row >> shift]; }
  uint64_t within(uint64_t row) const { return row & ((uint64_t{1} << shift) - 1); }

  // Calls part(columns, first, last, row number of the batch's first row) for the parts of rows
  // first .. last - 1, which are numbered in their batch.
  template <class Part>
  void each(uint64_t first, uint64_t last, Part part) const {
    while (first < last) {
      const Columns& columns = of(first);
      const uint64_t begin = first - within(first);
      const uint64_t end = last < begin + columns.rows ? last : begin + columns.rows;
      part(columns, first - begin, end - begin, begin);
      first = end;
    }
  }

  uint64_t rows = 0;
  unsigned shift = 63;
  std::vector<Columns> batches;
};

// Some rows of all columns; text i lies in characters[text_offsets[i] .. text_offsets[i + 1]).
struct Taken {
  std::vector<int32_t> id;
  std::vector<int64_t> ts;
  std::vector<float> f[4];
  std::vector<double> d[2];
  std::vector<uint8_t> flag;
  std::vector<uint32_t> text_offsets;
  std::vector<char> characters;
  std::vector<const char*> text_starts;  // of the texts in the file

  uint64_t rows() const { return id.size(); }
};

struct Sampled {
  float f[4][kSampleRows];
  double d[2][kSampleRows];
  uint8_t flag[kSampleRows];
};

struct Totals {
  double id, ts, f[4], d[2];
  uint64_t flags;
  uint64_t texts_with_ab;  // texts that start with "ab"
};

// Touches what opening a Jay or Arrow file and reading its first row must touch: both ends, every
// page of the record at the end (Jay's, or the footer), the first cell of each column.
void touch_first_row(const PlainMap& map, const ColumnOffsets& first_batch, Row& row);

void read_row(const Batches& batches, uint64_t row, Row& out);
// Reads rows one by one; returns the sum of their ids.
int64_t read_rows(const Batches& batches, std::span<const uint64_t> rows);
void take(const Batches& batches, std::span<const uint64_t> rows, Taken& out);
// Gathers kSampleRows rows and prefetches those of `next`.
void sample(const Batches& batches, const uint64_t* rows, const uint64_t* next, Sampled& out);
// Copies kSampleRows rows of a matrix, of kEpochColumns each, and prefetches those of `next`.
inline constexpr uint64_t kEpochColumns = 6;
void gather(std::span<const float> matrix, const uint64_t* rows, const uint64_t* next, float* out);
// Finds existing keys and reads their rows; returns the sum of their ids.
int64_t look_up(const Batches& batches, std::span<const int64_t> keys);
// The sums of f0 and of d0.
double sum_f0(const Batches& batches);
double sum_d0(const Batches& batches);
// Writes d0 * 1.2 to `batch`, its size at a time; returns the sum of the last values of each time.
double compute(const Batches& batches, std::vector<double>& batch);
Totals full_scan(const Batches& batches);
Totals full_scan(const Columns& columns);
Totals full_scan_but_flags(const Columns& columns);
Totals operator+(const Totals& a, const Totals& b);

}  // namespace heron::bench

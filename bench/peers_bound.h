// The lower bound of the ops on the peers' ten columns on this machine: plain loops over the same
// bytes of the same file in a plain map, compiled for this CPU. They check nothing (no nulls, no
// damage, no change of the file) and are given the columns' offsets. A text is a start offset, an
// end offset and the characters between them.
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

// Offsets of the columns in the file.
struct ColumnOffsets {
  uint64_t id, ts, f[4], d[2], flag, text_offsets, characters;
};

// The columns in a mapping.
struct Columns {
  Columns() = default;
  Columns(const PlainMap& map, const ColumnOffsets& offsets, uint64_t row_count);

  uint64_t rows;
  const int32_t* id;
  const int64_t* ts;
  const float* f[4];
  const double* d[2];
  const uint8_t* flag;
  const uint32_t* text_offsets;
  const char* characters;
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
  std::vector<uint32_t> text_starts;  // offsets of the texts in the file

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

// Touches what opening a Jay file and reading its first row must touch: both ends, every page of
// the record, the first cell of each column.
void touch_first_row(const PlainMap& map, const ColumnOffsets& offsets, Row& row);

void read_row(const Columns& columns, uint64_t row, Row& out);
// Reads rows one by one; returns the sum of their ids.
int64_t read_rows(const Columns& columns, std::span<const uint64_t> rows);
void take(const Columns& columns, std::span<const uint64_t> rows, Taken& out);
// Gathers kSampleRows rows and prefetches those of `next`.
void sample(const Columns& columns, const uint64_t* rows, const uint64_t* next, Sampled& out);
// Copies kSampleRows rows of a matrix, of kEpochColumns each, and prefetches those of `next`.
inline constexpr uint64_t kEpochColumns = 6;
void gather(std::span<const float> matrix, const uint64_t* rows, const uint64_t* next, float* out);
// Finds existing keys and reads their rows; returns the sum of their ids.
int64_t look_up(const Columns& columns, std::span<const int64_t> keys);
double sum(std::span<const float> values);
double sum(std::span<const double> values);
Totals full_scan(const Columns& columns);
Totals full_scan_but_flags(const Columns& columns);

}  // namespace heron::bench

#include "peers_bound.h"

#include <algorithm>
#include <cstring>

namespace heron::bench {
namespace {

constexpr uint64_t kSearches = 20;  // searches that run at once
constexpr uint64_t kPage = 4096;
constexpr uint64_t kTailBytes = 16;  // end of a Jay file: the record's size, the signature

template <class T>
void gather(const T* column, std::span<const uint64_t> rows, std::vector<T>& out) {
  out.resize(rows.size());
  const uint64_t fetched = rows.size() - std::min<uint64_t>(kAhead, rows.size());
  for (uint64_t i = 0; i < fetched; ++i) {
    __builtin_prefetch(column + rows[i + kAhead]);
    out[i] = column[rows[i]];
  }
  for (uint64_t i = fetched; i < rows.size(); ++i) out[i] = column[rows[i]];
}

// Gathers offsets first, then characters, so that both are prefetched. Copies a text 16 bytes at a
// time.
void gather_texts(const Columns& columns, std::span<const uint64_t> rows, Taken& out) {
  constexpr uint64_t kStep = 16;
  const uint32_t* offsets = columns.text_offsets;
  out.text_starts.resize(rows.size() + kAhead);
  uint32_t* starts = out.text_starts.data();
  out.text_offsets.resize(rows.size() + 1);
  uint32_t end = 0;
  for (uint64_t i = 0; i < rows.size(); ++i) {
    if (i + kAhead < rows.size()) __builtin_prefetch(offsets + rows[i + kAhead]);
    out.text_offsets[i] = end;
    starts[i] = offsets[rows[i]];
    end += offsets[rows[i] + 1] - starts[i];
  }
  out.text_offsets[rows.size()] = end;
  out.characters.resize(end + kStep);
  for (uint64_t i = 0; i < rows.size(); ++i) {
    __builtin_prefetch(columns.characters + starts[i + kAhead]);
    const uint32_t text_bytes = out.text_offsets[i + 1] - out.text_offsets[i];
    const char* from = columns.characters + starts[i];
    char* to = out.characters.data() + out.text_offsets[i];
    for (uint32_t at = 0; at < text_bytes; at += kStep) std::memcpy(to + at, from + at, kStep);
  }
}

template <class T>
void gather_batch(const T* column, const uint64_t* rows, const uint64_t* next, T* out) {
  for (uint64_t i = 0; i < kSampleRows; ++i) {
    __builtin_prefetch(column + next[i]);
    out[i] = column[rows[i]];
  }
}

constexpr uint64_t kLanes = 32;

// Sums in double, in lanes that the compiler vectorizes; kDeep values of a lane are first summed as
// T, because widening every float costs a third more than the sum itself.
template <class T>
double sum_lanes(std::span<const T> values) {
  constexpr uint64_t kDeep = sizeof(T) < sizeof(double) ? 4 : 1;
  constexpr uint64_t kStep = kLanes * kDeep;
  double lanes[kLanes] = {};
  const uint64_t whole = values.size() / kStep * kStep;
  for (uint64_t i = 0; i < whole; i += kStep) {
    T few[kLanes];
    for (uint64_t lane = 0; lane < kLanes; ++lane) few[lane] = values[i + lane];
    for (uint64_t deep = kLanes; deep < kStep; deep += kLanes) {
      for (uint64_t lane = 0; lane < kLanes; ++lane) few[lane] += values[i + deep + lane];
    }
    for (uint64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += static_cast<double>(few[lane]);
  }
  double total = 0;
  for (const double lane : lanes) total += lane;
  for (uint64_t i = whole; i < values.size(); ++i) total += static_cast<double>(values[i]);
  return total;
}

// Sums in blocks that are small enough that no sum of the peers' values overflows in one.
template <class T>
double sum_integers(const T* values, uint64_t count) {
  constexpr uint64_t kBlock = 65536;
  double total = 0;
  for (uint64_t first = 0; first < count; first += kBlock) {
    const uint64_t last = std::min(first + kBlock, count);
    int64_t block = 0;
    for (uint64_t i = first; i < last; ++i) block += values[i];
    total += static_cast<double>(block);
  }
  return total;
}

uint64_t count_ab(const Columns& columns) {
  constexpr uint16_t kAb = 'a' | 'b' << 8;
  uint64_t count = 0;
  for (uint64_t i = 0; i < columns.rows; ++i) {
    const uint32_t start = columns.text_offsets[i];
    uint16_t head;
    std::memcpy(&head, columns.characters + start, sizeof head);
    count += (head == kAb) & (columns.text_offsets[i + 1] - start >= 2);
  }
  return count;
}

}  // namespace

Columns::Columns(const PlainMap& map, const ColumnOffsets& offsets, uint64_t row_count)
    : rows(row_count) {
  const auto at = [&map]<class T>(uint64_t offset, const T*& column) {
    column = reinterpret_cast<const T*>(map.base() + offset);
  };
  at(offsets.id, id);
  at(offsets.ts, ts);
  for (int k = 0; k < 4; ++k) at(offsets.f[k], f[k]);
  for (int k = 0; k < 2; ++k) at(offsets.d[k], d[k]);
  at(offsets.flag, flag);
  at(offsets.text_offsets, text_offsets);
  at(offsets.characters, characters);
}

void touch_first_row(const PlainMap& map, const ColumnOffsets& offsets, Row& row) {
  const std::byte* end = map.base() + map.bytes();
  keep(load<uint64_t>(map.base()));
  const auto record_bytes = load<uint64_t>(end - kTailBytes);
  for (uint64_t at = 0; at < record_bytes; at += kPage)
    keep(load<uint8_t>(end - kTailBytes - record_bytes + at));
  read_row(Columns(map, offsets, 1), 0, row);
}

void read_row(const Columns& columns, uint64_t row, Row& out) {
  out.id = columns.id[row];
  out.ts = columns.ts[row];
  for (int k = 0; k < 4; ++k) out.f[k] = columns.f[k][row];
  for (int k = 0; k < 2; ++k) out.d[k] = columns.d[k][row];
  out.flag = columns.flag[row] != 0;
  const uint32_t start = columns.text_offsets[row];
  set_text(columns.characters + start, columns.text_offsets[row + 1] - start, out);
}

int64_t read_rows(const Columns& columns, std::span<const uint64_t> rows) {
  int64_t ids = 0;
  Row out;
  for (const uint64_t row : rows) {
    read_row(columns, row, out);
    keep(out);
    ids += out.id;
  }
  return ids;
}

void take(const Columns& columns, std::span<const uint64_t> rows, Taken& out) {
  gather(columns.id, rows, out.id);
  gather(columns.ts, rows, out.ts);
  for (int k = 0; k < 4; ++k) gather(columns.f[k], rows, out.f[k]);
  for (int k = 0; k < 2; ++k) gather(columns.d[k], rows, out.d[k]);
  gather(columns.flag, rows, out.flag);
  gather_texts(columns, rows, out);
}

void gather(std::span<const float> matrix, const uint64_t* rows, const uint64_t* next, float* out) {
  for (uint64_t i = 0; i < kSampleRows; ++i) {
    const float* ahead = matrix.data() + next[i] * kEpochColumns;
    __builtin_prefetch(ahead);
    __builtin_prefetch(ahead + kEpochColumns - 1);
    std::memcpy(out + i * kEpochColumns, matrix.data() + rows[i] * kEpochColumns,
                kEpochColumns * sizeof(float));
  }
}

void sample(const Columns& columns, const uint64_t* rows, const uint64_t* next, Sampled& out) {
  for (int k = 0; k < 4; ++k) gather_batch(columns.f[k], rows, next, out.f[k]);
  for (int k = 0; k < 2; ++k) gather_batch(columns.d[k], rows, next, out.d[k]);
  gather_batch(columns.flag, rows, next, out.flag);
}

// Runs binary searches without branches, many at once so that their cache misses overlap. A search
// starts with first = 0 and keeps the key in first .. first + left - 1.
int64_t look_up(const Columns& columns, std::span<const int64_t> keys) {
  const int32_t* id = columns.id;
  int64_t ids = 0;
  Row out;
  for (uint64_t group = 0; group < keys.size(); group += kSearches) {
    const uint64_t searches = std::min(kSearches, keys.size() - group);
    uint64_t first[kSearches] = {};
    for (uint64_t left = columns.rows; left > 1; left -= left / 2) {
      const uint64_t half = left / 2;
      const uint64_t next_half = (left - half) / 2;
      for (uint64_t k = 0; k < searches; ++k) {
        first[k] += id[first[k] + half] <= keys[group + k] ? half : 0;
        __builtin_prefetch(id + first[k] + next_half);
      }
    }
    for (uint64_t k = 0; k < searches; ++k) {
      read_row(columns, first[k], out);
      keep(out);
      ids += out.id;
    }
  }
  return ids;
}

double sum(std::span<const float> values) {
  return sum_lanes(values);
}
double sum(std::span<const double> values) {
  return sum_lanes(values);
}

Totals full_scan_but_flags(const Columns& columns) {
  const uint64_t rows = columns.rows;
  Totals totals = {};
  totals.id = sum_integers(columns.id, rows);
  totals.ts = sum_integers(columns.ts, rows);
  for (int k = 0; k < 4; ++k) totals.f[k] = sum_lanes(std::span(columns.f[k], rows));
  for (int k = 0; k < 2; ++k) totals.d[k] = sum_lanes(std::span(columns.d[k], rows));
  totals.texts_with_ab = count_ab(columns);
  return totals;
}

Totals full_scan(const Columns& columns) {
  Totals totals = full_scan_but_flags(columns);
  for (uint64_t i = 0; i < columns.rows; ++i) totals.flags += columns.flag[i];
  return totals;
}

}  // namespace heron::bench

#include "peers_bound.h"

#include <algorithm>
#include <cstring>

namespace heron::bench {
namespace {

constexpr uint64_t kSearches = 20;  // searches that run at once
constexpr uint64_t kPage = 4096;

// Where the cells of a column are: in one array, or in an array a batch.
template <class T>
struct OneArray {
  const T* at(uint64_t row) const { return cells + row; }

  const T* cells;
};
template <class T, class Of>
struct ArrayABatch {
  const T* at(uint64_t row) const { return of(batches[row >> shift]) + (row & mask); }

  const Columns* batches;
  Of of;
  unsigned shift;
  uint64_t mask;
};

// Calls work(cells) with the cells of a column, of which `of` returns those of a batch.
template <class T, class Of, class Work>
void with_cells(const Batches& batches, Of of, Work work) {
  const std::vector<Columns>& all = batches.batches;
  if (all.size() == 1) return work(OneArray<T>{of(all[0])});
  work(ArrayABatch<T, Of>{all.data(), of, batches.shift, (uint64_t{1} << batches.shift) - 1});
}

template <class Cells, class T>
void gather(const Cells cells, std::span<const uint64_t> rows, std::vector<T>& out) {
  out.resize(rows.size());
  const uint64_t fetched = rows.size() - std::min<uint64_t>(kAhead, rows.size());
  for (uint64_t i = 0; i < fetched; ++i) {
    __builtin_prefetch(cells.at(rows[i + kAhead]));
    out[i] = *cells.at(rows[i]);
  }
  for (uint64_t i = fetched; i < rows.size(); ++i) out[i] = *cells.at(rows[i]);
}

template <class T, class Of>
void gather(const Batches& batches, Of of, std::span<const uint64_t> rows, std::vector<T>& out) {
  with_cells<T>(batches, of, [&](const auto cells) { gather(cells, rows, out); });
}

// Bits, which come to bytes.
void gather_flags(const Batches& batches, std::span<const uint64_t> rows,
                  std::vector<uint8_t>& out) {
  const auto of = [](const Columns& columns) { return columns.flag; };
  if (!batches.batches[0].flag_bits) return gather(batches, of, rows, out);
  out.resize(rows.size());
  for (uint64_t i = 0; i < rows.size(); ++i) {
    const uint64_t ahead = rows[std::min(i + kAhead, rows.size() - 1)];
    __builtin_prefetch(batches.of(ahead).flag + batches.within(ahead) / 8);
    out[i] = batches.of(rows[i]).is_set(batches.within(rows[i]));
  }
}

// Gathers offsets first, then characters, so that both are prefetched. Copies a text 16 bytes at a
// time.
void gather_texts(const Batches& batches, std::span<const uint64_t> rows, Taken& out) {
  constexpr uint64_t kStep = 16;
  out.text_starts.resize(rows.size() + kAhead);
  const char** starts = out.text_starts.data();
  out.text_offsets.resize(rows.size() + 1);
  uint32_t end = 0;
  const auto of = [](const Columns& columns) { return columns.text_offsets; };
  with_cells<uint32_t>(batches, of, [&](const auto offsets) {
    for (uint64_t i = 0; i < rows.size(); ++i) {
      if (i + kAhead < rows.size()) __builtin_prefetch(offsets.at(rows[i + kAhead]));
      out.text_offsets[i] = end;
      const uint32_t* extent = offsets.at(rows[i]);
      starts[i] = batches.of(rows[i]).characters + extent[0];
      end += extent[1] - extent[0];
    }
  });
  out.text_offsets[rows.size()] = end;
  out.characters.resize(end + kStep);
  for (uint64_t i = 0; i < rows.size(); ++i) {
    __builtin_prefetch(starts[i + kAhead]);
    const uint32_t text_bytes = out.text_offsets[i + 1] - out.text_offsets[i];
    const char* from = starts[i];
    char* to = out.characters.data() + out.text_offsets[i];
    for (uint32_t at = 0; at < text_bytes; at += kStep) std::memcpy(to + at, from + at, kStep);
  }
}

template <class T, class Of>
void gather_batch(const Batches& batches, Of of, const uint64_t* rows, const uint64_t* next,
                  T* out) {
  with_cells<T>(batches, of, [=](const auto cells) {
    for (uint64_t i = 0; i < kSampleRows; ++i) {
      __builtin_prefetch(cells.at(next[i]));
      out[i] = *cells.at(rows[i]);
    }
  });
}

void gather_batch_of_flags(const Batches& batches, const uint64_t* rows, const uint64_t* next,
                           uint8_t* out) {
  for (uint64_t i = 0; i < kSampleRows; ++i) {
    __builtin_prefetch(batches.of(next[i]).flag + batches.within(next[i]) / 8);
    out[i] = batches.of(rows[i]).is_set(batches.within(rows[i]));
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

uint64_t count_bits(const uint8_t* bits, uint64_t count) {
  uint64_t set = 0;
  const uint64_t whole = count / 64 * 64;
  for (uint64_t i = 0; i < whole; i += 64) {
    uint64_t word;
    std::memcpy(&word, bits + i / 8, sizeof word);
    set += static_cast<uint64_t>(__builtin_popcountll(word));
  }
  for (uint64_t i = whole; i < count; ++i) set += bits[i / 8] >> i % 8 & 1;
  return set;
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

void read_row(const Columns& columns, uint64_t row, Row& out) {
  out.id = columns.id[row];
  out.ts = columns.ts[row];
  for (int k = 0; k < 4; ++k) out.f[k] = columns.f[k][row];
  for (int k = 0; k < 2; ++k) out.d[k] = columns.d[k][row];
  out.flag = columns.is_set(row);
  const uint32_t start = columns.text_offsets[row];
  set_text(columns.characters + start, columns.text_offsets[row + 1] - start, out);
}

}  // namespace

Columns::Columns(const PlainMap& map, const ColumnOffsets& offsets)
    : rows(offsets.rows), flag_bits(offsets.flag_bits) {
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

// A Jay file ends with the record's size and a signature of 8 bytes each; an Arrow file with the
// footer's size of 4 bytes and a signature of 6.
void touch_first_row(const PlainMap& map, const ColumnOffsets& first_batch, Row& row) {
  const bool is_arrow = std::memcmp(map.base(), "ARROW1", 6) == 0;
  const std::byte* end = map.base() + map.bytes() - (is_arrow ? 10 : 16);
  const uint64_t record_bytes = is_arrow ? load<uint32_t>(end) : load<uint64_t>(end);
  for (uint64_t at = 0; at < record_bytes; at += kPage) {
    keep(load<uint8_t>(end - record_bytes + at));
  }
  read_row(Columns(map, first_batch), 0, row);
}

void read_row(const Batches& batches, uint64_t row, Row& out) {
  read_row(batches.of(row), batches.within(row), out);
}

int64_t read_rows(const Batches& batches, std::span<const uint64_t> rows) {
  int64_t ids = 0;
  Row out;
  for (const uint64_t row : rows) {
    read_row(batches, row, out);
    keep(out);
    ids += out.id;
  }
  return ids;
}

void take(const Batches& batches, std::span<const uint64_t> rows, Taken& out) {
  gather(
      batches, [](const Columns& columns) { return columns.id; }, rows, out.id);
  gather(
      batches, [](const Columns& columns) { return columns.ts; }, rows, out.ts);
  for (int k = 0; k < 4; ++k) {
    gather(
        batches, [k](const Columns& columns) { return columns.f[k]; }, rows, out.f[k]);
  }
  for (int k = 0; k < 2; ++k) {
    gather(
        batches, [k](const Columns& columns) { return columns.d[k]; }, rows, out.d[k]);
  }
  gather_flags(batches, rows, out.flag);
  gather_texts(batches, rows, out);
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

void sample(const Batches& batches, const uint64_t* rows, const uint64_t* next, Sampled& out) {
  const auto all = [&](auto of, auto* to) { gather_batch(batches, of, rows, next, to); };
  for (int k = 0; k < 4; ++k) all([k](const Columns& columns) { return columns.f[k]; }, out.f[k]);
  for (int k = 0; k < 2; ++k) all([k](const Columns& columns) { return columns.d[k]; }, out.d[k]);
  if (batches.batches[0].flag_bits) return gather_batch_of_flags(batches, rows, next, out.flag);
  all([](const Columns& columns) { return columns.flag; }, out.flag);
}

// Runs binary searches without branches, many at once so that their cache misses overlap. A search
// starts with first = 0 and keeps the key in first .. first + left - 1.
template <class Cells>
int64_t look_up(const Batches& batches, const Cells id, std::span<const int64_t> keys) {
  int64_t ids = 0;
  Row out;
  for (uint64_t group = 0; group < keys.size(); group += kSearches) {
    const uint64_t searches = std::min(kSearches, keys.size() - group);
    uint64_t first[kSearches] = {};
    for (uint64_t left = batches.rows; left > 1; left -= left / 2) {
      const uint64_t half = left / 2;
      const uint64_t next_half = (left - half) / 2;
      for (uint64_t k = 0; k < searches; ++k) {
        first[k] += *id.at(first[k] + half) <= keys[group + k] ? half : 0;
        __builtin_prefetch(id.at(first[k] + next_half));
      }
    }
    for (uint64_t k = 0; k < searches; ++k) {
      read_row(batches, first[k], out);
      keep(out);
      ids += out.id;
    }
  }
  return ids;
}

int64_t look_up(const Batches& batches, std::span<const int64_t> keys) {
  int64_t ids = 0;
  with_cells<int32_t>(
      batches, [](const Columns& columns) { return columns.id; },
      [&](const auto id) { ids = look_up(batches, id, keys); });
  return ids;
}

double sum_f0(const Batches& batches) {
  double total = 0;
  for (const Columns& columns : batches.batches) {
    total += sum_lanes(std::span(columns.f[0], columns.rows));
  }
  return total;
}

double sum_d0(const Batches& batches) {
  double total = 0;
  for (const Columns& columns : batches.batches) {
    total += sum_lanes(std::span(columns.d[0], columns.rows));
  }
  return total;
}

double compute(const Batches& batches, std::vector<double>& batch) {
  double last = 0;
  for (uint64_t first = 0; first < batches.rows; first += batch.size()) {
    const uint64_t end = std::min<uint64_t>(first + batch.size(), batches.rows);
    uint64_t count = 0;
    batches.each(first, end, [&](const Columns& columns, uint64_t from, uint64_t to, uint64_t) {
      const double* values = columns.d[0];
      for (uint64_t i = from; i < to; ++i) batch[count++] = values[i] * 1.2;
    });
    keep(batch);
    last += batch[count - 1];
  }
  return last;
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
  if (columns.flag_bits) {
    totals.flags = count_bits(columns.flag, columns.rows);
  } else {
    for (uint64_t i = 0; i < columns.rows; ++i) totals.flags += columns.flag[i];
  }
  return totals;
}

Totals full_scan(const Batches& batches) {
  Totals totals = {};
  for (const Columns& columns : batches.batches) totals = totals + full_scan(columns);
  return totals;
}

Totals operator+(const Totals& a, const Totals& b) {
  Totals sum = a;
  sum.id += b.id;
  sum.ts += b.ts;
  for (int k = 0; k < 4; ++k) sum.f[k] += b.f[k];
  for (int k = 0; k < 2; ++k) sum.d[k] += b.d[k];
  sum.flags += b.flags;
  sum.texts_with_ab += b.texts_with_ab;
  return sum;
}

}  // namespace heron::bench

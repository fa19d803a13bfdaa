#include "peers_query_bound.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace heron::bench {
namespace {

constexpr uint64_t kLot = 4096;  // rows filtered before any is copied
constexpr uint64_t kWord = 64;
constexpr uint64_t kLanes = 32;

// `Lane` is as wide as the tested values, so that vectors of both have equally many lanes.
template <class Lane, class Test>
uint64_t count_rows(uint64_t first, uint64_t last, Test test) {
  constexpr uint64_t kBlock = 65'536;
  uint64_t count = 0;
  for (; first < last; first += kBlock) {
    const uint64_t end = std::min(first + kBlock, last);
    Lane in_block = 0;
    for (uint64_t row = first; row < end; ++row) in_block += test(row);
    count += in_block;
  }
  return count;
}

// Appends `before` + each row whose value is above `threshold` to `rows`, which has room for them.
uint64_t append_above(const float* values, float threshold, uint64_t first, uint64_t last,
                      uint64_t before, uint64_t* rows) {
  uint64_t count = 0;
  for (uint64_t start = first; start < last; start += kWord) {
    const uint64_t end = std::min(start + kWord, last);
    uint64_t mask = 0;
    for (uint64_t row = start; row < end; ++row) {
      mask |= uint64_t{values[row] > threshold} << (row - start);
    }
    for (; mask != 0; mask &= mask - 1) {
      rows[count++] = before + start + static_cast<uint64_t>(__builtin_ctzll(mask));
    }
  }
  return count;
}

// Sums the `values` where `test` is above 0, as sum() in peers_bound.h does.
template <class T>
double sum_where(const T* values, const float* test, uint64_t rows) {
  constexpr uint64_t kDeep = 4 * kLanes;
  double lanes[kLanes] = {};
  const uint64_t whole = rows / kDeep * kDeep;
  for (uint64_t i = 0; i < whole; i += kDeep) {
    T few[kLanes] = {};
    for (uint64_t deep = i; deep < i + kDeep; deep += kLanes) {
      for (uint64_t lane = 0; lane < kLanes; ++lane) {
        const T value = values[deep + lane];  // an unconditional load, so that it vectorizes
        few[lane] += test[deep + lane] > 0 ? value : T{0};
      }
    }
    for (uint64_t lane = 0; lane < kLanes; ++lane) lanes[lane] += static_cast<double>(few[lane]);
  }
  double total = 0;
  for (const double lane : lanes) total += lane;
  for (uint64_t i = whole; i < rows; ++i) {
    total += test[i] > 0 ? static_cast<double>(values[i]) : 0.0;
  }
  return total;
}

template <class T>
double sum_integers_where(const T* values, const float* test, uint64_t rows) {
  int64_t total = 0;
  for (uint64_t i = 0; i < rows; ++i) {
    const int64_t value = values[i];
    total += test[i] > 0 ? value : 0;
  }
  return static_cast<double>(total);
}

// Counts the set bits from `first`, a multiple of 64, where `test` is above 0.
uint64_t count_bits_where(const uint8_t* bits, const float* test, uint64_t first, uint64_t rows) {
  uint64_t count = 0;
  for (uint64_t start = 0; start < rows; start += kWord) {
    const uint64_t some = std::min(kWord, rows - start);
    uint64_t mask = 0, word = 0;
    for (uint64_t i = 0; i < some; ++i) mask |= uint64_t{test[start + i] > 0} << i;
    std::memcpy(&word, bits + (first + start) / 8, (some + 7) / 8);
    count += static_cast<uint64_t>(__builtin_popcountll(mask & word));
  }
  return count;
}

// Copies rows like take() in peers_bound.h, but so dense ones that they need no prefetch.
template <class T>
void copy(const T* column, std::span<const uint64_t> rows, std::vector<T>& out) {
  out.resize(rows.size());
  for (uint64_t i = 0; i < rows.size(); ++i) out[i] = column[rows[i]];
}

void copy(const Columns& columns, std::span<const uint64_t> rows, Taken& out) {
  constexpr uint64_t kText = 16;  // max bytes of a text; always 16 are copied
  copy(columns.id, rows, out.id);
  copy(columns.ts, rows, out.ts);
  for (int k = 0; k < 4; ++k) copy(columns.f[k], rows, out.f[k]);
  for (int k = 0; k < 2; ++k) copy(columns.d[k], rows, out.d[k]);
  if (columns.flag_bits) {
    out.flag.resize(rows.size());
    for (uint64_t i = 0; i < rows.size(); ++i) out.flag[i] = columns.is_set(rows[i]);
  } else {
    copy(columns.flag, rows, out.flag);
  }
  out.text_offsets.resize(rows.size() + 1);
  out.characters.resize((rows.size() + 1) * kText);
  uint32_t end = 0;
  for (uint64_t i = 0; i < rows.size(); ++i) {
    const uint32_t start = columns.text_offsets[rows[i]];
    std::memcpy(out.characters.data() + end, columns.characters + start, kText);
    out.text_offsets[i] = end;
    end += columns.text_offsets[rows[i] + 1] - start;
  }
  out.text_offsets[rows.size()] = end;
}

// Returns the rows taken as the columns of a table.
Columns columns_of(const Taken& taken) {
  Columns columns;
  columns.rows = taken.rows();
  columns.id = taken.id.data();
  columns.ts = taken.ts.data();
  for (int k = 0; k < 4; ++k) columns.f[k] = taken.f[k].data();
  for (int k = 0; k < 2; ++k) columns.d[k] = taken.d[k].data();
  columns.flag = taken.flag.data();
  columns.text_offsets = taken.text_offsets.data();
  columns.characters = taken.characters.data();
  return columns;
}

}  // namespace

uint64_t count_rare(const Batches& batches, uint64_t first, uint64_t last) {
  uint64_t count = 0;
  batches.each(first, last, [&](const Columns& columns, uint64_t from, uint64_t to, uint64_t) {
    const float* f1 = columns.f[1];
    count += count_rows<uint32_t>(from, to, [f1](uint64_t row) { return f1[row] > kRare; });
  });
  return count;
}

void fetch_rare(const Batches& batches, uint64_t first, uint64_t last, Fetched& out) {
  out.rows.resize(last - first);
  uint64_t count = 0;
  batches.each(
      first, last, [&](const Columns& columns, uint64_t from, uint64_t to, uint64_t before) {
        count += append_above(columns.f[1], kRare, from, to, before, out.rows.data() + count);
      });
  take(batches, std::span(out.rows).first(count), out.taken);
}

namespace {

Totals scan_half(const Columns& columns, uint64_t first, uint64_t last) {
  std::vector<uint64_t> rows(kLot);
  Taken taken;
  Totals totals = {};
  for (; first < last; first += kLot) {
    const uint64_t end = std::min(first + kLot, last);
    const uint64_t selected = append_above(columns.f[0], 0, first, end, 0, rows.data());
    copy(columns, std::span(rows).first(selected), taken);
    totals = totals + full_scan(columns_of(taken));
  }
  return totals;
}

Totals sums_of_half(const Columns& columns, uint64_t first, uint64_t last) {
  Totals totals = {};
  for (; first < last; first += kLot) {
    const uint64_t rows = std::min(kLot, last - first);
    const float* f0 = columns.f[0] + first;
    totals.id += sum_integers_where(columns.id + first, f0, rows);
    totals.ts += sum_integers_where(columns.ts + first, f0, rows);
    for (int k = 0; k < 4; ++k) totals.f[k] += sum_where(columns.f[k] + first, f0, rows);
    for (int k = 0; k < 2; ++k) totals.d[k] += sum_where(columns.d[k] + first, f0, rows);
    totals.flags += columns.flag_bits
                        ? count_bits_where(columns.flag, f0, first, rows)
                        : static_cast<uint64_t>(sum_integers_where(columns.flag + first, f0, rows));
  }
  return totals;
}

}  // namespace

Totals scan_half(const Batches& batches, uint64_t first, uint64_t last) {
  Totals totals = {};
  batches.each(first, last, [&](const Columns& columns, uint64_t from, uint64_t to, uint64_t) {
    totals = totals + scan_half(columns, from, to);
  });
  return totals;
}

Totals sums_of_half(const Batches& batches, uint64_t first, uint64_t last) {
  Totals totals = {};
  batches.each(first, last, [&](const Columns& columns, uint64_t from, uint64_t to, uint64_t) {
    totals = totals + sums_of_half(columns, from, to);
  });
  return totals;
}

namespace {

uint64_t count_between_rows(const Batches& batches, uint64_t first, uint64_t last, int64_t low,
                            int64_t high) {
  uint64_t count = 0;
  batches.each(first, last, [&](const Columns& columns, uint64_t from, uint64_t to, uint64_t) {
    const int64_t* ts = columns.ts;
    count += count_rows<uint64_t>(
        from, to, [=](uint64_t row) { return (ts[row] >= low) & (ts[row] <= high); });
  });
  return count;
}

}  // namespace

uint64_t count_between(const Batches& batches, int64_t low, int64_t high) {
  return count_between_rows(batches, 0, batches.rows, low, high);
}

TsZones::TsZones(const Batches& of) : batches(of) {
  for (uint64_t first = 0; first < batches.rows; first += kRows) {
    Zone zone{INT64_MAX, INT64_MIN};
    batches.each(first, std::min(first + kRows, batches.rows),
                 [&](const Columns& columns, uint64_t from, uint64_t to, uint64_t) {
                   const auto [low, high] = std::minmax_element(columns.ts + from, columns.ts + to);
                   zone = {std::min(zone.low, *low), std::max(zone.high, *high)};
                 });
    zones.push_back(zone);
  }
}

uint64_t TsZones::count_between(int64_t low, int64_t high) const {
  uint64_t count = 0;
  for (uint64_t k = 0; k < zones.size(); ++k) {
    const uint64_t first = k * kRows;
    const uint64_t last = std::min(first + kRows, batches.rows);
    if (zones[k].high < low || zones[k].low > high) continue;
    count += zones[k].low >= low && zones[k].high <= high
                 ? last - first
                 : count_between_rows(batches, first, last, low, high);
  }
  return count;
}

}  // namespace heron::bench

// The least that questions with a condition can cost on the peers' ten columns: plain loops as in
// peers_bound.h, on one thread or on two that share the rows half and half. What a question wants
// of the rows first .. last - 1 is one function; halves of an answer are joined.
#pragma once

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "peers_bound.h"

namespace heron::bench {

// f1 is above it in a hundredth of the rows.
inline constexpr float kRare = 2.328125F;

uint64_t count_rare(const Columns& columns, uint64_t first, uint64_t last);

// All columns of some rows; memory is used again.
struct Fetched {
  std::vector<uint64_t> rows;  // and room for more behind them
  Taken taken;
};
// Where f1 > kRare: a bit mask of 64 rows, a list of rows, then a column at a time.
void fetch_rare(const Columns& columns, uint64_t first, uint64_t last, Fetched& out);

// The same where f0 > 0, which is half of the rows, a few thousand rows at a time, each lot added
// up as full_scan() does.
Totals scan_half(const Columns& columns, uint64_t first, uint64_t last);

// The same numbers, texts aside, without a copy of anything: what is left out is added as 0.
Totals sums_of_half(const Columns& columns, uint64_t first, uint64_t last);

// Rows whose ts is from `low` to `high`.
uint64_t count_between(const Columns& columns, int64_t low, int64_t high);

// The extremes of ts in each so many rows, known beforehand, and the count with their help.
struct TsZones {
  static constexpr uint64_t kRows = 65'536;
  struct Zone {
    int64_t low, high;
  };
  explicit TsZones(const Columns& columns);
  uint64_t count_between(int64_t low, int64_t high) const;

  const Columns& columns;
  std::vector<Zone> zones;
};

Totals operator+(const Totals& a, const Totals& b);

// part(first, last, which) of both halves at once; gives both answers.
template <class Part>
auto on_two_threads(uint64_t rows, Part part) {
  using Answer = decltype(part(0, rows, 0));
  std::pair<Answer, Answer> answers;
  std::thread second([&] { answers.second = part(rows / 2, rows, 1); });
  answers.first = part(0, rows / 2, 0);
  second.join();
  return answers;
}

}  // namespace heron::bench

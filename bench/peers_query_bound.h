// The lower bound of queries with a predicate on the peers' ten columns: plain loops as in
// peers_bound.h, on one thread or on two that take half of the rows each. Each query is a function
// of the rows first .. last - 1; the answers of the halves are joined.
#pragma once

#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "peers_bound.h"

namespace heron::bench {

// A hundredth of the rows have a larger f1.
inline constexpr float kRare = 2.328125F;

uint64_t count_rare(const Batches& batches, uint64_t first, uint64_t last);

// Selected rows and all of their columns, in reused memory.
struct Fetched {
  std::vector<uint64_t> rows;  // the row numbers; may be longer than their count
  Taken taken;
};
// Fetches rows with f1 > kRare: a bit mask of 64 rows, a list of rows, then a column at a time.
void fetch_rare(const Batches& batches, uint64_t first, uint64_t last, Fetched& out);

// Fetches and sums rows with f0 > 0, half of the rows, a few thousand rows at a time, each summed
// as in full_scan().
Totals scan_half(const Batches& batches, uint64_t first, uint64_t last);

// Sums rows with f0 > 0 without texts and without copies: other rows are added as 0.
Totals sums_of_half(const Batches& batches, uint64_t first, uint64_t last);

// Counts rows whose ts is from `low` to `high`.
uint64_t count_between(const Batches& batches, int64_t low, int64_t high);

// The extremes of ts per kRows rows, known beforehand, and the count that uses them.
struct TsZones {
  static constexpr uint64_t kRows = 65'536;
  struct Zone {
    int64_t low, high;
  };
  explicit TsZones(const Batches& of);
  uint64_t count_between(int64_t low, int64_t high) const;

  const Batches& batches;
  std::vector<Zone> zones;
};

// Calls part(first, last, which) for both halves at once, the second of which begins with a whole
// word of bits; returns both answers.
template <class Part>
auto on_two_threads(uint64_t rows, Part part) {
  using Answer = decltype(part(0, rows, 0));
  std::pair<Answer, Answer> answers;
  const uint64_t half = rows / 2 / 64 * 64;
  std::thread second([&] { answers.second = part(half, rows, 1); });
  answers.first = part(0, half, 0);
  second.join();
  return answers;
}

}  // namespace heron::bench

// The ops of heron-ops and what they share. An engine's part of an op is a class with run(input),
// which is timed, and check(), which is not.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "bound.h"
#include "measure.h"
#include "peers_file.h"

namespace heron::bench {

using Rows = std::vector<uint64_t>;

struct Bench {
  PeersFile file;
  double seconds;  // for each op
  std::mt19937_64 random{20261121};

  Rows random_rows(uint64_t count) {
    std::uniform_int_distribution<uint64_t> any(0, file.rows - 1);
    Rows rows(count);
    for (uint64_t& row : rows) row = any(random);
    return rows;
  }
  template <class Heron, class Bound>
  bool measure(const Op& op, Heron heron, Bound bound) const {
    return heron::bench::measure(op, seconds, heron, bound);
  }
};

// Each measures, prints, and tells whether the two engines agree; README.md says what each is.
bool open_first_row(Bench& bench);
bool row_1(Bench& bench);
bool row_1_batch(Bench& bench);
bool rows_1000(Bench& bench);
bool take_100k(Bench& bench);
bool col_sum(Bench& bench);
bool col_sum_large(Bench& bench);
bool full_scan(Bench& bench);
bool sample_256(Bench& bench);
bool key_lookup_1000(Bench& bench);

}  // namespace heron::bench

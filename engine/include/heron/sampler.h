// Random rows, as a promise: a seed gives the same rows in every language, on any number of
// workers, in every release. engine/query/SAMPLING.md writes the algorithm down.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "heron/query.h"

namespace heron::inline v0 {

struct SamplerOptions {
  uint64_t seed = 0;
  uint64_t epoch = 0;    // another order of the same rows
  bool replace = false;  // draw every row independently
  uint64_t rank = 0;     // this worker's share: positions rank, rank + world, rank + 2 world ...
  uint64_t world = 1;
};

// An order of row numbers below `rows`: without replacement a keyed permutation in O(1) memory, any
// position of any epoch directly; with replacement an endless run of independent uniform draws. A
// value: cheap to copy, const calls are thread-safe.
class Sampler {
 public:
  // Throws Error(Argument) unless rank < world, and, with replacement, rows > 0.
  explicit Sampler(uint64_t rows, const SamplerOptions& options = {});

  // How many positions this worker's share of an epoch has; shares differ by at most one. With
  // replacement it is as many, but positions go on beyond it (and are counted modulo 2^64).
  uint64_t size() const noexcept { return size_; }

  // The rows at positions position .. position + out.size() - 1 of this worker's share. Without
  // replacement the positions must be below size(), else Error(Argument). About 4 ns a row; a
  // single row, or fewer rows than 256 in the whole table, cost more.
  void draw(uint64_t position, std::span<uint64_t> out) const;

 private:
  void draw_order(uint64_t position, std::span<uint64_t> out) const;
  void draw_independent(uint64_t position, std::span<uint64_t> out) const;

  uint64_t rows_;
  SamplerOptions options_;
  uint64_t size_;
  uint32_t last_digit_;  // rows are numbers of two digits, 0 .. last_digit_
  std::array<uint64_t, 8> keys_;
};

// Which of the numbers below `count` belong to a share of about `rate` of them, ascending: the
// sub-sample that programs draw which shuffle by java.util.Random (`seed` is theirs, a negative one
// as its two's complement). trunc(count * rate) numbers; from rate 1 on, all. Time and memory grow
// with `count`: 4 bytes for each, and 8 for each in the answer. Throws Error(Argument) for a rate
// that is negative or NaN, Error(Limit) for a count above 2^31 - 1, which that generator cannot
// draw.
std::vector<uint64_t> sub_sample(uint64_t count, double rate, uint64_t seed,
                                 const Context& context = {});

// The rows of those groups, one group after the other in the order given, repeats allowed. Throws
// Error(Argument) for a group that is not there, and what Table::group() throws.
std::vector<uint64_t> rows_of_groups(const Table& table, std::span<const uint64_t> groups);

// Batches of sampled rows for training. Resumes from one number. One thread at a time.
class BatchLoader {
 public:
  // `position` is where in the sampler's order to start: what position() gave when work was left.
  BatchLoader(Projection columns, Sampler sampler, uint64_t batch_rows, uint64_t position = 0,
              Context context = {});

  // The next batch, smaller at the end of the epoch; false when the epoch is done. Memory is used
  // again as in take().
  bool next(RowBatch& batch);
  // The row numbers of the last batch, until the next call.
  std::span<const uint64_t> rows() const noexcept { return rows_; }
  uint64_t position() const noexcept { return position_; }

 private:
  Projection columns_;
  Sampler sampler_;
  uint64_t batch_rows_;
  uint64_t position_;  // of the batch that next() gives next
  Context context_;
  std::vector<uint64_t> rows_;
};

}  // namespace heron::inline v0

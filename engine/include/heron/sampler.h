// Random rows that are reproducible: a seed gives the same rows in every language, on any number of
// workers, in every release. engine/sample/SAMPLING.md describes the algorithm.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "heron/context.h"
#include "heron/dataset.h"
#include "heron/export.h"
#include "heron/query.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct SamplerOptions {
  uint64_t seed = 0;
  uint64_t epoch = 0;    // another order of the same rows
  bool replace = false;  // draw every row independently
  uint64_t rank = 0;     // this worker's shard: positions rank, rank + world, rank + 2 world ...
  uint64_t world = 1;
};

// An order of row numbers below `rows`: without replacement a keyed permutation in O(1) memory,
// with direct access to any position of any epoch; with replacement an endless sequence of
// independent uniform draws. A value: cheap to copy, const calls are thread-safe.
class HERON_EXPORT Sampler {
 public:
  // Throws Error(Argument) unless rank < world, and, with replacement, rows > 0.
  explicit Sampler(uint64_t rows, const SamplerOptions& options = {});

  // How many positions this worker's shard of an epoch has; shards differ by at most one. With
  // replacement the number is the same, but positions continue beyond it (and wrap modulo 2^64).
  uint64_t size() const noexcept { return size_; }

  // The rows at positions position .. position + out.size() - 1 of this worker's shard. Without
  // replacement the positions must be below size(), else Error(Argument). About 4 ns a row; a
  // single row, or a table of fewer than 256 rows, costs more.
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

// Independent draws of row numbers, each with a probability in proportion to its weight: an alias
// table of 12 bytes a row, built once, in which any position of any epoch is found directly. Const
// calls are thread-safe.
class HERON_EXPORT WeightedSampler {
 public:
  // Weights of rows 0, 1 ..: finite, not negative, not all 0. Throws Error(Argument) for others, or
  // for 2^32 rows or more.
  explicit WeightedSampler(std::span<const double> weights);
  explicit WeightedSampler(std::initializer_list<double> weights)
      : WeightedSampler(std::span(weights.begin(), weights.size())) {}

  uint64_t rows() const noexcept { return aliases_.size(); }
  // The rows at positions position .. position + out.size() - 1 of the shard of an epoch; they do
  // not end. `replace` is not looked at. Throws Error(Argument) unless rank < world. Two misses of
  // the memory a row.
  void draw(const SamplerOptions& options, uint64_t position, std::span<uint64_t> out) const;

 private:
  // Row i is drawn where 53 random bits are below limits_[i], else row aliases_[i].
  std::vector<uint64_t> limits_;
  std::vector<uint32_t> aliases_;
};

// The sub-sample of about `rate` of the numbers below `count`, ascending, that programs draw which
// shuffle with java.util.Random (`seed` is theirs, a negative one as its two's complement).
// trunc(count * rate) numbers; from rate 1 on, all. Time and memory grow with `count`: 4 bytes for
// each, and 8 for each in the answer. Throws Error(Argument) for a rate that is negative or NaN,
// Error(Limit) for a count above 2^31 - 1, which that generator cannot draw.
HERON_EXPORT std::vector<uint64_t> sub_sample(uint64_t count, double rate, uint64_t seed,
                                              const Context& context = {});

// The rows of those groups, one group after the other in the order given, repeats allowed. Throws
// Error(Argument) for a group number out of range, and what Table::group() throws.
HERON_EXPORT std::vector<uint64_t> rows_of_groups(const Table& table,
                                                  std::span<const uint64_t> groups);
inline std::vector<uint64_t> rows_of_groups(const Table& table,
                                            std::initializer_list<uint64_t> groups) {
  return rows_of_groups(table, std::span(groups.begin(), groups.size()));
}

// Batches of sampled rows for training. Resumes from one position. One thread at a time.
class HERON_EXPORT BatchLoader {
 public:
  // Samples the rows of the query: positions among those of its range or, with a predicate, among
  // those that pass it, which are found first and, a million at a time, found again. `position` is
  // where to start in the order of the sampler: what position() returned earlier. Throws
  // Error(Argument) for batches of no rows, what Query says and what Sampler says.
  BatchLoader(const Query& query, const SamplerOptions& sampling, uint64_t batch_rows,
              uint64_t position = 0, Context context = {});
  ~BatchLoader();
  BatchLoader(BatchLoader&&) noexcept;
  BatchLoader& operator=(BatchLoader&&) noexcept;

  // The next batch, smaller at the end of the epoch; false at its end. Reuses memory as take()
  // does.
  bool next(RowBatch& batch);
  // The row numbers of the last batch, until the next call.
  std::span<const uint64_t> rows() const noexcept;
  uint64_t position() const noexcept;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heron::inline v0

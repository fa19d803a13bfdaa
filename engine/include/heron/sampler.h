// Random rows that are reproducible: a seed gives the same rows in every language, on any number of
// workers, in every release. engine/sample/SAMPLING.md describes the algorithm.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct SamplerOptions {
  uint64_t seed = 0;
  uint64_t epoch = 0;    // each epoch has another order of the same rows
  bool replace = false;  // draw every row independently
  // This worker's shard: positions rank, rank + world_size, rank + 2 world_size ...
  uint64_t rank = 0;
  uint64_t world_size = 1;
};

// An order of row numbers below `rows`: without replacement a keyed permutation in O(1) memory,
// with direct access to any position of any epoch; with replacement an endless sequence of
// independent uniform draws. A value: cheap to copy, const calls are thread-safe.
class HERON_EXPORT Sampler {
 public:
  // Throws Error(Argument) unless rank < world_size, and, with replacement, rows > 0.
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
// table of 12 bytes a row, built once, with direct access to any position of any epoch. Const calls
// are thread-safe.
class HERON_EXPORT WeightedSampler {
 public:
  // Weights of rows 0, 1 ..: finite, not negative, not all 0. Throws Error(Argument) for others, or
  // for 2^32 rows or more.
  explicit WeightedSampler(std::span<const double> weights);
  explicit WeightedSampler(std::initializer_list<double> weights)
      : WeightedSampler(std::span(weights.begin(), weights.size())) {}

  uint64_t rows() const noexcept { return aliases_.size(); }
  // The rows at positions position .. position + out.size() - 1 of the shard of an epoch; positions
  // do not end. `replace` is ignored. Throws Error(Argument) unless rank < world_size. Costs two
  // cache misses per row.
  void draw(const SamplerOptions& options, uint64_t position, std::span<uint64_t> out) const;

 private:
  // Row i is drawn where 53 random bits are below limits_[i], else row aliases_[i].
  std::vector<uint64_t> limits_;
  std::vector<uint32_t> aliases_;
};

// Returns the sub-sample of about `rate` of the numbers below `count`, ascending, that programs
// draw which shuffle with java.util.Random (`seed` is theirs, a negative one as its two's
// complement): trunc(count * rate) numbers; from rate 1 on, all. Time and memory grow with `count`:
// 4 bytes for each, and 8 for each in the answer. Throws Error(Argument) for a rate that is
// negative or NaN, Error(Limit) for a count above 2^31 - 1, which that generator cannot draw.
HERON_EXPORT std::vector<uint64_t> sub_sample(uint64_t count, double rate, uint64_t seed,
                                              const Context& context = {});

// Returns the rows of those groups, one group after the other in the order given, repeats allowed.
// Throws Error(Argument) for a group number out of range, and what Table::group() throws.
HERON_EXPORT std::vector<uint64_t> rows_of_groups(const Table& table,
                                                  std::span<const uint64_t> groups);
inline std::vector<uint64_t> rows_of_groups(const Table& table,
                                            std::initializer_list<uint64_t> groups) {
  return rows_of_groups(table, std::span(groups.begin(), groups.size()));
}

// How the rows of an epoch are shuffled: not at all, one by one, as blocks (the rows in each are
// shuffled, too), as whole groups (their rows stay in file order).
enum class Shuffle : uint8_t { None, Rows, Blocks, Groups };

struct ShuffleOptions {
  Shuffle shuffle = Shuffle::Rows;
  uint64_t locality = 1;  // how many blocks are mixed; 1 unless shuffled by blocks
  std::optional<std::vector<uint64_t>> rows = {};  // only these, in this order; repeats allowed
};

// A finished stage of an epoch, with one number of ranks and one batch size: each rank read
// `batches`.
struct EpochStage {
  uint64_t world_size = 1, batch_rows = 1, batches = 0;
};

struct EpochOptions {
  SamplerOptions sampler = {};  // `replace` applies to shuffled rows and groups
  uint64_t batch_rows = 256;
  bool drop_last = false;               // full batches only, the same number of them for each rank
  std::vector<EpochStage> before = {};  // what was read of the epoch already
  std::optional<uint64_t> draws = {};   // rows or groups drawn per epoch; default: each once
  // The weights of all rows of the order, which are drawn independently.
  std::shared_ptr<const WeightedSampler> weights = {};
};

// The rows that take part in epochs, and the units in which they are shuffled; SAMPLING.md
// specifies every order. Keeps 8 bytes for each row of a predicate or a list and for each group
// within a range. Cheap to copy; const calls are thread-safe.
class HERON_EXPORT EpochOrder {
 public:
  // Orders the rows of the query. Its range must contain groups whole. Throws Error(Argument) for
  // blocks or groups with a predicate or listed rows, for a table without groups, for listed rows
  // that the table does not have and for what Query says; Error(Limit) for more than 2^22 blocks.
  explicit EpochOrder(const Query& query, const ShuffleOptions& options = {},
                      const Context& context = {});
  // Orders the numbers below `rows`, such as positions in a Selection, shuffled one by one.
  explicit EpochOrder(uint64_t rows);

  // The rows that take part, in file order or that of the list.
  std::vector<uint64_t> rows() const;

 private:
  friend class EpochShard;
  friend class Loader;
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

// The rows that one rank reads of the rest of an epoch, by position, and their batches. Const calls
// are thread-safe.
class HERON_EXPORT EpochShard {
 public:
  // Takes 32 bytes for each block or group while it is made, and keeps as many for those of the
  // rank. Throws Error(Argument) for options that do not fit the order, and what Sampler and
  // Table::group() throw.
  explicit EpochShard(EpochOrder order, EpochOptions options = {});

  uint64_t rows() const noexcept;
  uint64_t batches() const noexcept;
  // The number of rows in the first `batches` batches, all if there are fewer. Batches have
  // `batch_rows` rows, the last may have fewer; a batch of groups has as many whole ones as fit, at
  // least one.
  uint64_t batch_end(uint64_t batches) const noexcept;
  // The rows at positions position .. position + out.size() - 1. Throws Error(Argument) for
  // positions of rows() or more.
  void draw(uint64_t position, std::span<uint64_t> out) const;
  // The sizes of the groups that begin and end between these positions; empty for other shuffles.
  std::vector<uint64_t> group_sizes(uint64_t first, uint64_t last) const;

 private:
  friend class Loader;
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace heron::inline v0

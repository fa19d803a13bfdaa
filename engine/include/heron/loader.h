// Batches of rows for training, in the order of an epoch: as columns or as a matrix of numbers,
// read ahead by threads while the caller works.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"
#include "heron/sampler.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Rows that Loaders keep in memory from one epoch to the next: pass the same object to the Loader
// of each epoch. Copies share them. One Loader at a time uses it, for the same columns and output
// each time.
class HERON_EXPORT KeptRows {
 public:
  KeptRows();
  // Returns whether all rows are in memory, and the bytes they take there; 0: they are not.
  bool are_read() const noexcept { return bytes() != 0; }
  uint64_t bytes() const noexcept;

 private:
  friend class Loader;
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

struct LoaderOptions {
  // Columns as take() returns them; or a matrix as matrix() fills it, nulls as NaN.
  enum class Output : uint8_t { Columns, Float32, Float64 };
  Output output = Output::Columns;
  // Columns beside a matrix, such as the label.
  std::optional<Projection> apart = {};
  uint64_t first_batch = 0;  // the first batch of the shard to load: an earlier batches()
  // How many chunks are read ahead. 0: each batch is read when next() needs it.
  uint64_t prefetch = 3;
  uint64_t memory_bytes = uint64_t{256} << 20;  // approximate limit of the Loader's memory
  std::optional<KeptRows> kept = {};            // default: kept until the Loader ends
};

// Some rows in the order of the epoch. The Loader reuses its memory once `memory` and the copies of
// `columns` are gone; before, nothing in it changes.
struct LoaderBatch {
  std::span<const uint64_t> rows;  // row numbers
  // The matrix, of one type: rows.size() x matrix_width(), row-major; else empty.
  std::span<float> floats;
  std::span<double> doubles;
  RowBatch columns;                   // all columns, or LoaderOptions::apart
  std::vector<uint64_t> group_sizes;  // sizes of the groups, if shuffled by groups
  std::shared_ptr<void> memory;       // owns what the spans point into
};

// Reads the batches of an epoch in chunks: first a batch, then four times as many each time, as far
// as memory_bytes allows. A batch is part of a chunk and is not copied. Chunks are read by the
// threads of the Context, ahead of the caller, and by the caller while it waits for one; with one
// thread, chunks are read when next() needs them, and columns a batch at a time.
//
// A Loader reads all rows of a shuffled matrix into memory, in file order, if at least half as many
// are requested and they fit into memory_bytes, each number in its stored width or as an element of
// the matrix, whichever is less. Chunks then come from memory, after a check whether the file has
// changed.
//
// Pages of cold files are prefetched. One thread at a time.
class HERON_EXPORT Loader {
 public:
  // Loads rows of the query, shuffled one by one. Throws Error(Argument) for a first batch behind
  // the end of the shard, columns apart without a matrix, columns that cannot be part of one, and
  // what EpochOrder and EpochShard say.
  Loader(const Query& query, const EpochOptions& epoch, LoaderOptions options = {},
         Context context = {});
  // Loads the batches of a shard of an order of the columns' table.
  Loader(const Projection& columns, EpochShard shard, LoaderOptions options = {},
         Context context = {});
  ~Loader();
  Loader(Loader&&) noexcept;
  Loader& operator=(Loader&&) noexcept;

  // Fills `batch` with the next batch; false: the epoch has ended, and the batch is empty. Throws
  // what take() throws, at the first batch of a chunk that cannot be read; the next call continues
  // after that chunk. Error(Argument) in a child process forked since another thread began to read.
  bool next(LoaderBatch& batch);
  // Fills `chunk` with all batches left of a chunk, as one; `ends`: where each ends among its rows.
  bool next_chunk(LoaderBatch& chunk, std::vector<uint64_t>& ends);

  // How many batches of the shard next() has returned or skipped so far, and their number of rows.
  uint64_t batches() const noexcept;
  uint64_t position() const noexcept;
  // Indices in the projection of the integer columns with a value of 2^24 or more in what was read
  // so far: float32 may have rounded it.
  std::vector<uint64_t> rounded() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heron::inline v0

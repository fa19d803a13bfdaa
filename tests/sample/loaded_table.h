// A table of every type of column, and the batches that a Loader of it must return.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/made_table.h"

namespace heron::test {

using Output = LoaderOptions::Output;
using Rows = std::vector<uint64_t>;

inline constexpr uint64_t kRows = 40'000;  // enough that rows are kept in memory
inline constexpr uint64_t kEnough = uint64_t{64} << 20, kLittle = uint64_t{1} << 20;

template <class T>
std::vector<T> random_cells(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<T> cells(kRows);
  for (T& cell : cells) {
    if constexpr (std::is_floating_point_v<T>) {
      cell = random() % 10 == 0 ? std::numeric_limits<T>::quiet_NaN()
                                : static_cast<T>(random() % 1000) / T{8};
    } else {
      cell = static_cast<T>(random());
      if (random() % 10 == 0) cell = std::numeric_limits<T>::min();  // null, where a rule says so
    }
  }
  return cells;
}

inline std::vector<bool> random_flags(uint64_t seed, unsigned of) {
  std::mt19937_64 random(seed);
  std::vector<bool> flags(kRows);
  for (size_t i = 0; i < flags.size(); ++i) flags[i] = random() % of != 0;
  return flags;
}

// Returns a table with a column of each type that a matrix can have, a label and a text.
inline const std::shared_ptr<const Table>& numbers() {
  static const std::shared_ptr<const Table> table = [] {
    TableMaker maker(kRows);
    maker.block_rows = 1000;
    for (uint64_t first = 0; first <= kRows; first += 50) maker.group_starts.push_back(first);
    maker.fixed("i8", Type::Int8, random_cells<int8_t>(1), NullEncoding::Sentinel);
    maker.fixed("u8", Type::UInt8, random_cells<uint8_t>(2));
    maker.fixed("f32", Type::Float32, random_cells<float>(3), NullEncoding::NaN);
    maker.fixed("i16", Type::Int16, random_cells<int16_t>(4));
    maker.fixed("u16", Type::UInt16, random_cells<uint16_t>(5), NullEncoding::Zero);
    maker.bits("b", random_flags(6, 2), random_flags(7, 9));
    maker.fixed("i32", Type::Int32, random_cells<int32_t>(8), NullEncoding::Sentinel);
    maker.fixed("u32", Type::UInt32, random_cells<uint32_t>(9));
    maker.fixed("i64", Type::Int64, random_cells<int64_t>(10), NullEncoding::Sentinel);
    maker.fixed("u64", Type::UInt64, random_cells<uint64_t>(11));
    maker.fixed("f64", Type::Float64, random_cells<double>(12), NullEncoding::NaN);
    maker.fixed("bitmap", Type::Int8, random_cells<int8_t>(13), NullEncoding::Bitmap,
                random_flags(14, 5));
    maker.fixed("label", Type::Int64, random_cells<int64_t>(15), NullEncoding::Sentinel);
    maker.bits("bit", random_flags(16, 3), random_flags(17, 4));
    std::vector<std::optional<std::string>> texts;
    for (uint64_t i = 0; i < kRows; ++i) texts.emplace_back(concat("t", i));
    maker.texts("t", texts);
    return maker.table();
  }();
  return table;
}
inline Projection features() {
  return Projection(numbers(), {"i8", "u8", "f32", "i16", "u16", "b", "i32", "u32", "i64", "u64",
                                "f64", "bitmap"});
}
inline Projection apart() {
  return Projection(numbers(), {"label", "bit", "f32"});
}

inline EpochShard shard_of(Shuffle shuffle, EpochOptions epoch = {.sampler = {.seed = 3}}) {
  return EpochShard(EpochOrder(numbers(), {.shuffle = shuffle}), std::move(epoch));
}

inline Rows rows_of(const EpochShard& shard, uint64_t first = 0) {
  Rows rows(shard.batch_end(shard.batches()) - shard.batch_end(first));
  shard.draw(shard.batch_end(first), rows);
  return rows;
}

template <class T>
void expect_elements(std::span<const T> found, const Projection& columns, const Rows& rows) {
  std::vector<T> expected(rows.size() * matrix_width(columns));
  matrix(columns, rows, std::span(expected));
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    const bool are_nan = found[i] != found[i] && expected[i] != expected[i];
    if (found[i] == expected[i] || are_nan) continue;
    FAIL() << "column " << i % columns.size() << ", row " << rows[i / columns.size()] << ": "
           << found[i] << ", not " << expected[i];
  }
}

// Returns the bytes of a cell, and a word for a bool, which is a bit, or for a null, which has
// none.
inline std::string cell_of(const Values& values, uint64_t row) {
  if (values.is_null(row)) return "null";
  if (values.type.is(Type::Bool)) return values.data.bit(row) ? "true" : "false";
  if (values.type.is_text()) return std::string(values.text(row));
  const uint64_t width = values.type.width();
  return {values.data.as<char>() + row * width, width};
}

inline void expect_columns(const RowBatch& found, const RowBatch& expected) {
  ASSERT_EQ(found.schema->size(), expected.schema->size());
  ASSERT_EQ(found.rows, expected.rows);
  for (uint64_t column = 0; column < found.columns.size(); ++column) {
    const Values &ours = found.columns[column], &theirs = expected.columns[column];
    ASSERT_EQ(ours.type, theirs.type);
    for (uint64_t row = 0; row < found.rows; ++row) {
      if (cell_of(ours, row) == cell_of(theirs, row)) continue;
      FAIL() << "column " << column << ", row " << row << ": " << json_rows(found)[row];
    }
  }
}

inline void expect_batch(const LoaderBatch& batch, const Projection& columns, Output output,
                  const std::optional<Projection>& apart, const Rows& rows) {
  ASSERT_EQ(Rows(batch.rows.begin(), batch.rows.end()), rows);
  if (output == Output::Float32) expect_elements<float>(batch.floats, columns, rows);
  if (output == Output::Float64) expect_elements<double>(batch.doubles, columns, rows);
  if (output == Output::Columns || apart) {
    const Projection& others = apart ? *apart : columns;
    ASSERT_NO_FATAL_FAILURE(expect_columns(batch.columns, take(others, rows)));
  }
}

// Compares all batches, by next() or chunk by chunk, with take() and matrix().
inline void expect_epoch(const Projection& columns, const EpochShard& shard,
                         const LoaderOptions& options, const Context& context,
                         bool by_chunks = false) {
  Loader loader(columns, shard, options, context);
  const Rows all = rows_of(shard, options.first_batch);
  uint64_t at = 0, batches = options.first_batch;
  std::vector<uint64_t> ends;
  for (LoaderBatch batch; by_chunks ? loader.next_chunk(batch, ends) : loader.next(batch);) {
    if (!by_chunks) ends.assign(1, batch.rows.size());
    ASSERT_EQ(ends.back(), batch.rows.size());
    const uint64_t before = shard.batch_end(batches);
    for (const uint64_t end : ends) ASSERT_EQ(shard.batch_end(++batches), before + end);
    ASSERT_EQ(loader.batches(), batches);
    ASSERT_EQ(loader.position(), shard.batch_end(batches));
    const auto from = all.begin() + static_cast<ptrdiff_t>(at);
    const Rows rows(from, from + static_cast<ptrdiff_t>(batch.rows.size()));
    ASSERT_NO_FATAL_FAILURE(expect_batch(batch, columns, options.output, options.apart, rows));
    ASSERT_EQ(batch.group_sizes, shard.group_sizes(before, shard.batch_end(batches)));
    at += rows.size();
  }
  EXPECT_EQ(batches, shard.batches());
  EXPECT_EQ(at, all.size());
  LoaderBatch batch;
  EXPECT_FALSE(loader.next(batch)) << "after the end";
  EXPECT_TRUE(batch.rows.empty() && batch.columns.rows == 0);
}

inline std::string name_of(Shuffle shuffle) {
  return concat("shuffle ", static_cast<int>(shuffle));
}

inline constexpr Shuffle kShuffles[] = {Shuffle::None, Shuffle::Rows, Shuffle::Blocks,
                                        Shuffle::Groups};

}  // namespace heron::test

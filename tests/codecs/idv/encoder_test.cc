// Blocks have the bytes that the format's description gives, for batches of any size.
#include "idv/write/encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "codecs/idv/made_values.h"

namespace heron {
namespace {

using test::bytes_of;
using test::made;
using test::made_text;
using test::made_vector;
using test::Row;

// Returns the block of all rows, appended `some` at a time.
std::string block_of(const test::Made& made, uint64_t some) {
  const Values& values = made.values;
  const auto encoder = idv::make_encoder(values.type);
  for (uint64_t row = 0; row < values.rows; row += some) {
    const RowRange rows{row, std::min(row + some, values.rows)};
    encoder->append(values, rows);
  }
  const uint64_t reported = encoder->bytes_with(values, {0, 0});
  idv::Bytes block;
  encoder->encode(block);
  EXPECT_GE(reported, block.size());
  EXPECT_LE(reported, block.size() + 4 + sizeof(int32_t) * values.rows);
  return std::string(reinterpret_cast<const char*>(block.data()), block.size());
}

void expect_block(const test::Made& made, const std::string& expected) {
  for (const uint64_t some : {1, 3, 100}) EXPECT_EQ(block_of(made, some), expected) << some;
}

TEST(IdvEncoder, CellsArePacked) {
  expect_block(made<int16_t>(Type::Int16, {1, -2, 300}), bytes_of<int16_t>({1, -2, 300}));
  expect_block(made<RowId>(Type::RowId, {{1, 2}, {3, 4}}), bytes_of<uint64_t>({1, 2, 3, 4}));
}

TEST(IdvEncoder, BitsGoOnWhereTheLastBatchEnded) {
  test::Made flags = made<uint8_t>(Type::Bool, {0b1010'1101, 0b0000'0011});
  flags.values.rows = 10;
  expect_block(flags, bytes_of<uint8_t>({0b1010'1101, 0b0000'0011}));
}

TEST(IdvEncoder, NullKeysAreZeroAndNullFloatsNaN) {
  test::Made keys = made<uint8_t>(Type::key(Type::UInt8, 3), {3, 99, 1});
  keys.miss({1});
  expect_block(keys, bytes_of<uint8_t>({3, 0, 1}));

  test::Made floats = made<float>(Type::Float32, {1.5f, 2.5f});
  floats.miss({0});
  expect_block(floats, bytes_of<float>({std::numeric_limits<float>::quiet_NaN(), 2.5f}));
}

TEST(IdvEncoder, TextsEndWhereTheirUtf16Ends) {
  expect_block(made_text({"a\u00e5", "", "\u20ac\U0001F600", "z"}),
               bytes_of<int32_t>({4, 2, 2, 5, 6}) +
                   "\x0b"
                   "a\u00e5\u20ac\U0001F600z");
}

TEST(IdvEncoder, OffsetsOfTimesComeBeforeTicks) {
  expect_block(made<DateTimeOffset>(Type::DateTimeOffset,
                                    {{.ticks = 5, .minutes = -60}, {.ticks = 7, .minutes = 840}}),
               bytes_of<int16_t>({-60, 840}) + bytes_of<int64_t>({5, 7}));
}

TEST(IdvEncoder, DenseVectorsOfOneLength) {
  const std::string block = bytes_of<int32_t>({2, 2, -1, -1, 0}) + bytes_of<int16_t>({1, 2, 3, 4});
  const std::vector<Row<int16_t>> rows = {{2, {1, 2}}, {2, {3, 4}}};
  expect_block(made_vector(Type::vector(Type::Int16, 2), rows), block);
  expect_block(made_vector(Type::vector(Type::Int16), rows), block);
}

TEST(IdvEncoder, VectorsOfMixedLengthsDenseAndSparse) {
  const std::vector<Row<int16_t>> rows = {{2, {1, 2}}, {9, {3, 4}, {5, 8}}, {0, {}}, {4, {}}};
  expect_block(made_vector(Type::vector(Type::Int16), rows),
               bytes_of<int32_t>({4, 0, 2, 9, 0, 4, -1, 2, -1, 0, 2, 5, 8}) +
                   bytes_of<int16_t>({1, 2, 3, 4}));
}

TEST(IdvEncoder, SparseVectorsOfOneLength) {
  const std::vector<Row<int16_t>> rows = {{9, {3}, {5}}, {9, {}}, {9, {4}, {0}}};
  expect_block(made_vector(Type::vector(Type::Int16), rows),
               bytes_of<int32_t>({3, 9, 1, 0, 1, 2, 5, 0}) + bytes_of<int16_t>({3, 4}));
}

TEST(IdvEncoder, VectorsThatAreAllEmptyHaveNoCommonLength) {
  const std::vector<Row<int16_t>> rows = {{0, {}}, {0, {}}, {0, {}}};
  expect_block(made_vector(Type::vector(Type::Int16), rows),
               bytes_of<int32_t>({3, 0, 0, 0, 0, -1, -1, -1, 0}));
}

TEST(IdvEncoder, FullSparseRowsAreDense) {
  const std::vector<Row<int16_t>> rows = {{2, {1, 2}, {0, 1}}};
  expect_block(made_vector(Type::vector(Type::Int16, 2), rows),
               bytes_of<int32_t>({1, 2, -1, 0}) + bytes_of<int16_t>({1, 2}));
}

TEST(IdvEncoder, ForgetsWhatItEncoded) {
  const test::Made vectors = made_vector(Type::vector(Type::Int16, 2),
                                         std::vector<Row<int16_t>>{{2, {1, 2}}, {2, {7}, {1}}});
  const auto encoder = idv::make_encoder(vectors.values.type);
  idv::Bytes first, second;
  encoder->append(vectors.values, {0, 2});
  encoder->encode(first);
  encoder->append(vectors.values, {0, 2});
  encoder->encode(second);
  EXPECT_EQ(first, second);
}

}  // namespace
}  // namespace heron

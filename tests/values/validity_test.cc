// Every null encoding against a plain loop, at every number of rows up to 200.
#include "values/validity.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "kit/guarded_bytes.h"
#include "kit/made_table.h"
#include "values/bitmap.h"

namespace heron {
namespace {

constexpr uint64_t kMaxRows = 200;

// Returns flags of which none, half of them at random, or all are set.
std::vector<bool> flags_of(uint64_t rows, int how_many) {
  std::mt19937 random(static_cast<uint32_t>(rows));
  std::vector<bool> flags(rows);
  for (uint64_t i = 0; i < rows; ++i) flags[i] = how_many == 2 || (how_many == 1 && random() % 2);
  return flags;
}

void expect_null(const Values& values, const std::vector<bool>& nulls) {
  const auto count = static_cast<uint64_t>(std::count(nulls.begin(), nulls.end(), true));
  ASSERT_EQ(values.null_count, count) << nulls.size() << " rows";
  ASSERT_EQ(values.validity.data == nullptr, count == 0) << nulls.size() << " rows";
  for (uint64_t i = 0; i < nulls.size(); ++i) {
    ASSERT_EQ(values.is_null(i), nulls[i]) << "row " << i << " of " << nulls.size();
  }
  if (count != 0 && nulls.size() % 8 != 0) {
    ASSERT_EQ(std::to_integer<unsigned>(values.validity.data[nulls.size() / 8]) >> nulls.size() % 8,
              0u);
  }
}

template <class T>
T null_cell() {
  if constexpr (std::is_floating_point_v<T>)
    return -std::numeric_limits<T>::quiet_NaN();
  else
    return std::numeric_limits<T>::min();
}

template <class T>
void expect_validity_of_cells(Type::Id stored, NullEncoding rule) {
  GuardedBytes guarded(kMaxRows * sizeof(T));
  for (uint64_t rows = 0; rows <= kMaxRows; ++rows) {
    for (int how_many = 0; how_many < 3; ++how_many) {
      const std::vector<bool> nulls = flags_of(rows, how_many);
      std::vector<T> cells(rows, T{1});
      for (uint64_t i = 0; i < rows; ++i) {
        if (nulls[i]) cells[i] = null_cell<T>();
      }
      const auto held = guarded.hold(std::as_bytes(std::span(cells)));
      Arena arena;
      Values values(stored, rows);
      set_validity_from_cells(values, stored, rule, held.data(), arena);
      ASSERT_NO_FATAL_FAILURE(expect_null(values, nulls)) << Type(stored).name();
    }
  }
}

TEST(Validity, TheMinimumOfEverySignedTypeIsNull) {
  expect_validity_of_cells<int8_t>(Type::Bool, NullEncoding::Sentinel);
  expect_validity_of_cells<int8_t>(Type::Int8, NullEncoding::Sentinel);
  expect_validity_of_cells<int16_t>(Type::Int16, NullEncoding::Sentinel);
  expect_validity_of_cells<int32_t>(Type::Int32, NullEncoding::Sentinel);
  expect_validity_of_cells<int32_t>(Type::Date32, NullEncoding::Sentinel);
  expect_validity_of_cells<int64_t>(Type::Int64, NullEncoding::Sentinel);
  expect_validity_of_cells<int64_t>(Type::Timestamp, NullEncoding::Sentinel);
}

TEST(Validity, ANaNOfEitherSignIsNull) {
  expect_validity_of_cells<float>(Type::Float32, NullEncoding::NaN);
  expect_validity_of_cells<double>(Type::Float64, NullEncoding::NaN);
}

TEST(Validity, CountsMoreThanAByteOrTwoHold) {
  for (const uint64_t rows : {255 * 64 - 1, 255 * 64 + 1, 70'000}) {
    const std::vector<int8_t> cells(rows, INT8_MIN);
    Arena arena;
    Values values(Type::Int8, rows);
    set_validity_from_cells(values, Type::Int8, NullEncoding::Sentinel,
                            std::as_bytes(std::span(cells)).data(), arena);
    EXPECT_EQ(values.null_count, rows);
  }
}

TEST(Validity, RulesWithoutMarkedCellsLeaveValuesAlone) {
  const int32_t cell = INT32_MIN;
  for (const auto rule : {NullEncoding::Never, NullEncoding::Bitmap, NullEncoding::BitmapOrNaN}) {
    Arena arena;
    Values values(Type::Int32, 1);
    set_validity_from_cells(values, Type::Int32, rule, std::as_bytes(std::span(&cell, 1)).data(),
                            arena);
    EXPECT_EQ(values.null_count, 0);
    EXPECT_EQ(values.validity.data, nullptr);
  }
}

TEST(Validity, FlagsBecomeBits) {
  GuardedBytes guarded(kMaxRows);
  for (uint64_t rows = 0; rows <= kMaxRows; ++rows) {
    for (int how_many = 0; how_many < 3; ++how_many) {
      const std::vector<bool> nulls = flags_of(rows, how_many);
      std::vector<std::byte> valid(rows);
      for (uint64_t i = 0; i < rows; ++i) valid[i] = std::byte{!nulls[i]};
      const auto held = guarded.hold(valid);
      Arena arena;
      Values values(Type::Text, rows);
      set_validity_from_flags(values, reinterpret_cast<const uint8_t*>(held.data()), arena);
      ASSERT_NO_FATAL_FAILURE(expect_null(values, nulls));
    }
  }
}

TEST(Validity, BytesThatAreNotZeroBecomeSetBits) {
  std::vector<std::byte> bytes(kMaxRows);
  for (uint64_t i = 0; i < kMaxRows; ++i) bytes[i] = static_cast<std::byte>(i % 3 * 0x40);
  for (uint64_t rows = 0; rows <= kMaxRows; ++rows) {
    Arena arena;
    const std::byte* bits = pack_bools(bytes.data(), rows, arena);
    for (uint64_t i = 0; i < rows; ++i)
      ASSERT_EQ(get_bit(bits, i), i % 3 != 0) << i << " of " << rows;
  }
}

TEST(Validity, DroppedNaNsJoinThoseNullAlready) {
  std::vector<double> cells = {1, std::numeric_limits<double>::quiet_NaN(), 3, -null_cell<double>(),
                               5};
  const std::byte clear_at_0_and_3{0b10110};
  Arena arena;
  Values values(Type::Float64, cells.size());
  const std::byte* stored = std::as_bytes(std::span(cells)).data();
  drop_nans(values, Type::Float64, stored, arena);
  expect_null(values, {false, true, false, true, false});

  set_validity(values, &clear_at_0_and_3);
  drop_nans(values, Type::Float64, stored, arena);
  expect_null(values, {true, true, false, true, false});
}

TEST(Validity, BitsOfConsecutiveRowsAndOfAny) {
  const std::vector<bool> flags = flags_of(kMaxRows, 1);
  Pieces pieces;
  const Piece piece = pieces.add(flags, 3);
  for (const bool mapped : {true, false}) {
    const auto source = pieces.source(mapped);
    const ByteView bitmap = piece.in(*source);
    for (uint64_t first = 0; first <= kMaxRows; ++first) {
      Arena arena;
      const std::byte* read = read_bits(bitmap, {first, kMaxRows}, arena, {});
      std::vector<uint64_t> rows;
      for (uint64_t row = kMaxRows; row-- > first;) rows.push_back(row);
      const std::byte* taken = take_bits(bitmap, rows, arena, {});
      for (uint64_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(get_bit(read, i), flags[first + i]) << first << ' ' << i;
        ASSERT_EQ(get_bit(taken, i), flags[rows[i]]) << first << ' ' << i;
      }
    }
  }
}

// A dictionary may have the type null, and its codes may be null.
TEST(Validity, ValuesOfTypeNullStayNull) {
  Arena arena;
  Values codes(Type::UInt8, 9);
  const std::byte bits[2] = {std::byte{0x55}, std::byte{1}};
  set_validity(codes, bits);
  ASSERT_EQ(codes.null_count, 4u);
  Values nulls(Type::Null, 9);
  nulls.null_count = 9;
  drop_nulls_of(codes, nulls, arena);
  EXPECT_EQ(nulls.null_count, 9u);
  EXPECT_EQ(nulls.validity.data, nullptr);
}

}  // namespace
}  // namespace heron

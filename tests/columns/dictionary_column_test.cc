// Codes of values in a dictionary: every kind of code, codes without a value, and when the table is
// decoded.
#include "columns/dictionaries/dictionary_column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "columns/bit_column.h"
#include "columns/fixed_column.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/sums.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

// A dictionary in which the value of code c is c / 2; it counts its calls.
class Halves final : public Dictionary {
 public:
  explicit Halves(uint64_t size) : Dictionary(Type::Float64, size) {}
  void decode(uint64_t first, uint64_t count, std::byte* cells, const Context&) const override {
    for (uint64_t i = 0; i < count; ++i) {
      const double value = static_cast<double>(first + i) / 2;
      std::memcpy(cells + i * sizeof value, &value, sizeof value);
    }
    ++(count == size() ? whole : single);
  }
  mutable int whole = 0, single = 0;
};

constexpr uint64_t kDictionaryRows = 500;

struct Coded {
  TableMaker maker{kDictionaryRows};
  std::shared_ptr<Halves> halves;
  std::vector<uint32_t> codes;
};

template <class T>
Coded coded(Type type, uint64_t size, uint64_t largest, CodePastEnd past_end = CodePastEnd::Corrupt,
            std::endian order = std::endian::little) {
  Coded made;
  made.halves = std::make_shared<Halves>(size);
  std::mt19937_64 random(2);
  std::vector<T> stored;
  for (uint64_t i = 0; i < kDictionaryRows; ++i) {
    made.codes.push_back(i == 321 ? static_cast<uint32_t>(largest)
                                  : static_cast<uint32_t>(random() % std::min(size, largest + 1)));
    auto code = static_cast<T>(made.codes.back());
    if (order == std::endian::big && sizeof(T) == 2) code = static_cast<T>(code << 8 | code >> 8);
    stored.push_back(code);
  }
  const Piece piece = made.maker.pieces.add(stored);
  made.maker.add("c",
                 [=, halves = made.halves](const ByteSource& source, uint64_t rows,
                                           ColumnLabel label) -> ColumnPtr {
                   ColumnPtr codes;
                   if constexpr (std::is_same_v<T, bool>) {
                     codes = std::make_unique<BitColumn>(rows, label, piece.in(source), ByteView(),
                                                         NullEncoding::Never);
                   } else {
                     FixedCells cells{piece.in(source)};
                     cells.order = order;
                     codes = std::make_unique<FixedColumn>(type, rows, label, cells);
                   }
                   return std::make_unique<DictionaryColumn>(std::move(label), std::move(codes),
                                                             halves, past_end);
                 });
  return made;
}

void expect_halves(const Coded& made) {
  for (const bool mapped : {true, false}) {
    const Projection columns(made.maker.table(mapped));
    const RowBatch all = read(columns, {0, kDictionaryRows});
    const std::vector<uint64_t> few = {321, 0, 499, 0};
    std::vector<uint64_t> many;
    for (uint64_t i = 0; i < 100; ++i) many.push_back(kDictionaryRows - 1 - i);
    const RowBatch taken_few = take(columns, few), taken_many = take(columns, many);
    RowView view(columns);
    double total = 0;
    for (uint64_t row = 0; row < kDictionaryRows; ++row) {
      ASSERT_EQ(all.columns[0].get<double>(row), made.codes[row] / 2.0);
      view.seek(row);
      ASSERT_EQ(view.get<double>(0), made.codes[row] / 2.0);
      total += made.codes[row] / 2.0;
    }
    for (uint64_t i = 0; i < few.size(); ++i) {
      EXPECT_EQ(taken_few.columns[0].get<double>(i), made.codes[few[i]] / 2.0);
    }
    for (uint64_t i = 0; i < many.size(); ++i) {
      EXPECT_EQ(taken_many.columns[0].get<double>(i), made.codes[many[i]] / 2.0);
    }
    EXPECT_EQ(sum(columns, 0), total);
  }
}

TEST(DictionaryColumn, OfBits) {
  expect_halves(coded<bool>(Type::Bool, 2, 1));
}
TEST(DictionaryColumn, OfBytes) {
  expect_halves(coded<uint8_t>(Type::UInt8, 256, 255));
}
TEST(DictionaryColumn, OfTwoBytesInEitherOrder) {
  expect_halves(coded<uint16_t>(Type::UInt16, 32767, 32766));
  expect_halves(
      coded<uint16_t>(Type::UInt16, 32767, 32766, CodePastEnd::Corrupt, std::endian::big));
}
TEST(DictionaryColumn, OfFourBytes) {
  expect_halves(coded<uint32_t>(Type::UInt32, 100'000, 99'999));
}

TEST(DictionaryColumn, ASingleRowDoesNotDecodeTheTable) {
  const Coded made = coded<uint8_t>(Type::UInt8, 200, 199);
  const Projection columns(made.maker.table());
  const uint64_t row = 7;
  take(columns, {&row, 1});
  RowView view(columns);
  view.seek(9);
  view.get<double>(0);
  EXPECT_EQ(made.halves->whole, 0);
  EXPECT_EQ(made.halves->single, 2);
  read(columns, {0, kDictionaryRows});
  read(columns, {0, kDictionaryRows});
  EXPECT_EQ(made.halves->whole, 1);
}

TEST(DictionaryColumn, ACodeWithoutAValueIsDamageOfItsRow) {
  for (const bool mapped : {true, false}) {
    const Coded made = coded<uint8_t>(Type::UInt8, 200, 200);
    const Projection columns(made.maker.table(mapped));
    const Error error = error_of([&] { read(columns, {0, kDictionaryRows}); });
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    EXPECT_THAT(error.what(), HasSubstr("\"c\" row 321: expected a code below 200, got 200"));
    RowView view(columns);
    view.seek(321);
    EXPECT_EQ(error_of([&] { view.get<double>(0); }).kind(), ErrorKind::Corrupt);
    EXPECT_EQ(error_of([&] { sum(columns, 0); }).kind(), ErrorKind::Corrupt);
    EXPECT_EQ(read(columns, {0, 321}).columns[0].get<double>(5), made.codes[5] / 2.0);
    view.seek(322);
    EXPECT_EQ(view.get<double>(0), made.codes[322] / 2.0);
  }
}

TEST(DictionaryColumn, OrZeroWhereThatIsWhatItMeans) {
  const Coded made = coded<uint8_t>(Type::UInt8, 200, 255, CodePastEnd::Zero);
  const Projection columns(made.maker.table());
  EXPECT_EQ(read(columns, {0, kDictionaryRows}).columns[0].get<double>(321), 0);
  EXPECT_EQ(read(columns, {0, kDictionaryRows}).columns[0].get<double>(320), made.codes[320] / 2.0);
  RowView view(columns);
  view.seek(321);
  EXPECT_EQ(view.get<double>(0), 0);
  double total = 0;
  for (uint64_t row = 0; row < kDictionaryRows; ++row)
    total += row == 321 ? 0 : made.codes[row] / 2.0;
  EXPECT_EQ(sum(columns, 0), total);
}

// Rows are grouped by codes, which are looked up in as many numbers as the dictionary has values.
TEST(DictionaryColumn, RowsAreNotGroupedByACodeWithoutAValue) {
  const Aggregate rows{.name = "rows"};
  for (const bool mapped : {true, false}) {
    for (const uint64_t largest : {300, 301, 65535}) {
      const Coded made = coded<uint16_t>(Type::UInt16, 300, largest);
      Query query(made.maker.table(mapped));
      query.by = {"c"};
      EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { group_by(query, {&rows, 1}); }),
                  HasSubstr("\"c\" row 321: expected a code below 300"));
    }
    const Coded made = coded<uint16_t>(Type::UInt16, 300, 299);
    Query query(made.maker.table(mapped));
    query.by = {"c"};
    const std::set<uint32_t> codes(made.codes.begin(), made.codes.end());
    EXPECT_EQ(group_by(query, {&rows, 1}).rows, codes.size());
  }
}

TEST(DictionaryColumn, TheTableIsChargedToTheBudget) {
  const Coded made = coded<uint16_t>(Type::UInt16, 32767, 5);
  const auto table = made.maker.table();
  const Projection columns(table);
  Context context;
  context.memory = std::make_shared<MemoryBudget>(100'000);
  EXPECT_EQ(error_of([&] {
              read(columns, {0, kDictionaryRows}, context);
            }).kind(),
            ErrorKind::Limit);
  EXPECT_EQ(read(columns, {0, kDictionaryRows}).columns[0].get<double>(0), made.codes[0] / 2.0);
}

}  // namespace
}  // namespace heron

// Keys: 0 is null, the values of the others are loaded once, and a key without a value is damage.
#include "columns/dictionaries/key_column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fail.h"
#include "columns/fixed_column.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "table/internals.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;

class KeyColumnTest : public testing::TestWithParam<bool> {
 protected:
  template <class T>
  std::shared_ptr<const Table> keys(Type::Id stored, const std::vector<T>& numbers) {
    TableMaker maker(numbers.size());
    const Piece piece = maker.pieces.add(numbers, 1);
    const auto values = std::make_shared<KeyValues>([this](const Context&) {
      ++loads;
      if (fails) fail(ErrorKind::Corrupt, "made", "no values");
      return read(Projection(TableMaker(3).texts("v", {"one", "two", "three"}).table(true)),
                  {0, 3});
    });
    maker.add("k", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      return std::make_unique<KeyColumn>(
          label,
          std::make_unique<FixedColumn>(Type::key(stored, 3), rows, label,
                                        FixedCells{piece.in(source), {}, NullEncoding::Zero}),
          values);
    });
    return maker.table(GetParam());
  }
  int loads = 0;
  bool fails = false;
};

TEST_P(KeyColumnTest, stands_for_values_of_any_width_of_number) {
  const auto check = [](const std::shared_ptr<const Table>& table, auto zero) {
    const std::vector<uint64_t> rows{3, 0, 1, 2};
    const RowBatch taken = take(Projection(table), rows);
    const RowBatch all = read(Projection(table), {0, 4});
    EXPECT_EQ(taken.columns[0].type.name(), concat("key<uint", sizeof zero * 8, ">[3]"));
    for (const RowBatch* batch : {&taken, &all}) {
      const Values& keys = batch->columns[0];
      const uint64_t nulls = batch == &taken ? 2 : 1;
      EXPECT_EQ(keys.null_count, 1u);
      EXPECT_TRUE(keys.is_null(nulls));
      const uint64_t last = batch == &taken ? 0 : 3;
      EXPECT_EQ(keys.get<decltype(zero)>(last), 2);
      EXPECT_EQ(keys.children[0].text(keys.get<decltype(zero)>(last) - 1), "two");
    }
    RowView view{Projection(table)};
    view.seek(1);
    EXPECT_TRUE(view.is_null(0));
    view.seek(0);
    EXPECT_EQ(view.get<decltype(zero)>(0), 1);
  };
  check(keys<uint8_t>(Type::UInt8, {1, 0, 3, 2}), uint8_t{});
  check(keys<uint16_t>(Type::UInt16, {1, 0, 3, 2}), uint16_t{});
  check(keys<uint32_t>(Type::UInt32, {1, 0, 3, 2}), uint32_t{});
  check(keys<uint64_t>(Type::UInt64, {1, 0, 3, 2}), uint64_t{});
  EXPECT_EQ(loads, 4);
}

TEST_P(KeyColumnTest, one_above_the_values_is_damage_of_its_row) {
  const auto table = keys<uint16_t>(Type::UInt16, {1, 4, 3});
  const std::vector<uint64_t> rows{0, 1};
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { take(Projection(table), rows); }),
              HasSubstr("column \"k\" row 1: expected a key up to 3, got 4"));
  EXPECT_EQ(read(Projection(table), {2, 3}).columns[0].get<uint16_t>(0), 3);
}

TEST_P(KeyColumnTest, values_that_failed_to_load_are_loaded_again) {
  const auto table = keys<uint8_t>(Type::UInt8, {1});
  fails = true;
  EXPECT_THAT(error_of(ErrorKind::Corrupt,
                       [&] {
                         read(Projection(table), {0, 1});
                       }),
              HasSubstr("no values"));
  fails = false;
  EXPECT_EQ(read(Projection(table), {0, 1}).columns[0].children[0].rows, 3u);
}

TEST_P(KeyColumnTest, tells_what_its_keys_stand_for) {
  const auto table = keys<uint32_t>(Type::UInt32, {1, 0, 3, 2});
  const KeyValues* values = internals(*table).column(0).key_values();
  ASSERT_NE(values, nullptr);
  EXPECT_EQ(loads, 0);
  EXPECT_EQ(values->type({}), Type(Type::Text));
  EXPECT_EQ(loads, 1);
  EXPECT_EQ(values->values({}).text(2), "three");
  const KeyValues known([](const Context&) -> RowBatch { fail(ErrorKind::Corrupt, {}, "read"); },
                        Type::Int8);
  EXPECT_EQ(known.type({}), Type(Type::Int8));
  EXPECT_EQ(internals(*TableMaker(0).null("n").table()).column(0).key_values(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(, KeyColumnTest, testing::Bool());

}  // namespace
}  // namespace heron

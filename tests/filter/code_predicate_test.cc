// Predicates on columns of codes and of keys with values have the results of predicates on the
// values themselves, also for codes of null values. A code without a value is the same damage as in
// reading.
#include "filter/code_predicate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/fail.h"
#include "cache/block_column.h"
#include "columns/bit_column.h"
#include "columns/dictionaries/dictionary_column.h"
#include "columns/dictionaries/key_column.h"
#include "columns/fixed_column.h"
#include "columns/row_bits.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/special_numbers.h"
#include "table/internals.h"
#include "values/scalar.h"

namespace heron {
namespace {

using test::error_of;
using testing::HasSubstr;
using PieceKind = LikePattern::Piece::Kind;
using IsTrue = std::function<bool(const ScalarView&)>;

constexpr uint64_t kCodedRows = 300;
constexpr uint64_t kBlockRows = 100;

bool is_null(const ScalarView& value) {
  return std::holds_alternative<std::monostate>(value);
}

// A test, and a function that gives its result for a value.
struct Tested {
  std::unique_ptr<const ColumnPredicate> test;
  IsTrue is_true;
};

// Returns the bits of all rows of a chunk.
std::vector<uint64_t> filtered(const ColumnPredicate& test, const ColumnChunk& chunk) {
  std::vector<uint64_t> bits;
  set_first_bits(bits, chunk.rows.rows());
  test.filter(chunk, bits.data(), {});
  return bits;
}

void check_zone(const Tested& tested, const ColumnChunk& chunk, uint64_t true_rows) {
  const uint64_t rows = chunk.rows.rows();
  const PruneResult prune = tested.test->prune(zone_of(chunk), rows);
  if (prune == PruneResult::None) {
    EXPECT_EQ(true_rows, 0u);
  }
  if (prune == PruneResult::All) {
    EXPECT_EQ(true_rows, rows);
  }
  if (rows == 1) {
    EXPECT_NE(prune, true_rows == 1 ? PruneResult::None : PruneResult::All);
  }
}

// Checks chunks within a block and across, from the first row and from odd ones; with the largest
// code unknown, exact or too large.
void check(const Column& column, const Tested& tested) {
  for (const RowRange rows : {RowRange{0, kCodedRows}, RowRange{3, 4}, RowRange{7, 77},
                              RowRange{100, 200}, RowRange{131, 300}, RowRange{99, 101}}) {
    Arena arena;
    ColumnChunk chunk = column.chunk(rows, arena, {});
    const Values values = column.read(rows, arena, {});
    std::vector<uint64_t> expected(bit_words(rows.rows()));
    for (uint64_t i = 0; i < rows.rows(); ++i) {
      expected[i / 64] |= uint64_t{tested.is_true(scalar_at(values, i))} << i % 64;
    }
    const Zone zone = zone_of(chunk);
    for (const auto& known : {std::optional<uint64_t>(), std::optional(zone.high),
                              std::optional(zone.high + 1), std::optional(UINT64_MAX)}) {
      chunk.largest_code = known;
      EXPECT_EQ(filtered(*tested.test, chunk), expected) << rows.first << " .. " << rows.last;
    }
    check_zone(tested, chunk, count_bits(expected));
  }
}

// Returns the tests is null, is not null, and a set, which must outlive them.
std::vector<Tested> tests_of(const Column& column, const InSet& test, IsTrue in_set) {
  std::vector<Tested> all;
  all.push_back({make_predicate(test, column, {}), std::move(in_set)});
  all.push_back({make_predicate(IsNull{0, false}, column, {}), is_null});
  all.push_back({make_predicate(IsNull{0, true}, column, {}),
                 [](const ScalarView& value) { return !is_null(value); }});
  return all;
}

// Expects all tests to fail as reading does for chunks with the row, and no other chunk to fail.
void check_damage(const Column& column, const std::vector<Tested>& all, uint64_t row,
                  const std::string& text) {
  for (const Tested& tested : all) {
    for (const RowRange rows : {RowRange{0, kCodedRows}, RowRange{row, row + 1}}) {
      Arena arena;
      ColumnChunk chunk;
      const auto test = [&] {
        chunk = column.chunk(rows, arena, {});
        filtered(*tested.test, chunk);
      };
      const std::string error = error_of(ErrorKind::Corrupt, test);
      EXPECT_THAT(error, HasSubstr(text));
      EXPECT_EQ(error, error_of(ErrorKind::Corrupt, [&] { column.read(rows, arena, {}); }));
      if (chunk.cells) {
        EXPECT_EQ(tested.test->prune(zone_of(chunk), rows.rows()), PruneResult::Some);
      }
    }
    // The bound is that of more rows than these.
    Arena arena;
    ColumnChunk before = column.chunk({row - 7, row}, arena, {});
    const Values values = column.read(before.rows, arena, {});
    before.largest_code = UINT64_MAX;
    const std::vector<uint64_t> bits = filtered(*tested.test, before);
    for (uint64_t i = 0; i < 7; ++i) {
      EXPECT_EQ(bits[0] >> i & 1, tested.is_true(scalar_at(values, i)));
    }
  }
}

// A column of keys in blocks.
template <class Number>
class KeyBlocks final : public BlockSource {
 public:
  KeyBlocks(Type type, std::vector<Number> numbers, std::shared_ptr<const KeyValues> values)
      : type_(std::move(type)), numbers_(std::move(numbers)), values_(std::move(values)) {}
  const std::string& name() const noexcept override { return name_; }
  uint64_t frame_bytes(uint64_t, const Context&) const override {
    return kBlockRows * sizeof(Number);
  }
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context&) const override {
    std::memcpy(frame.memory, &numbers_[block * kBlockRows], rows * sizeof(Number));
    const ColumnLabel label{"k", "made"};
    return std::make_unique<KeyColumn>(
        label,
        std::make_unique<FixedColumn>(
            type_, rows, label,
            FixedCells{{frame.source, 0, rows * sizeof(Number)}, {}, NullEncoding::Zero}),
        values_);
  }

 private:
  std::string name_ = "made";
  Type type_;
  std::vector<Number> numbers_;
  std::shared_ptr<const KeyValues> values_;
};

class CodeTests : public testing::TestWithParam<bool> {
 protected:
  // Returns key values: the values of a table of one column.
  static std::shared_ptr<const KeyValues> key_values(const std::shared_ptr<const Table>& table) {
    return std::make_shared<KeyValues>([table](const Context&) {
      return read(Projection(table), {0, table->rows()});
    });
  }
  static std::shared_ptr<const KeyValues> texts() {
    return key_values(
        TableMaker(5).texts("v", {"one", std::nullopt, "three", "four", "twelve"}).table());
  }

  // Calls work(column) for keys in place and in blocks.
  template <class Number, class Work>
  void with_keys(Type::Id stored, uint64_t most, const std::vector<Number>& numbers,
                 const std::shared_ptr<const KeyValues>& values, Work work) {
    const Type type = Type::key(stored, most);
    TableMaker maker(numbers.size());
    const Piece piece = maker.pieces.add(numbers, 1);
    maker.add("k", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      return std::make_unique<KeyColumn>(
          label,
          std::make_unique<FixedColumn>(type, rows, label,
                                        FixedCells{piece.in(source), {}, NullEncoding::Zero}),
          values);
    });
    maker.add("b", [=](const ByteSource&, uint64_t rows, ColumnLabel label) {
      return std::make_unique<BlockColumn>(
          type, rows, std::move(label), kBlockRows, true,
          std::make_shared<KeyBlocks<Number>>(type, numbers, values),
          std::make_shared<BlockCache>(1 << 20), values);
    });
    const Projection projection(maker.table(GetParam()));
    for (const Column* column : internals(projection).columns()) work(*column);
  }

  template <class Number>
  static std::vector<Number> numbers_below(uint64_t end) {
    std::vector<Number> numbers(kCodedRows);
    for (uint64_t i = 0; i < kCodedRows; ++i) numbers[i] = static_cast<Number>(i * i % 31 % end);
    return numbers;
  }
};

TEST_P(CodeTests, KeysAreTheTextsTheyStandFor) {
  const auto check_type = [this]<class Number>(Type::Id stored, Number) {
    with_keys(stored, 5, numbers_below<Number>(6), texts(), [](const Column& column) {
      const InSet set{0, {std::vector<TextInterval>{{"four", "four\x01"}, {"t", "tw"}}, false}};
      const auto in_set = [](const ScalarView& value) {
        const auto* text = std::get_if<std::string_view>(&value);
        return text != nullptr && (*text == "four" || *text == "three");
      };
      for (const Tested& tested : tests_of(column, set, in_set)) check(column, tested);
      for (const bool negated : {false, true}) {
        const IsLike like{0, {{{PieceKind::Any, {}}, {PieceKind::Text, "e"}}}, negated};
        check(column, {make_predicate(like, column, {}), [=](const ScalarView& value) {
                         const auto* text = std::get_if<std::string_view>(&value);
                         return text != nullptr && text->ends_with('e') != negated;
                       }});
      }
    });
  };
  check_type(Type::UInt8, uint8_t{});
  check_type(Type::UInt16, uint16_t{});
  check_type(Type::UInt32, uint32_t{});
  check_type(Type::UInt64, uint64_t{});
}

TEST_P(CodeTests, KeysAreTheNumbersTheyStandFor) {
  for (const NullEncoding rule : {NullEncoding::NaN, NullEncoding::Never}) {
    const auto values =
        key_values(TableMaker(4)
                       .fixed("v", Type::Float64, std::vector<double>{2, kNaN, -0.0, 7}, rule)
                       .table());
    with_keys(Type::UInt8, 4, numbers_below<uint8_t>(5), values, [](const Column& column) {
      for (const bool nan : {false, true}) {
        const InSet set{0, {std::vector<Interval<double>>{{0, 2}}, nan}};
        const auto in_set = [nan](const ScalarView& value) {
          const auto* number = std::get_if<double>(&value);
          if (number == nullptr) return false;
          return *number != *number ? nan : 0 <= *number && *number <= 2;
        };
        for (const Tested& tested : tests_of(column, set, in_set)) check(column, tested);
      }
    });
  }
}

TEST_P(CodeTests, KeysOfNothingButNullValues) {
  const auto none = key_values(TableMaker(2).null("v").table());
  with_keys(Type::UInt8, 2, numbers_below<uint8_t>(3), none, [](const Column& column) {
    const InSet empty{0, {}};
    const auto never = [](const ScalarView&) { return false; };
    for (const Tested& tested : tests_of(column, empty, never)) check(column, tested);
  });
}

TEST_P(CodeTests, AKeyAboveTheirCountIsDamage) {
  auto numbers = numbers_below<uint16_t>(6);
  numbers[177] = 6;
  with_keys(Type::UInt16, 5, numbers, texts(), [](const Column& column) {
    const InSet set{0, {std::vector<TextInterval>{{"t", "tw"}}, false}};
    const auto in_set = [](const ScalarView& value) {
      const auto* text = std::get_if<std::string_view>(&value);
      return text != nullptr && *text == "three";
    };
    std::vector<Tested> all = tests_of(column, set, in_set);
    const IsLike like{0, {{{PieceKind::Any, {}}, {PieceKind::Text, "ee"}}}, false};
    all.push_back({make_predicate(like, column, {}), in_set});
    check_damage(column, all, 177, "expected a key up to 5, got 6");
  });
}

// The value of code c is c + 0.5.
class Halves final : public Dictionary {
 public:
  explicit Halves(uint64_t size) : Dictionary(Type::Float64, size) {}
  void decode(uint64_t first, uint64_t count, std::byte* cells, const Context&) const override {
    for (uint64_t i = 0; i < count; ++i) {
      const double value = static_cast<double>(first + i) + 0.5;
      std::memcpy(cells + i * sizeof value, &value, sizeof value);
    }
  }
};

// Returns the tests of columns with values of Halves.
std::vector<Tested> tests_of_halves(const Column& column) {
  static const InSet set{0, {std::vector<Interval<double>>{{0, 0}, {1, 2}, {3.5, 9}}, false}};
  return tests_of(column, set, [](const ScalarView& value) {
    const double number = std::get<double>(value);
    return number == 0 || (1 <= number && number <= 2) || (3.5 <= number && number <= 9);
  });
}

class CodesPastEnd : public CodeTests {
 protected:
  // Checks codes, of which that of row 177 is `size`, one past the end.
  template <class Code>
  void check_codes(Type::Id type, uint64_t size, CodePastEnd past_end, Code) {
    auto codes = numbers_below<Code>(size);
    codes[177] = static_cast<Code>(size);
    TableMaker maker(kCodedRows);
    const Piece piece = maker.pieces.add(codes, 1);
    check_table(maker, size, past_end, [=](const ByteSource& source, uint64_t rows) {
      return std::make_unique<FixedColumn>(type, rows, ColumnLabel{}, FixedCells{piece.in(source)});
    });
  }
  template <class OpenCodes>
  void check_table(TableMaker& maker, uint64_t size, CodePastEnd past_end, OpenCodes open) {
    maker.add("c", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      return std::make_unique<DictionaryColumn>(std::move(label), open(source, rows),
                                                std::make_shared<Halves>(size), past_end);
    });
    const Projection projection(maker.table(GetParam()));
    const Column& column = *internals(projection).columns()[0];
    const std::vector<Tested> all = tests_of_halves(column);
    if (past_end == CodePastEnd::Zero) {
      for (const Tested& tested : all) check(column, tested);
    } else {
      check_damage(column, all, 177, concat("row 177: expected a code below ", size));
    }
  }
};

TEST_P(CodesPastEnd, AreZeroOrDamage) {
  for (const CodePastEnd past_end : {CodePastEnd::Zero, CodePastEnd::Corrupt}) {
    check_codes(Type::UInt8, 20, past_end, uint8_t{});
    check_codes(Type::UInt16, 20, past_end, uint16_t{});
    check_codes(Type::UInt32, 5, past_end, uint32_t{});
    std::vector<bool> bits(kCodedRows);
    bits[177] = true;
    TableMaker maker(kCodedRows);
    const Piece piece = maker.pieces.add(bits, 1);
    check_table(maker, 1, past_end, [=](const ByteSource& source, uint64_t rows) {
      return std::make_unique<BitColumn>(rows, ColumnLabel{}, piece.in(source), ByteView{},
                                         NullEncoding::Never);
    });
  }
}

TEST_P(CodeTests, BitsAreCodesOfTwoValues) {
  std::vector<bool> bits(kCodedRows);
  for (uint64_t i = 0; i < kCodedRows; ++i) bits[i] = i * i % 7 < 3;
  TableMaker maker(kCodedRows);
  const Piece piece = maker.pieces.add(bits, 1);
  maker.add("c", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    return std::make_unique<DictionaryColumn>(
        label,
        std::make_unique<BitColumn>(rows, label, piece.in(source), ByteView{}, NullEncoding::Never),
        std::make_shared<Halves>(2));
  });
  const Projection projection(maker.table(GetParam()));
  const Column& column = *internals(projection).columns()[0];
  for (const Tested& tested : tests_of_halves(column)) check(column, tested);
}

INSTANTIATE_TEST_SUITE_P(MappedAndNot, CodeTests, testing::Bool());
INSTANTIATE_TEST_SUITE_P(MappedAndNot, CodesPastEnd, testing::Bool());

}  // namespace
}  // namespace heron

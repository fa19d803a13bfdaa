// Texts over offsets of either width, at any offset, with both null encodings.
#include "columns/text_column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/fail.h"
#include "error_of.h"
#include "kit/made_table.h"

namespace heron {
namespace {

using testing::HasSubstr;
using Texts = std::vector<std::optional<std::string>>;

struct Layout {
  bool large;
  bool mapped;
  uint64_t shift;
};

class TextColumns : public testing::TestWithParam<Layout> {
 protected:
  // `na` in an offset stands for the top bit of its width.
  static constexpr uint64_t na = uint64_t{1} << 63;

  void make(const std::vector<uint64_t>& offsets, const std::string& characters, NullEncoding nulls,
            const std::vector<bool>& valid = {}) {
    Pieces pieces;
    const Piece cells = GetParam().large ? pieces.add(offsets, GetParam().shift)
                                         : pieces.add(filter(offsets), GetParam().shift);
    const Piece text = pieces.add(std::vector<char>(characters.begin(), characters.end()));
    const Piece validity = pieces.add(valid);
    source_ = pieces.source(GetParam().mapped);
    const OffsetCells extents{cells.in(*source_), GetParam().large ? 8u : 4u, validity.in(*source_),
                              nulls, 0};
    column_ = std::make_unique<TextColumn>(offsets.size() - 1, ColumnLabel{"c", "made"}, extents,
                                           text.in(*source_));
  }
  static std::vector<uint32_t> filter(const std::vector<uint64_t>& offsets) {
    std::vector<uint32_t> out;
    for (const uint64_t offset : offsets) {
      out.push_back(static_cast<uint32_t>(offset) | static_cast<uint32_t>(offset >> 63) << 31);
    }
    return out;
  }

  Texts read(uint64_t first, uint64_t last) {
    return texts(column_->read({first, last}, arena_, {}));
  }
  Texts take(const std::vector<uint64_t>& rows) { return texts(column_->take(rows, arena_, {})); }

  // Returns the texts; checks that null texts, too, have a valid extent.
  static Texts texts(const Values& values) {
    Texts out;
    for (uint64_t i = 0; i < values.rows; ++i) {
      EXPECT_LE(values.extent(i), values.extent(i + 1)) << "row " << i;
      EXPECT_LE(values.extent(i + 1), values.data.bytes) << "row " << i;
      if (values.is_null(i))
        out.push_back(std::nullopt);
      else
        out.emplace_back(values.text(i));
    }
    EXPECT_EQ(values.null_count,
              static_cast<uint64_t>(std::count(out.begin(), out.end(), std::nullopt)));
    return out;
  }

  std::shared_ptr<const ByteSource> source_;
  std::unique_ptr<TextColumn> column_;
  Arena arena_;
};

TEST_P(TextColumns, AreReadAndTaken) {
  make({0, 2, 2, 5}, "abcde", NullEncoding::Never);
  EXPECT_EQ(read(0, 3), (Texts{"ab", "", "cde"}));
  EXPECT_EQ(read(1, 3), (Texts{"", "cde"}));
  EXPECT_EQ(read(2, 2), Texts{});
  EXPECT_EQ(take({2, 0, 2}), (Texts{"cde", "ab", "cde"}));
  EXPECT_EQ(take({}), Texts{});
}

TEST_P(TextColumns, MayBeginBehindTheFirstCharacter) {
  make({3, 4, 6}, "---abb", NullEncoding::Never);
  EXPECT_EQ(read(0, 2), (Texts{"a", "bb"}));
  EXPECT_EQ(take({1, 0}), (Texts{"bb", "a"}));
}

TEST_P(TextColumns, AreNullByTheBitOfTheirEnd) {
  make({0, 1, 1 | na, 3, 3 | na, 3}, "abb", NullEncoding::OffsetBit);
  const Texts all = {"a", std::nullopt, "bb", std::nullopt, ""};
  EXPECT_EQ(read(0, 5), all);
  for (uint64_t first = 0; first <= 5; ++first) {
    EXPECT_EQ(read(first, 5), Texts(all.begin() + static_cast<ptrdiff_t>(first), all.end()));
  }
  EXPECT_EQ(take({4, 3, 2, 1, 0}), Texts(all.rbegin(), all.rend()));
}

TEST_P(TextColumns, AreNullByABitmap) {
  make({0, 1, 2, 3}, "abc", NullEncoding::Bitmap, {true, false, true});
  EXPECT_EQ(read(0, 3), (Texts{"a", std::nullopt, "c"}));
  EXPECT_EQ(take({1, 2}), (Texts{std::nullopt, "c"}));
}

TEST_P(TextColumns, OffsetsMayDescendUnderANullRow) {
  make({0, 3, 1, 2}, "abc", NullEncoding::Bitmap, {true, false, true});
  EXPECT_EQ(read(0, 3), (Texts{"abc", std::nullopt, "b"}));
  make({0, 3, 1 | na, 2}, "abc", NullEncoding::OffsetBit);
  EXPECT_EQ(read(0, 3), (Texts{"abc", std::nullopt, "b"}));
  EXPECT_EQ(take({2, 1}), (Texts{"b", std::nullopt}));
}

TEST_P(TextColumns, OffsetsOfANullRowMayPointAnywhere) {
  make({0, 1, 1000 | na}, "a", NullEncoding::OffsetBit);
  EXPECT_EQ(read(0, 2), (Texts{"a", std::nullopt}));
}

TEST_P(TextColumns, DescendingOffsetsAreDamageThatNamesTheRow) {
  make({0, 3, 1}, "abc", NullEncoding::Never);
  for (const Error& error :
       {test::error_of([&] { read(0, 2); }), test::error_of([&] { take({1}); })}) {
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt);
    EXPECT_THAT(error.what(), HasSubstr("made.file: column \"c\": row 1: offsets at byte"));
    EXPECT_THAT(error.what(), HasSubstr("got start 3 and end 1"));
  }
  EXPECT_EQ(take({0}), Texts{"abc"});
}

TEST_P(TextColumns, CharactersBehindTheLastAreDamage) {
  make({0, 1, 4}, "abc", NullEncoding::OffsetBit);
  EXPECT_EQ(test::error_of([&] { read(0, 2); }).kind(), ErrorKind::Corrupt);
  EXPECT_EQ(test::error_of([&] { take({1}); }).kind(), ErrorKind::Corrupt);
  EXPECT_EQ(read(0, 1), Texts{"a"});
}

TEST_P(TextColumns, TheTopBitIsDamageWhereItDoesNotMeanNull) {
  make({0, 1, 1 | na, 2}, "ab", NullEncoding::Never);
  EXPECT_EQ(test::error_of([&] { read(0, 3); }).kind(), ErrorKind::Corrupt);
  EXPECT_EQ(test::error_of([&] { read(2, 3); }).kind(), ErrorKind::Corrupt);
}

TEST_P(TextColumns, OfAnyLengthAreTakenWhole) {
  std::vector<uint64_t> offsets = {0};
  std::string characters;
  Texts all;
  for (uint64_t length = 0; length < 100; ++length) {
    all.emplace_back(std::string(length, static_cast<char>('0' + length % 70)));
    characters += *all.back();
    offsets.push_back(characters.size());
  }
  make(offsets, characters, NullEncoding::Never);
  std::vector<uint64_t> rows;
  for (uint64_t row = all.size(); row-- > 0;) rows.push_back(row);
  EXPECT_EQ(take(rows), Texts(all.rbegin(), all.rend()));
}

// Every other text has all characters, and the null texts between them go back to offset 0.
TEST_P(TextColumns, ThatGoBackAndBackAreDamage) {
  constexpr uint64_t kRows = 1000, kCharacters = 1000;
  std::vector<uint64_t> offsets = {0};
  for (uint64_t row = 0; row < kRows; ++row) offsets.push_back(row % 2 == 0 ? kCharacters : na);
  make(offsets, std::string(kCharacters, 'x'), NullEncoding::OffsetBit);
  EXPECT_EQ(read(0, 3), (Texts{std::string(kCharacters, 'x'), {}, std::string(kCharacters, 'x')}));
  EXPECT_EQ(test::error_of([&] { read(0, kRows); }).kind(), ErrorKind::Corrupt);
  std::vector<uint64_t> rows;
  for (uint64_t row = kRows; row-- > 0;) rows.push_back(row);
  EXPECT_EQ(test::error_of([&] { take(rows); }).kind(), ErrorKind::Corrupt);
  EXPECT_EQ(take(std::vector<uint64_t>(kRows, 2)).size(), kRows);  // if requested
}

INSTANTIATE_TEST_SUITE_P(Layouts, TextColumns,
                         testing::Values(Layout{false, true, 0}, Layout{true, true, 0},
                                         Layout{false, true, 1}, Layout{true, true, 3},
                                         Layout{false, false, 0}, Layout{true, false, 5}),
                         [](const auto& test) {
                           return concat(test.param.large ? "wide" : "narrow",
                                         test.param.mapped ? "_mapped" : "_copied", "_at_",
                                         test.param.shift);
                         });

TEST(TextColumn, MoreCharactersThanNarrowOffsetsCountIsALimit) {
  // Each row covers the same two megabytes.
  constexpr uint32_t kBytes = 2 << 20;
  Pieces pieces;
  const Piece cells = pieces.add(std::vector<uint32_t>{0, kBytes});
  const Piece text = pieces.add(std::vector<char>(kBytes, 'x'));
  const auto source = pieces.source(true);
  const TextColumn column(1, {"c", "made"}, {cells.in(*source), 4, {}, NullEncoding::Never, 0},
                          text.in(*source));
  const std::vector<uint64_t> rows(1025, 0);
  Arena arena;
  EXPECT_EQ(test::error_of([&] { column.take(rows, arena, {}); }).kind(), ErrorKind::Limit);
}

}  // namespace
}  // namespace heron

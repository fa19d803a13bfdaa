// Answers stay valid if bytes of the file change: ends of texts and lists, keys, codes. A change is
// reported as such, not as damage.
#include <gtest/gtest.h>

#include "base/fail.h"
#include "columns/dictionaries/dictionary_column.h"
#include "columns/dictionaries/key_column.h"
#include "columns/fixed_column.h"
#include "columns/null_column.h"
#include "error_of.h"
#include "files/formats.h"
#include "files/open.h"
#include "format/table_source.h"
#include "heron/heron.h"
#include "kit/changing_source.h"
#include "kit/made_table.h"
#include "kit/real_files.h"
#include "kit/sums.h"
#include "table/internals.h"
#include "values/sort_keys.h"

namespace heron {
namespace {

using test::error_of;

constexpr std::byte kOnes{0xff};
constexpr int kTries = 300;

std::shared_ptr<ChangingSource> source_of(const Pieces& pieces) {
  return std::make_shared<ChangingSource>(
      std::vector<std::byte>(pieces.bytes().begin(), pieces.bytes().end()));
}

std::vector<uint64_t> extents(const Values& values) {
  std::vector<uint64_t> all;
  for (uint64_t row = 0; row <= values.rows; ++row) all.push_back(values.extent(row));
  return all;
}

TEST(ChangingBytes, TextsAndListsEndWhereTheyDid) {
  TableMaker maker(3);
  maker.texts("s", {"ab", "", "cde"}).texts("large", {"ab", "", "cde"}, true);
  maker.lists("l", {0, 2, 2, 3}, {1, 2, 3});
  const auto source = source_of(maker.pieces);
  const RowBatch batch = read(Projection(maker.table(source)), RowRange{0, 3});
  source->overwrite(kOnes);
  EXPECT_EQ(extents(batch.columns[0]), (std::vector<uint64_t>{0, 2, 2, 5}));
  EXPECT_EQ(extents(batch.columns[1]), (std::vector<uint64_t>{0, 2, 2, 5}));
  EXPECT_EQ(extents(batch.columns[2]), (std::vector<uint64_t>{0, 2, 2, 3}));
}

TEST(ChangingBytes, TextsStayWhereTheyAre) {
  TableMaker maker(1);
  maker.texts("s", {"abc"});
  const auto source = source_of(maker.pieces);
  const RowBatch batch = read(Projection(maker.table(source)), RowRange{0, 1});
  EXPECT_GE(batch.columns[0].data.data, source->base());
  EXPECT_LT(batch.columns[0].data.data, source->base() + source->size());
}

TEST(ChangingBytes, KeysStandForValuesThatThereAre) {
  constexpr uint64_t kRows = 4000;
  TableMaker maker(kRows);
  const Piece piece = maker.pieces.add(std::vector<uint32_t>(kRows, 2));
  maker.add("k", [piece](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    const auto load = [](const Context&) {
      RowBatch batch;
      batch.columns.emplace_back(Type::UInt8, 3);
      return batch;
    };
    auto numbers = std::make_unique<FixedColumn>(
        Type::key(Type::UInt32, 3), rows, label,
        FixedCells{
            .cells = piece.in(source), .nulls = NullEncoding::Zero, .use = CellUse::AsIndices});
    return std::make_unique<KeyColumn>(std::move(label), std::move(numbers),
                                       std::make_shared<const KeyValues>(load));
  });
  const auto source = source_of(maker.pieces);
  const auto table = maker.table(source);
  Arena arena, arena_before;
  const Values before = internals(*table).column(0).read({0, kRows}, arena_before, {});
  const ChangingSource::Flips flips(*source, std::vector<std::byte>(source->size()));
  for (int i = 0; i < kTries; ++i) {
    const Values values = internals(*table).column(0).read({0, kRows}, arena, {});
    for (uint64_t row = 0; row < kRows; ++row) {
      ASSERT_EQ(before.get<uint32_t>(row), 2u);
      ASSERT_EQ(values.get<uint32_t>(row) == 0, values.is_null(row)) << row;
    }
    arena.reset();
  }
}

// The metadata of keys is read again when their values are needed: by then they may be gone, or of
// another type.
TEST(ChangingBytes, KeyValuesThatAreGoneAreAnError) {
  const std::vector<std::byte> file = read_file(data_dir() / "idv/keys_deflate_rpb32.idv");
  const std::string_view bytes(reinterpret_cast<const char*>(file.data()), file.size());
  for (const auto& [stored, other] : {std::pair{"KeyValues", "LostValue"}, {"TextSpan", "DateTime"}}) {
    const auto source = std::make_shared<ChangingSource>(file);
    const auto opened = open_source(source, {}, {});
    const Column& keys = internals(*opened->table()).column(0);
    ASSERT_NE(keys.key_values(), nullptr);
    source->overwrite(bytes.find(stored, bytes.find("KeyValues")), other);
    Arena arena;
    error_of(ErrorKind::Changed, [&] { keys.read({0, 3}, arena, {}); });
  }
}

class Sevens final : public Dictionary {
 public:
  explicit Sevens(uint64_t size) : Dictionary(Type::Float64, size) {}
  void decode(uint64_t, uint64_t count, std::byte* cells, const Context&) const override {
    for (uint64_t i = 0; i < count; ++i) {
      const double seven = 7;
      std::memcpy(cells + i * sizeof seven, &seven, sizeof seven);
    }
  }
};

// Changes codes to ones that have no value, while they are looked up.
template <class Code>
void look_up_while_flipping(const Type& type) {
  constexpr uint64_t kRows = 4000;
  TableMaker maker(kRows);
  const Piece piece = maker.pieces.add(std::vector<Code>(kRows, 1));
  maker.add("c", [&](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    auto codes =
        std::make_unique<FixedColumn>(type, rows, label, FixedCells{.cells = piece.in(source)});
    return std::make_unique<DictionaryColumn>(std::move(label), std::move(codes),
                                              std::make_shared<Sevens>(3), CodePastEnd::Zero);
  });
  const auto source = source_of(maker.pieces);
  const Projection columns(maker.table(source));
  const ChangingSource::Flips flips(*source, std::vector<std::byte>(source->size(), kOnes));
  for (int i = 0; i < kTries; ++i) {
    Arena arena;
    const Values values = internals(columns).columns()[0]->read({0, kRows}, arena, {});
    for (uint64_t row = 0; row < kRows; ++row) {
      const auto value = values.get<double>(row);
      ASSERT_TRUE(value == 7 || value == 0) << value;
    }
    EXPECT_EQ(error_of([&] { sum(columns, 0); }).kind(), ErrorKind::Changed);
  }
}

TEST(ChangingBytes, CodesAreLookedUpWithinTheDictionary) {
  look_up_while_flipping<uint8_t>(Type::UInt8);
  look_up_while_flipping<uint16_t>(Type::UInt16);
  look_up_while_flipping<uint32_t>(Type::UInt32);
}

// A zero byte takes two bytes of a key and a NaN takes one, so that the size of keys changes.
TEST(ChangingBytes, KeysToSortByAreAsLongAsTheyWereMeasured) {
  constexpr uint64_t kRows = 500;
  TableMaker maker(kRows);
  maker.texts("s", std::vector<std::optional<std::string>>(kRows, "abcdefgh"));
  const Piece characters{0, maker.pieces.bytes().size()};
  maker.fixed("f", Type::Float64, std::vector<double>(kRows, 1), NullEncoding::NaN);
  const auto source = source_of(maker.pieces);
  const RowBatch batch = read(Projection(maker.table(source)), RowRange{0, kRows});
  std::vector<std::byte> others(characters.bytes);
  others.resize(source->size(), kOnes);
  const ChangingSource::Flips flips(*source, others);
  SortKeys keys;
  for (int i = 0; i < kTries; ++i) {
    keys.assign(batch, 2);
    ASSERT_EQ(keys.rows(), kRows);
    uint64_t bytes = 0;
    for (uint64_t row = 0; row < kRows; ++row) bytes += keys[row].size();
    ASSERT_LE(bytes, keys.bytes());
  }
}

std::shared_ptr<ChangingSource> file_source(const char* name) {
  return std::make_shared<ChangingSource>(read_file(data_dir() / name));
}

TEST(ChangingBytes, ADescriptionThatWasCheckedStaysSo) {
  for (const char* name : {"jay/wide_2000.jay", "jay/types_stats.jay"}) {
    const auto source = file_source(name);
    const auto table = open_source(source, {}, {})->table();
    source->overwrite(kOnes);
    EXPECT_FALSE(table->column_name(table->column_count() - 1).empty());
    EXPECT_EQ(error_of([&] { table->schema(); }).kind(), ErrorKind::Changed);
  }
}

TEST(ChangingBytes, AreNotDamage) {
  const auto source = file_source("jay/strings_unicode.jay");
  const auto file = open_source(source, {}, {});
  const Projection columns(file->table());
  const std::string text = [&] {
    for (const Field& field : *columns.schema()) {
      if (field.type.is_text()) return field.name;
    }
    return std::string();
  }();
  const Projection texts(file->table(), std::vector<std::string>{text});
  RowView view(texts);
  view.seek(1);
  source->overwrite(std::byte{0x7f});  // the ends are now behind the characters
  const auto expect_changed = [](auto ask) { EXPECT_EQ(error_of(ask).kind(), ErrorKind::Changed); };
  expect_changed([&] { read(columns, RowRange{0, 2}); });
  expect_changed([&] { take(columns, std::vector<uint64_t>{1, 0}); });
  expect_changed([&] { view.text(0); });
  expect_changed([&] { verify(*file); });
  expect_changed([&] { stats(columns); });
  expect_changed([&] { count(Predicate(file->table(), concat('`', text, "` = 'a'"))); });
  expect_changed([&] {
    SkippedRows skipped;
    Query query(columns);
    query.skip_damaged = &skipped;
    Scan scan(query);
    for (RowBatch batch; scan.next(batch);) continue;
  });
  expect_changed([&] { open_source(source, {}, {}); });
}

// In a tree whose children come before their parents, all paths are followed.
TEST(ChangingBytes, TreesAreFollowedWithinThem) {
  for (const char* name : {"balsa/f-fl32-5trees.balsa", "balsa/tree-fl32.balsa"}) {
    const auto source = file_source(name);
    const auto file = open_source(source, {}, {});
    std::vector<std::byte> others(source->base(), source->base() + source->size());
    for (size_t at = 200; at + 200 < others.size(); ++at) others[at] ^= std::byte{3};
    const ChangingSource::Flips flips(*source, others);
    for (int i = 0; i < kTries; ++i) {
      EXPECT_EQ(error_of([&] { verify(*open_source(source, {}, {})); }).kind(),
                ErrorKind::Changed);
      EXPECT_EQ(error_of([&] { verify(*file); }).kind(), ErrorKind::Changed);
    }
  }
}

// One column whose description is always damaged.
class DamagedDescription final : public TableSource {
 public:
  uint64_t column_count() const noexcept override { return 1; }
  std::string stored_name(uint64_t) const override { return "a"; }
  ColumnPtr open_column(uint64_t, const std::string& name) const override {
    return std::make_unique<UnreadableColumn>(Type::Int32, 1, ColumnLabel{name, ""},
                                              Error(ErrorKind::Corrupt, "changing", "damaged"));
  }
};

TEST(ChangingBytes, AColumnsErrorIsKeptOnlyWhileTheFileIsTheOneThatWasOpened) {
  const auto source = std::make_shared<ChangingSource>(std::vector<std::byte>(8));
  const auto make = [&] {
    return std::make_shared<const Table>(
        TableContents{"data", 1, source, std::make_unique<DamagedDescription>()});
  };
  const auto kept = make();
  ASSERT_NE(internals(*kept).column(0).unreadable(), nullptr);
  EXPECT_EQ(internals(*kept).column(0).unreadable()->kind(), ErrorKind::Corrupt);
  source->overwrite(kOnes);
  EXPECT_EQ(error_of([&] { internals(*make()).column(0); }).kind(), ErrorKind::Changed);
  EXPECT_EQ(error_of([&] { parse_aggregates(*kept, "min(a)"); }).kind(), ErrorKind::Changed);
  EXPECT_EQ(error_of([&] { Predicate(kept, "a = 1"); }).kind(), ErrorKind::Changed);
}

}  // namespace
}  // namespace heron

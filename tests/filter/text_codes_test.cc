// Columns of texts stored as codes: predicates and aggregates that repeated values do not change
// are decided once a text of the dictionary, with the results that texts themselves have.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "columns/dictionaries/dictionary.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "values/values_builder.h"

namespace heron {
namespace {

constexpr uint64_t kRows = 2 * 65'536 + 5'000;

using Texts = std::vector<std::optional<std::string>>;

// Some are alike, one is null.
const Texts kTexts = {"oslo", "", std::nullopt, "rome", "oslo", "a longer text", "Lima",
                      "ros\xc3\xa9"};

Values values_of(const Texts& texts, Arena& arena) {
  ValuesBuilder builder(Type::Text);
  for (const auto& text : texts) {
    text ? builder.append_text(*text) : builder.append_null();
  }
  return builder.finish(arena);
}

// A column with a dictionary for each batch of rows, of the same texts in another order; the codes
// of rows of two batches are not known. Counts the rows read as texts.
class CodedTexts final : public Column {
 public:
  CodedTexts(uint64_t batch_rows, bool one_dictionary, std::atomic<uint64_t>& read)
      : Column(Type::Text, kRows, {"city", "codes"}), batch_rows_(batch_rows), read_(read) {
    const uint64_t dictionaries = one_dictionary ? 1 : (kRows - 1) / batch_rows + 1;
    Texts texts = kTexts;
    for (uint64_t i = 0; i < dictionaries; ++i) {
      dictionaries_.push_back(std::make_unique<TextDictionary>(values_of(texts, arena_)));
      texts.push_back(texts.front());
      texts.erase(texts.begin());
    }
  }

  // Every eleventh row is null, but in the first zone.
  static uint32_t code_of(uint64_t row) {
    return row >= 65'536 && row % 11 == 0 ? static_cast<uint32_t>(kTexts.size())
                                          : static_cast<uint32_t>(row * row / 3 % kTexts.size());
  }
  std::optional<std::string> text_of(uint64_t row) const {
    const Values& texts = *dictionary_of(row).texts();
    const uint32_t code = code_of(row);
    if (code >= texts.rows || texts.is_null(code)) return std::nullopt;
    return std::string(texts.text(code));
  }

  bool nullable() const noexcept override { return true; }
  Values read(RowRange rows, Arena& arena, const Context&) const override {
    read_ += rows.rows();
    Texts texts;
    for (uint64_t row = rows.first; row < rows.last; ++row) texts.push_back(text_of(row));
    return values_of(texts, arena);
  }
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context&) const override {
    read_ += rows.size();
    Texts texts;
    for (const uint64_t row : rows) texts.push_back(text_of(row));
    return values_of(texts, arena);
  }
  std::optional<ColumnCodes> codes(RowRange rows, Arena& arena, const Context&) const override {
    if (rows.first / batch_rows_ != (rows.last - 1) / batch_rows_) return std::nullopt;
    auto* cells = arena.allocate_array<uint32_t>(rows.rows());
    for (uint64_t row = rows.first; row < rows.last; ++row) cells[row - rows.first] = code_of(row);
    ColumnCodes codes{Values(Type::UInt32, rows.rows()), &dictionary_of(rows.first)};
    codes.codes.data = {reinterpret_cast<const std::byte*>(cells), rows.rows() * sizeof *cells};
    return codes;
  }

 private:
  const Dictionary& dictionary_of(uint64_t row) const {
    return *dictionaries_[dictionaries_.size() == 1 ? 0 : row / batch_rows_];
  }

  uint64_t batch_rows_;
  std::atomic<uint64_t>& read_;
  Arena arena_;
  std::vector<std::unique_ptr<const TextDictionary>> dictionaries_;
};

class TextCodes : public testing::Test {
 protected:
  void open(uint64_t batch_rows, bool one_dictionary = true) {
    read_ = 0;
    Texts texts;
    const CodedTexts column(batch_rows, one_dictionary, read_);
    for (uint64_t row = 0; row < kRows; ++row) texts.push_back(column.text_of(row));
    coded_ = TableMaker(kRows)
                 .add("city",
                      [=, this](const ByteSource&, uint64_t, ColumnLabel) -> ColumnPtr {
                        return std::make_unique<CodedTexts>(batch_rows, one_dictionary, read_);
                      })
                 .table();
    plain_ = TableMaker(kRows).texts("city", texts).table();
  }
  // Counts twice: for the second time the zones are known.
  void expect_same_counts(const std::string& where) {
    const uint64_t expected = count(Query(plain_, where));
    EXPECT_GT(expected, 0u) << where;
    EXPECT_EQ(count(Query(coded_, where)), expected) << where;
    EXPECT_EQ(count(Query(coded_, where)), expected) << where;
    EXPECT_EQ(count(Query(coded_, "not (" + where + ") or city is null")),
              count(Query(plain_, "not (" + where + ") or city is null")))
        << where;
  }
  static std::string results_of(const std::shared_ptr<const Table>& table,
                                const std::string& where) {
    Query query(table);
    if (!where.empty()) query.where = Predicate(table, where);
    std::string text;
    for (const char* one : {"distinct(city)", "min(city)", "max(city)", "approx_distinct(city)"}) {
      const RowBatch row = aggregate(query, parse_aggregates(*table, one));
      text += to_text(row.columns[0], 0) + ' ';
    }
    return text;
  }

  std::atomic<uint64_t> read_{0};
  std::shared_ptr<const Table> coded_, plain_;
};

const char* const kTests[] = {"city = 'oslo'",
                              "city != 'oslo'",
                              "city in ('rome', '')",
                              "city like '%o%'",
                              "city not like 'r%'",
                              "city < 'p'",
                              "city >= 'a' and city < 'p'",
                              "city is null",
                              "city is not null"};
const char* const kComputed[] = {"upper(city) = 'ROME'", "regexp_matches(city, '^o|m.$')",
                                 "length(city) > 4", "coalesce(city, '-') = '-'"};

TEST_F(TextCodes, DecidePredicates) {
  open(65'536);
  for (const char* where : kTests) expect_same_counts(where);
  for (const char* where : kComputed) expect_same_counts(where);
  EXPECT_EQ(read_, 0u);
}

TEST_F(TextCodes, AreLeftOutWhereTheyAreNotKnown) {
  for (const bool one_dictionary : {true, false}) {
    open(10'000, one_dictionary);
    for (const char* where : kTests) expect_same_counts(where);
    for (const char* where : kComputed) expect_same_counts(where);
    EXPECT_GT(read_, 0u);
  }
}

TEST_F(TextCodes, AreCountedInsteadOfTexts) {
  open(65'536);
  EXPECT_EQ(results_of(coded_, ""), results_of(plain_, ""));
  EXPECT_EQ(read_, 0u);
  for (const bool one_dictionary : {true, false}) {
    open(10'000, one_dictionary);
    EXPECT_EQ(results_of(coded_, ""), results_of(plain_, ""));
    EXPECT_EQ(results_of(coded_, "city like '%o%'"), results_of(plain_, "city like '%o%'"));
  }
}

}  // namespace
}  // namespace heron

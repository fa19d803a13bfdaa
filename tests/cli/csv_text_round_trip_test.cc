// Columns of texts that a reader of CSV could take for something else, as `scan -o csv` prints
// them, read again without any option.
#include <gtest/gtest.h>

#include <numeric>
#include <optional>
#include <random>

#include "base/fail.h"
#include "heron/csv.h"
#include "output/row_writer.h"
#include "temp_folder.h"

namespace heron {
namespace {

using Cells = std::vector<std::optional<std::string>>;  // nullopt is null

struct TextColumn {
  std::string name;
  Cells cells;
};

// A column's values, and their memory.
class TextValues {
 public:
  explicit TextValues(const Cells& cells) : values(Type::Text, cells.size()) {
    for (const auto& cell : cells) {
      characters_ += cell.value_or("");
      offsets_.push_back(static_cast<int32_t>(characters_.size()));
      if (!cell) ++values.null_count;
    }
    validity_.resize(cells.size() / 8 + 1);
    for (size_t i = 0; i < cells.size(); ++i)
      validity_[i / 8] |= static_cast<uint8_t>(cells[i].has_value() << i % 8);
    values.data = {reinterpret_cast<const std::byte*>(characters_.data()), characters_.size()};
    values.offsets = {reinterpret_cast<const std::byte*>(offsets_.data()),
                      offsets_.size() * sizeof(int32_t)};
    if (values.null_count != 0)
      values.validity = {reinterpret_cast<const std::byte*>(validity_.data()), validity_.size()};
  }
  TextValues(const TextValues&) = delete;
  TextValues& operator=(const TextValues&) = delete;

  Values values;

 private:
  std::string characters_;
  std::vector<int32_t> offsets_ = {0};
  std::vector<uint8_t> validity_;
};

std::string csv_of(const std::vector<TextColumn>& columns) {
  Schema schema;
  RowBatch batch;
  std::vector<std::unique_ptr<TextValues>> kept;
  for (const TextColumn& column : columns) {
    schema.emplace_back().name = column.name;
    schema.back().type = Type::Text;
    kept.push_back(std::make_unique<TextValues>(column.cells));
    batch.columns.push_back(kept.back()->values);
  }
  batch.rows = columns.front().cells.size();
  StringSink sink;
  const auto writer = cli::make_csv_rows(sink, schema, {});
  writer->write(batch);
  writer->finish();
  return std::string(sink.text());
}

void expect_same(const std::vector<TextColumn>& columns, const std::string& text,
                 const test::TempFolder& folder) {
  const auto rows = csv_rows({folder.write("rows.csv", text)});
  ASSERT_EQ(rows->schema().size(), columns.size());
  ASSERT_EQ(rows->rows(), columns.front().cells.size());
  std::vector<uint64_t> indices(columns.size());
  std::iota(indices.begin(), indices.end(), uint64_t{0});
  const auto stream = rows->read(indices, {});
  RowBatch batch;
  for (size_t done = 0; stream->next(batch); done += batch.rows) {
    for (size_t i = 0; i < columns.size(); ++i) {
      ASSERT_EQ(rows->schema()[i].name, columns[i].name);
      for (size_t row = 0; row < batch.rows; ++row) {
        const auto& cell = columns[i].cells[done + row];
        ASSERT_EQ(batch.columns[i].is_null(row), !cell) << "row " << done + row;
        if (!cell) continue;
        ASSERT_TRUE(rows->schema()[i].type.is(Type::Text)) << rows->schema()[i].type.name();
        ASSERT_EQ(batch.columns[i].text(row), *cell);
      }
    }
  }
}

class RandomTexts {
 public:
  explicit RandomTexts(uint64_t seed) : random_(seed) {}

  uint64_t below(uint64_t bound) { return random_() % bound; }

  // Makes columns of one kind each, so that only the quotes show that a column is text. The first
  // name needs no quotes: if all do, a file looks like one in which everything is quoted.
  std::vector<TextColumn> columns() {
    std::vector<TextColumn> all(1 + below(4));
    const uint64_t rows = below(30);
    for (size_t i = 0; i < all.size(); ++i) {
      all[i].name = concat(i == 0 ? "c" : std::array{"a;b", "|", " ", "é\"", "NA"}[below(5)], i);
      const uint64_t kind = below(7);
      const uint64_t nulls = below(3);
      for (uint64_t row = 0; row < rows; ++row) {
        all[i].cells.push_back(below(4) < nulls ? std::nullopt : std::optional(text(kind)));
      }
    }
    return all;
  }

 private:
  std::string text(uint64_t kind) {
    switch (kind) {
      case 0: return std::array{"NA", "null", "NULL"}[below(3)];
      case 1: return std::to_string(static_cast<int64_t>(random_()) >> below(64));
      case 2: return std::array{"1.5", "-.5", "5.", "1e-3", "NaN", "-inf", "1e400"}[below(7)];
      case 3: return std::array{"true", "False", "TRUE"}[below(3)];
      case 4: return std::array{"2026-11-21", "2026-11-21T10:20:30.5", "-0001-01-01"}[below(3)];
      case 5: return std::string(1 + below(200), static_cast<char>('0' + below(10)));
      default: return words();
    }
  }
  std::string words() {
    static constexpr std::array<std::string_view, 16> kPieces = {
        " ",  ",", "\"", "\r", "\n", "\r\n", ";",    "\t",
        "NA", "1", "|",  "é",  "x",  "😀",    "null", std::string_view("\0", 1)};
    std::string text;
    for (uint64_t i = below(5); i > 0; --i) text += kPieces[below(kPieces.size())];
    return text;
  }

  std::mt19937_64 random_;
};

TEST(CsvTextRoundTrip, RandomTexts) {
  const test::TempFolder folder;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    const auto columns = RandomTexts(seed).columns();
    if (columns.front().cells.empty()) continue;
    const std::string text = csv_of(columns);
    SCOPED_TRACE(text);
    expect_same(columns, text, folder);
    if (HasFatalFailure()) return;
  }
}

TEST(CsvTextRoundTrip, OnlyWhatMustBeIsInQuotes) {
  const std::vector<TextColumn> columns = {
      {"year 2026", {"NA", "12", "007", "2 rooms", "a;b", std::nullopt, "", "n/a", "tree", " x"}},
      {"2026", {"a,b", "1e5", "1e5x", "true", "truth", "inf", "2026-11-21", "12:30", "-", "nano"}}};
  EXPECT_EQ(csv_of(columns),
            "year 2026,2026\r\n\"NA\",\"a,b\"\r\n\"12\",\"1e5\"\r\n007,1e5x\r\n"
            "2 rooms,\"true\"\r\na;b,truth\r\n,\"inf\"\r\n\"\",\"2026-11-21\"\r\n"
            "n/a,12:30\r\ntree,-\r\n\" x\",nano\r\n");
}

}  // namespace
}  // namespace heron

// CSV files opened as tables: blocks, kept values, sidecars. The property test compares the rows
// with those of csv_rows().
#include <gtest/gtest.h>

#include <array>
#include <fstream>

#include "base/fail.h"
#include "bytes/memory_source.h"
#include "csv/csv.h"
#include "csv/saved.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

using Lines = std::vector<std::string>;

void put(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string numbers(uint64_t rows) {
  std::string text = "id,half,word\n";
  for (uint64_t i = 0; i < rows; ++i) {
    text += concat(i, ',', i / 2, ".5,", i % 3 == 0 ? "" : "\"a \"\"word\"\"\"", '\n');
  }
  return text;
}

Lines all_rows(const File& data) {
  const Projection all(data.table());
  return json_rows(read(all, {0, all.table()->rows()}));
}

std::shared_ptr<const File> open_text(std::string_view content,
                                      std::span<const std::byte> saved = {},
                                      const OpenOptions& options = {}) {
  auto owner = std::make_shared<const std::string>(content);
  auto bytes = std::make_shared<MemorySource>("made", std::as_bytes(std::span(*owner)), owner);
  return csv::open(std::move(bytes), options, saved, {});
}

class CsvTable : public testing::Test {
 protected:
  test::TempFolder folder_;
  std::string path_ = folder_ / "x.csv";
};

TEST_F(CsvTable, HasBlocksOfRowsWhichAreAllOfThem) {
  const auto data = open_text(numbers(20'000));
  const Table& table = *data->table();
  EXPECT_EQ(table.rows(), 20'000U);
  ASSERT_GT(table.block_count(), 4U);
  EXPECT_LE(table.block_rows(), csv::RowIndex::kMaxBlockRows);
  Lines rows;
  for (uint64_t i = 0; i < table.block_count(); ++i) {
    const Lines block = json_rows(read(Projection(data->table()), table.block(i)));
    rows.insert(rows.end(), block.begin(), block.end());
  }
  EXPECT_EQ(rows, all_rows(*data));
  EXPECT_EQ(rows[19'999], R"({"id":19999,"half":9999.5,"word":"a \"word\""})");
}

// Values that the pass over the file keeps, of columns whose types change on the way or that are
// partly null, quoted or words, equal those converted from the text by a second file object.
TEST_F(CsvTable, KeptNumbersAreThoseOfTheText) {
  constexpr uint64_t kRows = 30'000;
  std::string text = "whole,grows,turns,holes,words,quoted,late,long\n";
  for (uint64_t i = 0; i < kRows; ++i) {
    text += concat(i * 7, ',', i < 9'000 ? i : i << 40, ',');
    text += i < 12'345 ? concat(i) : concat("-0.", i, "12345678");
    text += concat(',', i % 5 == 3 ? std::string("NA") : concat(i, '.', i % 3), ',',
                   i == 29'000     ? "inf"
                   : i % 1000 == 0 ? "1e-3"
                                   : "2.5",
                   ",\"", i, "\",", i < 28'000 ? concat(i) : std::string("text"), ",0.1234567890",
                   1'000'000 + i);
    text += '\n';
  }
  const auto data = open_text(text);
  const Lines once = all_rows(*data), again = all_rows(*data);
  OpenOptions without_room;
  without_room.cache_bytes = 0;
  EXPECT_EQ(once, all_rows(*open_text(text, {}, without_room)));
  EXPECT_EQ(once, again);
  const Projection all(data->table());
  const Schema& schema = *all.schema();
  const std::array types{Type::Int32,   Type::Int64, Type::Float64, Type::Float64,
                         Type::Float64, Type::Text,  Type::Text,    Type::Float64};
  for (uint64_t i = 0; i < types.size(); ++i) EXPECT_TRUE(schema[i].type.is(types[i])) << i;
  EXPECT_EQ(once[12'344].substr(0, 45), R"({"whole":86408,"grows":13572371533266944,"tur)");
}

TEST_F(CsvTable, KeptNumbersSpareTheirText) {
  const auto data = open_text(numbers(20'000));
  const auto divided = [&] { return data->counters().back().value; };
  const std::array<uint64_t, 2> numbers{0, 1};
  const Projection columns(data->table(), numbers);
  read(columns, {0, 20'000});
  EXPECT_LT(divided(), data->table()->block_count() / 2);  // only the first rows
  EXPECT_EQ(json_rows(read(columns, {12'345, 12'346}))[0], R"({"id":12345,"half":6172.5})");
}

TEST_F(CsvTable, ABudgetWithoutRoomKeepsNothing) {
  const std::string text = numbers(20'000);
  auto owner = std::make_shared<const std::string>(text);
  auto bytes = std::make_shared<MemorySource>("made", std::as_bytes(std::span(*owner)), owner);
  Context context;
  context.memory = std::make_shared<MemoryBudget>(uint64_t{2} << 20);
  const auto data = csv::open(std::move(bytes), {}, {}, context);
  EXPECT_LE(context.memory->used(), uint64_t{1} << 20);
  EXPECT_EQ(all_rows(*data), all_rows(*open_text(text)));
}

TEST_F(CsvTable, RowsOfOneBlockAreDividedOnce) {
  const std::string text = numbers(20'000);
  const auto data = open_text(text);
  const auto decoded = [&] { return data->counters().front().value; };
  const std::vector<std::string> id{"id"};
  const std::vector<uint64_t> rows{10'001, 10'002};
  take(Projection(data->table(), id), rows);
  EXPECT_EQ(decoded(), 1U);  // only the block of one column was decoded
  take(Projection(data->table()), rows);
  EXPECT_EQ(decoded(), 3U);
}

// Reads column by column, through more text than is kept.
TEST_F(CsvTable, TextsAreNotDividedForEachColumn) {
  constexpr uint64_t kColumns = 60, kRows = 8000;
  std::string text, words;
  for (uint64_t i = 0; i < kColumns; ++i) text += concat(i == 0 ? "" : ",", 'c', i);
  for (uint64_t i = 0; i < kColumns; ++i) {
    words += concat(i == 0 ? "" : ",", i % 2 == 0 ? "" : "w", 100 + i);
  }
  for (uint64_t row = 0; row < kRows; ++row) text += concat('\n', words);
  OpenOptions options;
  options.cache_bytes = 2 * text.size();
  const auto data = open_text(text, {}, options);
  const uint64_t blocks = data->table()->block_count();
  ASSERT_GT(blocks, 3U);
  const Projection all(data->table());
  for (uint64_t column = 0; column < kColumns; ++column) {
    const RowBatch values = read(Projection(data->table(), std::span(&column, 1)), {0, kRows});
    EXPECT_NE(json_rows(values)[kRows - 1].find(concat(100 + column)), std::string::npos);
  }
  EXPECT_LE(data->counters()[1].value, 16 * blocks);
}

// Without a cache, a batch of rows in another order needs all blocks.
TEST_F(CsvTable, AnOrderedScanDecodesBlocksForManyBatchesAtOnce) {
  std::string text = "id,key\n";
  constexpr uint64_t kRows = 20'000;
  for (uint64_t i = 0; i < kRows; ++i) text += concat(i, ',', i * 7919 % kRows, '\n');
  OpenOptions options;
  options.cache_bytes = 0;
  const auto data = open_text(text, {}, options);
  const uint64_t blocks = data->table()->block_count();
  ASSERT_GT(blocks, 3U);
  Query query{Projection(data->table())};
  query.order = {{"key"}};
  Scan scan(query, {}, 64);
  uint64_t rows = 0;
  for (RowBatch batch; scan.next(batch);) {
    for (uint64_t i = 0; i < batch.rows; ++i, ++rows) {
      ASSERT_EQ(static_cast<uint64_t>(batch.columns[1].get<int32_t>(i)), rows);
      ASSERT_EQ(static_cast<uint64_t>(batch.columns[0].get<int32_t>(i)), scan.rows()[i]);
      ASSERT_EQ(scan.rows()[i] * 7919 % kRows, rows);
    }
  }
  EXPECT_EQ(rows, kRows);
  EXPECT_LE(data->counters().front().value, 16 * blocks);
}

// Text is divided once for all columns, though the cache holds neither all of it nor all values.
TEST_F(CsvTable, StatisticsAndAnIndexDivideATextOnce) {
  std::string text = "a,b,c,d,e\n";
  for (int i = 0; i < 1'000'000; ++i)
    text += concat(i, ',', i / 2, ".5,x", i % 10, ',', i % 2, ",y\n");
  OpenOptions options;
  options.cache_bytes = uint64_t{32} << 20;
  const auto divided = [&](const File& data) { return data.counters()[1].value; };
  const auto data = open_text(text, {}, options);
  const uint64_t blocks = data->table()->block_count();
  const std::vector<ColumnStats> summaries = stats(Query(Projection(data->table())));
  EXPECT_EQ(summaries[0].distinct, 1'000'000U);
  EXPECT_EQ(summaries[2].distinct, 10U);
  EXPECT_EQ(divided(*data), blocks);
  put(path_, text);
  uint64_t last = 0;
  Context context;
  context.progress = [&](uint64_t done, uint64_t total) {
    if (total == text.size()) last += done == total;
  };
  write_index(path_, options, context);
  EXPECT_EQ(last, 1U);  // one pass over the bytes finds the types
}

TEST_F(CsvTable, AnswersWithoutACache) {
  OpenOptions options;
  options.cache_bytes = 0;
  const std::string text = numbers(20'000);
  EXPECT_EQ(all_rows(*open_text(text, {}, options)), all_rows(*open_text(text)));
}

TEST_F(CsvTable, BlocksOfManyBlankLinesAndFields) {
  std::string text = "a,b\n";
  for (int i = 0; i < 9000; ++i) text += concat(i, ",x\n\n\n\r\n");
  const auto data = open_text(text);
  EXPECT_EQ(data->table()->rows(), 9000U);
  EXPECT_EQ(all_rows(*data)[8999], R"({"a":8999,"b":"x"})");
}

TEST_F(CsvTable, RecordsOfVeryDifferentLengths) {
  std::string text = "n,t\n";
  for (int i = 0; i < 3000; ++i) text += concat(i, ",x\n");
  text += "3000,\"" + std::string(3'000'000, '\n') + "\"\n";
  for (int i = 3001; i < 6000; ++i) text += concat(i, ",y\n");
  const auto data = open_text(text);
  const RowBatch row = take(Projection(data->table()), std::vector<uint64_t>{3000, 5999, 0});
  EXPECT_EQ(row.columns[1].text(0).size(), 3'000'000U);
  EXPECT_EQ(row.columns[0].get<int32_t>(1), 5999);
  EXPECT_EQ(row.columns[1].text(2), "x");
}

TEST_F(CsvTable, ASidecarKeepsTheRowIndex) {
  put(path_, numbers(20'000));
  const Lines rows = all_rows(*open(path_));
  uint64_t steps = 0;
  Context context;
  context.progress = [&](uint64_t, uint64_t) { ++steps; };
  open(path_, {}, context);
  EXPECT_GT(steps, 0U);
  write_index(path_);
  steps = 0;
  const auto data = open(path_, {}, context);
  EXPECT_EQ(steps, 0U);
  EXPECT_EQ(all_rows(*data), rows);
  OpenOptions options;
  CsvOptions text;
  text.separator = ';';
  options.format_options = text.format_options();
  EXPECT_EQ(open(path_, options)->table()->column_count(), 1U);
  put(path_, "id,half,word\n7,1,x\n");
  EXPECT_EQ(all_rows(*open(path_)), Lines{R"({"id":7,"half":1,"word":"x"})"});
}

TEST_F(CsvTable, SavedIndexesThatDoNotHold) {
  const std::string text = numbers(5'000);
  const Lines rows = all_rows(*open_text(text));
  const auto bytes = std::make_shared<MemorySource>("made", std::as_bytes(std::span(text)));
  const std::vector<std::byte> saved = csv::index(bytes, {}, {});
  EXPECT_EQ(all_rows(*open_text(text, saved)), rows);
  for (size_t length = 0; length < saved.size(); length += 3) {
    EXPECT_FALSE(csv::load_saved(std::span(saved).first(length), text.size()));
  }
  EXPECT_FALSE(csv::load_saved(saved, text.size() + 1));
  int corrupt = 0;
  for (size_t at = 0; at < saved.size(); ++at) {
    std::vector<std::byte> damaged = saved;
    damaged[at] ^= std::byte{1};
    try {
      verify(*open_text(text, damaged));
    } catch (const Error& error) {
      const bool is_known =
          error.kind() == ErrorKind::Corrupt || error.kind() == ErrorKind::Changed;
      EXPECT_TRUE(is_known) << error.what();
      ++corrupt;
    }
  }
  EXPECT_GT(corrupt, 0);
}

TEST_F(CsvTable, AFileThatChangesWhileOpen) {
  put(path_, numbers(20'000));
  const auto data = open(path_);
  put(path_, numbers(19'000) + std::string(1000, '\n'));
  EXPECT_EQ(test::error_of([&] { all_rows(*data); }).kind(), ErrorKind::Changed);
}

TEST_F(CsvTable, FilesThatResembleCsv) {
  const std::pair<const char*, bool> kHeads[] = {{"a,b\n1,2\n", true},
                                                 {"a;b\n\n1;2\n3;4,5\n", true},
                                                 {"a\tb\n1\t2\n", true},
                                                 {"a,b\n1,2\n3\n", false},
                                                 {"a,b\n", false},
                                                 {"words\nand more\n", false},
                                                 {"{\"a\":1,\n\"b\":2,\n", false},
                                                 {"<a,b>\n<c,d>\n", false},
                                                 {"", false}};
  for (const auto& [head, is_csv] : kHeads) {
    EXPECT_EQ(csv::resembles("x", head, false), is_csv ? Match::Maybe : Match::No) << head;
    EXPECT_EQ(csv::resembles("x", head, true), Match::No) << head;
    EXPECT_EQ(csv::resembles("x.TSV", head, true), *head != '\0' ? Match::Yes : Match::No) << head;
  }
  EXPECT_EQ(csv::resembles("x.csv", std::string_view("PAR1\0", 5), false), Match::No);
}

}  // namespace
}  // namespace heron

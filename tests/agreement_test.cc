// Every way to ask for rows gives the same rows, and those that the format's own program gave: for
// each file in data/, mapped and with pread. Formats are not named here; see kit/real_files.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <tuple>

#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"
#include "registry.h"

namespace heron {
namespace {

using Lines = std::vector<std::string>;

class Agreement : public testing::TestWithParam<std::tuple<RealFile, bool>> {
 protected:
  void SetUp() override {
    OpenOptions options;
    options.map = std::get<1>(GetParam());
    dataset_ = open(file().path.string(), options);
    table_ = dataset_->table();
    for (const Lines& batch : scanned(8192)) rows_.insert(rows_.end(), batch.begin(), batch.end());
  }

  const RealFile& file() const { return std::get<0>(GetParam()); }
  Projection all() const { return Projection(table_); }

  std::vector<Lines> scanned(uint64_t batch_rows) const {
    ScanOptions options;
    options.batch_rows = batch_rows;
    Scan scan(all(), options);
    std::vector<Lines> batches;
    for (RowBatch batch; scan.next(batch);) batches.push_back(json_rows(batch));
    return batches;
  }

  // Some rows in no order, with repeats; every row of a small table at least once.
  std::vector<uint64_t> shuffled_rows() const {
    std::vector<uint64_t> rows(table_->rows());
    std::iota(rows.begin(), rows.end(), 0);
    rows.insert(rows.end(), rows.begin(), rows.begin() + static_cast<ptrdiff_t>(rows.size() / 3));
    std::ranges::shuffle(rows, std::mt19937_64(17));
    if (rows.size() > 3000) rows.resize(3000);
    return rows;
  }
  Lines at(std::span<const uint64_t> rows) const {
    Lines lines;
    for (const uint64_t row : rows) lines.push_back(rows_[row]);
    return lines;
  }

  std::shared_ptr<const Dataset> dataset_;
  std::shared_ptr<const Table> table_;
  Lines rows_;  // the whole table, by a scan
};

Lines lines_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(normal_json(line));
  return lines;
}

TEST_P(Agreement, ScanIsGolden) {
  ASSERT_EQ(rows_.size(), table_->rows());
  if (std::filesystem::exists(file().golden())) {
    EXPECT_EQ(rows_, lines_of(file().golden()));
    return;
  }
  const Lines sample = lines_of(file().golden_sample());
  ASSERT_FALSE(sample.empty()) << "no golden answers";
  for (const std::string& line : sample) {  // {"row":7,"name":...}: the number, then the row itself
    const size_t comma = line.find(',');
    const uint64_t row = std::stoull(line.substr(line.find(':') + 1));
    EXPECT_EQ(rows_.at(row), concat('{', line.substr(comma + 1))) << "row " << row;
  }
}

TEST_P(Agreement, ScanInOtherBatches) {
  Lines rows;
  for (const Lines& batch : scanned(7)) {
    EXPECT_LE(batch.size(), 7U);
    rows.insert(rows.end(), batch.begin(), batch.end());
  }
  EXPECT_EQ(rows, rows_);
}

TEST_P(Agreement, RowsOneByOne) {
  RowBatch batch;
  for (const uint64_t row : shuffled_rows()) {
    take(all(), {&row, 1}, batch);
    ASSERT_EQ(json_rows(batch), Lines{rows_[row]}) << "row " << row;
  }
}

TEST_P(Agreement, TakeInAnyOrderWithRepeats) {
  const auto rows = shuffled_rows();
  EXPECT_EQ(json_rows(take(all(), rows)), at(rows));
}

TEST_P(Agreement, Blocks) {
  Lines rows;
  for (uint64_t i = 0; i < table_->block_count(); ++i) {
    const Lines block = json_rows(read(all(), table_->block(i)));
    rows.insert(rows.end(), block.begin(), block.end());
  }
  EXPECT_EQ(rows, rows_);
}

TEST_P(Agreement, Ranges) {
  std::mt19937_64 random(5);
  RowBatch batch;
  for (int i = 0; i < 20; ++i) {
    RowRange range{random() % (table_->rows() + 1), random() % (table_->rows() + 1)};
    if (range.first > range.last) std::swap(range.first, range.last);
    read(all(), range, batch);
    const auto first = rows_.begin() + static_cast<ptrdiff_t>(range.first);
    EXPECT_EQ(json_rows(batch), Lines(first, first + static_cast<ptrdiff_t>(range.rows())));
  }
}

TEST_P(Agreement, ColumnsOneByOne) {
  const Schema schema = *all().schema();
  Lines rows(table_->rows(), "{");
  for (const Field& field : schema) {
    const Projection column(table_, std::span(&field.name, 1));
    const Lines cells = json_rows(read(column, {0, table_->rows()}));
    for (size_t row = 0; row < rows.size(); ++row) {
      if (rows[row].size() > 1) rows[row] += ',';
      rows[row].append(cells[row], 1, cells[row].size() - 2);
    }
  }
  for (std::string& row : rows) row += '}';
  EXPECT_EQ(rows, rows_);
}

TEST_P(Agreement, RowViewOverFlatColumns) {
  std::vector<std::string> names;
  const Schema schema = *all().schema();
  for (const Field& field : schema) {
    if (!field.type.is_list()) names.push_back(field.name);
  }
  const Projection flat(table_, names);
  const auto rows = shuffled_rows();
  const Lines taken = json_rows(take(flat, rows));
  RowView view(flat);
  for (size_t i = 0; i < rows.size(); ++i) {
    view.seek(rows[i]);
    ASSERT_EQ(json_row(view, *flat.schema()), taken[i]) << "row " << rows[i];
  }
}

// A dataset that nobody has asked yet, so that what is built at first use is built by all at once.
TEST_P(Agreement, ThreadsOnOneDataset) {
  OpenOptions options;
  options.map = std::get<1>(GetParam());
  const auto table = open(file().path.string(), options)->table();
  auto rows = shuffled_rows();
  rows.resize(std::min<size_t>(rows.size(), 200));
  std::vector<Lines> answers(4);
  {
    std::vector<std::jthread> threads;
    for (Lines& answer : answers)
      threads.emplace_back([&] { answer = json_rows(take(Projection(table), rows)); });
  }
  for (const Lines& answer : answers) EXPECT_EQ(answer, at(rows));
}

INSTANTIATE_TEST_SUITE_P(Data, Agreement,
                         testing::Combine(testing::ValuesIn(real_files()), testing::Bool()),
                         [](const auto& test) {
                           return std::get<0>(test.param).test_name() +
                                  (std::get<1>(test.param) ? "_mapped" : "_pread");
                         });

TEST(Data, EveryFormatHasRealFiles) {
  std::set<std::string> seen;
  for (const RealFile& file : real_files()) seen.insert(file.format);
  for (const Format& format : formats())
    EXPECT_TRUE(seen.contains(std::string(format.name))) << format.name;
}

}  // namespace
}  // namespace heron

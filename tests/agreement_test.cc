// Every way of reading gives the same rows as the format's own program: for each file in data/,
// mapped and with pread, and for some of them inside of containers. Formats are
// not named here; see kit/real_files.h and kit/wrapped_files.h.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <set>
#include <thread>
#include <tuple>

#include "base/fail.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"
#include "kit/test_names.h"
#include "kit/wrapped_files.h"

namespace heron {
namespace {

using Lines = std::vector<std::string>;

std::vector<Lines> scanned(const Projection& columns, uint64_t batch_rows) {
  Scan scan(columns, {}, batch_rows);
  std::vector<Lines> batches;
  for (RowBatch batch; scan.next(batch);) batches.push_back(json_rows(batch));
  return batches;
}

Lines together(const std::vector<Lines>& batches) {
  Lines rows;
  for (const Lines& batch : batches) rows.insert(rows.end(), batch.begin(), batch.end());
  return rows;
}

// A table, and its rows by a scan, to which every other way of reading is compared.
struct ScannedTable {
  explicit ScannedTable(std::shared_ptr<const Table> of)
      : table(std::move(of)), all(table), rows(together(scanned(all, 8192))) {}

  // Returns some rows in no order, with repeats; of a small table, every row at least once.
  std::vector<uint64_t> shuffled_rows() const {
    std::vector<uint64_t> numbers(table->rows());
    std::iota(numbers.begin(), numbers.end(), 0);
    numbers.insert(numbers.end(), numbers.begin(),
                   numbers.begin() + static_cast<ptrdiff_t>(numbers.size() / 3));
    std::ranges::shuffle(numbers, std::mt19937_64(17));
    if (numbers.size() > kMaxShuffledRows) numbers.resize(kMaxShuffledRows);
    return numbers;
  }
  Lines at(std::span<const uint64_t> numbers) const {
    Lines lines;
    for (const uint64_t row : numbers) lines.push_back(rows[row]);
    return lines;
  }
  Lines at(RowRange range) const {
    const auto first = rows.begin() + static_cast<ptrdiff_t>(range.first);
    return {first, first + static_cast<ptrdiff_t>(range.rows())};
  }
  // Returns the columns for whose types `is_chosen` is true.
  template <class IsChosen>
  Projection columns(IsChosen is_chosen) const {
    std::vector<std::string> names;
    for (const Field& field : *all.schema()) {
      if (is_chosen(field.type)) names.push_back(field.name);
    }
    return Projection(table, names);
  }

  static constexpr size_t kMaxShuffledRows = 3000;
  std::shared_ptr<const Table> table;
  Projection all;
  Lines rows;
};

class Agreement : public testing::TestWithParam<std::tuple<RealFile, Wrapping, bool>> {
 protected:
  const RealFile& file() const { return std::get<RealFile>(GetParam()); }
  std::shared_ptr<const File> opened(bool stored_keys = false) const {
    OpenOptions options;
    options.mmap = std::get<bool>(GetParam());
    options.access = Access::Cold;  // prefetches all pages, although they are in memory
    options.set("stored_keys", stored_keys);
    return open(wrapped(file(), std::get<Wrapping>(GetParam())), options);
  }
  // Calls check for every table of the file.
  template <class Check>
  void each_table(Check check, bool stored_keys = false) const {
    const auto file = opened(stored_keys);
    for (const auto& table : file->tables()) {
      SCOPED_TRACE(table->name());
      check(ScannedTable(table));
    }
  }
};

Lines lines_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  Lines lines;
  for (std::string line; std::getline(in, line);) lines.push_back(normal_json(line));
  return lines;
}

TEST_P(Agreement, ScanIsGolden) {
  const std::string first = opened()->tables().empty() ? "" : opened()->table()->name();
  const auto check = [&](const ScannedTable& subject) {
    ASSERT_EQ(subject.rows.size(), subject.table->rows());
    const std::string& name = subject.table->name();
    const std::string other = name == first ? "" : name;
    if (std::filesystem::exists(file().golden(other))) {
      EXPECT_EQ(subject.rows, lines_of(file().golden(other)));
      return;
    }
    const Lines sample = lines_of(file().golden_sample(other));
    ASSERT_FALSE(sample.empty()) << "no golden answers";
    for (const std::string& line : sample) {  // {"row":7,"name":...}: the number, then the row
      const size_t comma = line.find(',');
      const uint64_t row = std::stoull(line.substr(line.find(':') + 1));
      EXPECT_EQ(subject.rows.at(row), concat('{', line.substr(comma + 1))) << "row " << row;
    }
  };
  each_table(check, true);
}

TEST_P(Agreement, ScanInOtherBatches) {
  each_table([](const ScannedTable& subject) {
    const auto batches = scanned(subject.all, 7);
    for (const Lines& batch : batches) EXPECT_LE(batch.size(), 7U);
    EXPECT_EQ(together(batches), subject.rows);
  });
}

TEST_P(Agreement, RowsOneByOne) {
  each_table([](const ScannedTable& subject) {
    RowBatch batch;
    for (const uint64_t row : subject.shuffled_rows()) {
      take(subject.all, {&row, 1}, batch);
      ASSERT_EQ(json_rows(batch), Lines{subject.rows[row]}) << "row " << row;
    }
  });
}

TEST_P(Agreement, TakeInAnyOrderWithRepeats) {
  each_table([](const ScannedTable& subject) {
    const auto rows = subject.shuffled_rows();
    EXPECT_EQ(json_rows(take(subject.all, rows)), subject.at(rows));
  });
}

TEST_P(Agreement, Blocks) {
  each_table([](const ScannedTable& subject) {
    Lines rows;
    for (uint64_t i = 0; i < subject.table->block_count(); ++i) {
      const Lines block = json_rows(read(subject.all, subject.table->block(i)));
      rows.insert(rows.end(), block.begin(), block.end());
    }
    EXPECT_EQ(rows, subject.rows);
  });
}

TEST_P(Agreement, GroupsAreAllRows) {
  each_table([](const ScannedTable& subject) {
    if (subject.table->group_count() == 0) return;
    Lines rows;
    for (uint64_t i = 0; i < subject.table->group_count(); ++i) {
      const RowRange range = subject.table->group(i);
      ASSERT_EQ(range.first, rows.size());
      const Lines group = json_rows(read(subject.all, range));
      EXPECT_EQ(group, subject.at(range));
      rows.insert(rows.end(), group.begin(), group.end());
    }
    EXPECT_EQ(rows, subject.rows);
  });
}

TEST_P(Agreement, Ranges) {
  each_table([](const ScannedTable& subject) {
    std::mt19937_64 random(5);
    RowBatch batch;
    for (int i = 0; i < 20; ++i) {
      const uint64_t rows = subject.table->rows();
      RowRange range{random() % (rows + 1), random() % (rows + 1)};
      if (range.first > range.last) std::swap(range.first, range.last);
      read(subject.all, range, batch);
      EXPECT_EQ(json_rows(batch), subject.at(range));
    }
  });
}

TEST_P(Agreement, ColumnsOneByOne) {
  each_table([](const ScannedTable& subject) {
    Lines rows(subject.table->rows(), "{");
    for (const Field& field : *subject.all.schema()) {
      const Projection column(subject.table, std::span(&field.name, 1));
      const Lines cells = json_rows(read(column, {0, subject.table->rows()}));
      for (size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].size() > 1) rows[row] += ',';
        rows[row].append(cells[row], 1, cells[row].size() - 2);
      }
    }
    for (std::string& row : rows) row += '}';
    EXPECT_EQ(rows, subject.rows);
  });
}

TEST_P(Agreement, RowViewOverFlatColumns) {
  each_table([](const ScannedTable& subject) {
    const Projection flat = subject.columns([](const Type& type) {
      return !type.is_nested() && !type.is(Type::DateTimeOffset) && !type.is(Type::RowId);
    });
    const auto rows = subject.shuffled_rows();
    RowBatch batch = take(flat, rows);
    for (Values& values : batch.columns) {
      if (values.type.is(Type::Key)) values.children.clear();  // a view gives numbers
    }
    const Lines taken = json_rows(batch);
    RowView view(flat);
    for (size_t i = 0; i < rows.size(); ++i) {
      view.seek(rows[i]);
      ASSERT_EQ(json_row(view, *flat.schema()), taken[i]) << "row " << rows[i];
    }
  });
}

template <class T, class Rows>
void expect_matrix(const Projection& columns, const Rows& rows, uint64_t count,
                   const RowBatch& batch) {
  std::vector<T> cells(count * columns.size());
  matrix<T>(columns, rows, std::span(cells));
  const std::vector<T> expected = number_rows<T>(batch);
  EXPECT_TRUE(std::ranges::equal(
      cells, expected, [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); }));
}

TEST_P(Agreement, MatrixOfNumbers) {
  each_table([](const ScannedTable& subject) {
    const Projection numbers = subject.columns([](const Type& type) {
      return type.is_integer() || type.is_float() || type.is(Type::Bool);
    });
    if (numbers.size() == 0) return;
    const auto rows = subject.shuffled_rows();
    const RowBatch taken = take(numbers, rows);
    expect_matrix<double>(numbers, rows, rows.size(), taken);
    expect_matrix<float>(numbers, rows, rows.size(), taken);
    const RowRange range{subject.table->rows() / 3, subject.table->rows()};
    expect_matrix<double>(numbers, range, range.rows(), read(numbers, range));
  });
}

// The dataset has not been used yet, so that all threads build its lazy parts at once.
TEST_P(Agreement, ThreadsOnOneDataset) {
  const auto fresh = opened();
  each_table([&](const ScannedTable& subject) {
    auto rows = subject.shuffled_rows();
    rows.resize(std::min<size_t>(rows.size(), 200));
    std::vector<Lines> answers(4);
    {
      std::vector<std::jthread> threads;
      for (Lines& answer : answers) {
        threads.emplace_back([&] {
          answer = json_rows(take(Projection(fresh->table(subject.table->name())), rows));
        });
      }
    }
    for (const Lines& answer : answers) EXPECT_EQ(answer, subject.at(rows));
  });
}

INSTANTIATE_TEST_SUITE_P(Data, Agreement,
                         testing::Combine(testing::ValuesIn(real_files()),
                                          testing::Values(Wrapping()), testing::Bool()),
                         TestName());
INSTANTIATE_TEST_SUITE_P(Wrapped, Agreement,
                         testing::Combine(testing::ValuesIn(files_to_wrap()),
                                          testing::ValuesIn(wrappings()), testing::Bool()),
                         TestName());

TEST(Data, EveryFormatHasRealFiles) {
  std::set<std::string> seen;
  for (const RealFile& file : real_files()) seen.insert(file.format);
  for (const Format& format : formats())
    EXPECT_TRUE(seen.contains(std::string(format.name))) << format.name;
}

}  // namespace
}  // namespace heron

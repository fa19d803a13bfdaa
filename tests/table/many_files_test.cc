// Several files as one dataset: a file given twice has its rows twice, in every way of reading.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include "base/fail.h"
#include "columns/column.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"
#include "kit/result_of.h"
#include "kit/sums.h"
#include "table/internals.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using test::TempFolder;
using Lines = std::vector<std::string>;
using Paths = std::vector<std::string>;

std::shared_ptr<const File> opened(const Paths& paths, bool map = true) {
  OpenOptions options;
  options.mmap = map;
  return open(paths, options);
}

std::string data(const std::string& name) {
  return data_dir() / name;
}

Lines scanned(const Projection& columns) {
  Lines rows;
  Scan scan(columns, {}, 97);  // some batches have rows of both files
  for (RowBatch batch; scan.next(batch);) {
    for (std::string& row : json_rows(batch)) rows.push_back(std::move(row));
  }
  return rows;
}

// Returns all columns but the one that counts groups.
Projection comparable(const std::shared_ptr<const Table>& table) {
  std::vector<uint64_t> columns;
  const Projection all(table);
  for (const uint64_t column : all.indices()) {
    if (column != table->group_column()) columns.push_back(column);
  }
  return Projection(table, columns);
}

class ManyFiles : public testing::TestWithParam<RealFile> {
 protected:
  // Calls check(table of the file, table of the file twice).
  template <class Check>
  void each_table(Check check) const {
    const std::string path = GetParam().path;
    for (const bool map : {true, false}) {
      const auto one = opened({path}, map);
      const auto two = opened({path, path}, map);
      ASSERT_EQ(two->tables().size(), one->tables().size());
      for (uint64_t i = 0; i < one->tables().size(); ++i) {
        if (one->tables()[i]->rows() > kMaxRows) continue;
        SCOPED_TRACE(one->tables()[i]->name());
        check(one->tables()[i], two->tables()[i]);
      }
    }
  }
  static constexpr uint64_t kMaxRows = 1 << 17;
};

TEST_P(ManyFiles, RowsTwice) {
  each_table([](const auto& one, const auto& two) {
    ASSERT_EQ(two->rows(), 2 * one->rows());
    ASSERT_EQ(internals(*two).fragments().size(), 2);
    EXPECT_EQ(internals(*two).fragments()[1].first_row, one->rows());
    const Lines once = scanned(comparable(one));
    Lines rows = once;
    rows.insert(rows.end(), once.begin(), once.end());
    const Projection columns = comparable(two);
    EXPECT_EQ(scanned(columns), rows);

    std::vector<uint64_t> numbers(std::min<uint64_t>(two->rows(), 500));
    std::mt19937_64 random(3);
    for (uint64_t& number : numbers) number = random() % two->rows();
    const Lines taken = json_rows(take(columns, numbers));
    for (uint64_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(taken[i], rows[numbers[i]]);
    if (two->rows() != 0) {
      Loader loader(columns, {.sampler = {.seed = 5}, .batch_rows = 50});
      LoaderBatch batch;
      ASSERT_TRUE(loader.next(batch));
      std::vector<uint64_t> drawn(batch.columns.rows);
      Sampler(two->rows(), {.seed = 5}).draw(0, drawn);
      const Lines sampled = json_rows(batch.columns);
      for (uint64_t i = 0; i < drawn.size(); ++i) ASSERT_EQ(sampled[i], rows[drawn[i]]);
    }
  });
}

TEST_P(ManyFiles, RowViewsAndSums) {
  each_table([](const auto& one, const auto& two) {
    std::vector<uint64_t> viewed, summed;
    const Projection all = comparable(one);
    for (const uint64_t column : all.indices()) {
      const Type& type = internals(*one).column(column).type();
      if (!type.is_nested() && type.width() <= 8) viewed.push_back(column);
      if (type.is_integer()) summed.push_back(column);
    }
    RowView in_one(Projection(one, viewed)), in_two(Projection(two, viewed));
    const auto schema = Projection(one, viewed).schema();
    for (uint64_t row = 0; row < std::min<uint64_t>(one->rows(), 50); ++row) {
      in_one.seek(row);
      for (const uint64_t same : {row, one->rows() + row}) {
        in_two.seek(same);
        ASSERT_EQ(json_row(in_two, *schema), json_row(in_one, *schema));
      }
    }
    const auto sums_of_one = sums(Projection(one, summed));
    const auto sums_of_two = sums(Projection(two, summed));
    for (uint64_t i = 0; i < summed.size(); ++i) {
      EXPECT_EQ(sums_of_two[i], 2 * sums_of_one[i]) << one->column_name(summed[i]);
    }
  });
}

TEST_P(ManyFiles, GroupsCountOn) {
  each_table([](const auto& one, const auto& two) {
    const uint64_t groups = one->group_count();
    ASSERT_EQ(two->group_count(), 2 * groups);
    EXPECT_EQ(two->label_column(), one->label_column());
    for (uint64_t group = 0; group < groups; ++group) {
      EXPECT_EQ(two->group(groups + group).first, one->rows() + one->group(group).first);
      EXPECT_EQ(two->group(groups + group).rows(), one->group(group).rows());
    }
    if (!one->group_column()) return;
    const Projection column(two, std::array{*one->group_column()});
    for (const uint64_t group : {uint64_t{0}, groups}) {
      if (groups == 0 || two->group(group).rows() == 0) continue;
      const RowBatch rows = read(column, two->group(group));
      EXPECT_EQ(rows.columns[0].template get<uint32_t>(0), group);
    }
  });
}

// Groups are numbered in the whole dataset, not in a file.
TEST_P(ManyFiles, GroupNumbersContinueAcrossFiles) {
  each_table([](const auto& one, const auto& two) {
    const uint64_t groups = one->group_count();
    if (!one->group_column() || groups == 0) return;
    const uint64_t column = *one->group_column();
    const std::string name = concat('`', two->column_name(column), '`');
    const uint64_t group = groups + groups / 2;
    EXPECT_EQ(count(Predicate(two, concat(name, " = ", group))), two->group(group).rows());
    EXPECT_EQ(count(Predicate(two, concat(name, " < ", groups))), one->rows());
    EXPECT_EQ(count(Predicate(two, concat(name, " >= ", 2 * groups))), 0u);
    const auto last = [&](const std::optional<Predicate>& where) {
      const auto aggregates = parse_aggregates(*two, concat("max(", name, ")"));
      return result_of(aggregate(Query(two, where), aggregates), 0);
    };
    const Scalar most = uint64_t{2 * groups - 1};
    EXPECT_EQ(last({}), most);
    EXPECT_EQ(last(Predicate(two, concat(name, " > 0"))), most);
    if (one->label_column() == column) return;
    const uint64_t other = one->label_column().value_or(column + 1);
    EXPECT_EQ(last(Predicate(two, concat('`', two->column_name(other), "` is not null"))), most);
  });
}

TEST_P(ManyFiles, IsWhole) {
  const std::string path = GetParam().path;
  const auto one = open(path);
  const auto three = opened({path, path, path});
  EXPECT_EQ(three->path(), path + " and 2 more");
  EXPECT_EQ(three->size_bytes(), 3 * one->size_bytes());
  EXPECT_EQ(three->format(), one->format());
  EXPECT_EQ(three->header().back(), std::pair(std::string("files"), std::string("3")));
  ASSERT_EQ(three->counters().size(), one->counters().size());
  for (uint64_t i = 0; i < one->tables().size(); ++i) {
    const Table& table = *one->tables()[i];
    const Table& joined = *three->tables()[i];
    for (uint64_t column = 0; column < table.column_count(); ++column) {
      EXPECT_EQ(joined.column_name(column), table.column_name(column));
      EXPECT_EQ(internals(joined).column(column).type(), internals(table).column(column).type());
      EXPECT_EQ(internals(joined).column(column).encoding(),
                internals(table).column(column).encoding());
    }
    if (table.rows() > kMaxRows) return;
  }
  EXPECT_EQ(verify(*three), verify(*one));
}

INSTANTIATE_TEST_SUITE_P(All, ManyFiles, testing::ValuesIn(real_files()),
                         [](const auto& file) { return file.param.test_name(); });

TEST(ManyFilesOpen, WantsAFile) {
  error_of(ErrorKind::Argument, [] { opened({}); });
  EXPECT_EQ(error_of([] {
              opened({data("jay/key_int1.jay"), "no such file"});
            }).kind(),
            ErrorKind::Io);
}

TEST(ManyFilesOpen, OneIsTheFileAsItIs) {
  const auto one = opened({data("jay/key_int1.jay")});
  EXPECT_EQ(one->path(), data("jay/key_int1.jay"));
  EXPECT_EQ(one->table()->key_columns(), 1);
  EXPECT_EQ(internals(*one->table()).fragments().size(), 1);
  EXPECT_EQ(opened({one->path(), one->path()})->table()->key_columns(), 0);
}

TEST(ManyFilesOpen, SchemasThatDifferNameFileAndColumn) {
  TempFolder folder;
  const auto made = [&](const std::string& name,
                        const std::vector<std::pair<std::string, Type>>& columns) {
    Schema schema;
    for (const auto& [column, type] : columns) {
      schema.emplace_back();
      schema.back().name = column;
      schema.back().type = type;
    }
    WriteOptions options;
    options.rows = 0;
    const auto writer = create(folder / name, schema, options);
    writer->close();
    writer->publish();
    return folder / name;
  };
  const std::string first = made("first.jay", {{"a", Type::Int32}, {"x", Type::Int32}});
  const auto refusal = [&](const std::string& second) {
    return error_of(ErrorKind::Argument, [&] { opened({first, first, second}); });
  };
  EXPECT_EQ(refusal(made("type.jay", {{"a", Type::Int32}, {"x", Type::Int64}})),
            folder / "type.jay: column \"x\" is int64, in " + first + " it is int32");
  EXPECT_EQ(refusal(made("name.jay", {{"a", Type::Int32}, {"y", Type::Int32}})),
            folder / "name.jay: column 1 is \"y\", in " + first + " it is \"x\"");
  EXPECT_EQ(refusal(made("fewer.jay", {{"x", Type::Int32}})),
            folder / "fewer.jay: no column \"a\", as there is in " + first);
  EXPECT_EQ(refusal(made("more.jay", {{"a", Type::Int32}, {"x", Type::Int32}, {"z", Type::Bool}})),
            folder / "more.jay: column \"z\" is not in " + first);
}

TEST(ManyFilesOpen, FormatsMayDiffer) {
  // The dataset has three columns of bytes, as numbers.
  const auto file = opened({data("balsa/t-fl32-9x5.balsa"), data("balsa/be-t-fl32-9x5.balsa")});
  const Lines rows = scanned(Projection(file->table()));
  ASSERT_EQ(rows.size(), 18);
  EXPECT_TRUE(std::equal(rows.begin(), rows.begin() + 9, rows.begin() + 9));
  EXPECT_EQ(error_of(ErrorKind::Argument,
                     [] {
                       opened({data("jay/key_int1.jay"), data("treezip/text_p0.tz")});
                     }),
            data("treezip/text_p0.tz") + ": no table \"data\"; there are: bytes");
}

class ManyFilesChange : public testing::TestWithParam<bool> {
 protected:
  ManyFilesChange() {
    for (const char* name : {"a.jay", "b.jay"}) {
      std::filesystem::copy_file(data("jay/fread_chunked_legacy.jay"), folder_ / name);
    }
  }
  // Cuts the second file, or grows it by a byte, while both are open.
  void change(int64_t bytes) {
    const uint64_t size = std::filesystem::file_size(folder_ / "b.jay");
    std::filesystem::resize_file(folder_ / "b.jay", bytes == 0 ? 0 : size + 1);
  }
  TempFolder folder_;
};

TEST_P(ManyFilesChange, IsNoticedInAnyFile) {
  for (const int64_t bytes : {0, 1}) {
    const auto file = opened({folder_ / "a.jay", folder_ / "b.jay"}, GetParam());
    const Projection columns(file->table());
    const RowBatch before = read(columns, {0, columns.table()->rows()});
    change(bytes);
    const auto refused = [&](auto ask) {
      EXPECT_TRUE(error_of(ErrorKind::Changed, ask).starts_with(folder_ / "b.jay: "));
    };
    refused([&] { columns.table()->check_unchanged(); });
    refused([&] { scanned(columns); });
    refused([&] { read(columns, {0, 100}); });
    refused([&] { verify(*file); });
    if (bytes == 0) refused([&] { take(columns, std::array{columns.table()->rows() - 1}); });
    std::filesystem::copy_file(folder_ / "a.jay", folder_ / "b.jay",
                               std::filesystem::copy_options::overwrite_existing);
  }
}

TEST_P(ManyFilesChange, RowViewsNoticeLostPages) {
  const auto file = opened({folder_ / "a.jay", folder_ / "b.jay"}, GetParam());
  RowView view(Projection(file->table(), std::array{uint64_t{0}}));
  change(0);
  error_of(ErrorKind::Changed, [&] {
    view.seek(file->table()->rows() - 1);
    view.is_null(0);
  });
}

INSTANTIATE_TEST_SUITE_P(Ways, ManyFilesChange, testing::Bool());

}  // namespace
}  // namespace heron

// Both zeros are one value, and so are all NaNs: everywhere that values are counted, grouped,
// sorted, searched or compared, in every format that stores floats, as columns, as dictionaries and
// as values of keys, against a plain evaluation row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "base/fail.h"
#include "columns/dictionaries/dictionary_column.h"
#include "columns/dictionaries/key_column.h"
#include "columns/fixed_column.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "kit/result_of.h"
#include "kit/special_numbers.h"
#include "kit/written_formats.h"
#include "sort/ordered_rows.h"
#include "table/many_files.h"
#include "temp_folder.h"
#include "values/scalar.h"

namespace heron {
namespace {

using test::error_of;

constexpr uint64_t kOddRows = 9'000;  // more than a batch

// Returns zeros of both signs, NaNs of several bit patterns and some numbers.
template <class T>
std::vector<T> odd_floats(uint64_t seed, uint64_t rows = kOddRows) {
  using Limits = std::numeric_limits<T>;
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  const T nan = Limits::quiet_NaN();
  const T values[] = {T{0},
                      -T{0},
                      nan,
                      -nan,
                      std::bit_cast<T>(std::bit_cast<Bits>(nan) | 5),
                      T{1},
                      T{-1},
                      Limits::infinity(),
                      -Limits::infinity(),
                      Limits::denorm_min(),
                      -Limits::denorm_min()};
  std::mt19937_64 random(seed);
  std::vector<T> all(rows);
  for (T& value : all) {
    value = random() % 4 == 0 ? static_cast<T>(random() % 9) / 4
                              : values[random() % std::size(values)];
  }
  return all;
}

// Returns equal texts for values that are equal by the rule; "" for null.
std::string class_of(const ScalarView& value) {
  if (std::holds_alternative<std::monostate>(value)) return {};
  const double number = std::get<double>(value);
  return std::isnan(number) ? "NaN" : concat(number == 0 ? 0.0 : number);
}

bool is_negative_zero(const ScalarView& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr && *number == 0 && std::signbit(*number);
}

// Runs all queries of one column of a table.
class FloatColumn {
 public:
  FloatColumn(std::shared_ptr<const Table> table, const std::string& name)
      : table_(std::move(table)), projection_(table_, {name}), name_(name) {
    const RowBatch batch = read(projection_, {0, table_->rows()});
    for (uint64_t row = 0; row < batch.rows; ++row) {
      const ScalarView value = scalar_at(batch.columns[0], row);
      negative_zeros_ += is_negative_zero(value);
      classes_.push_back(class_of(value));
      const auto* number = std::get_if<double>(&value);
      numbers_.push_back(number == nullptr ? kNaN : *number);
      if (classes_.back().empty()) continue;
      distinct_.insert(classes_.back());
      if (classes_.back() == "NaN") continue;
      least_ = std::min(least_, *number);
      greatest_ = std::max(greatest_, *number);
    }
  }

  uint64_t negative_zeros() const { return negative_zeros_; }

  void check() const {
    check_aggregates();
    check_groups();
    check_parts();
    check_counts();
    check_order();
  }

 private:
  Scalar answer(const std::string& what, const Context& context = {}) const {
    const auto aggregates = parse_aggregates(*table_, what + "(`" + name_ + "`)");
    return result_of(aggregate(Query(table_), aggregates, context), 0);
  }
  void check_extreme(const Scalar& got, double expected) const {
    EXPECT_EQ(class_of(view_of(got)), class_of(expected));
    EXPECT_FALSE(is_negative_zero(view_of(got)));
  }
  void check_aggregates() const {
    for (const unsigned threads : {1U, 4U}) {
      const Context context = on_threads(threads);
      for (const char* what : {"distinct", "approx_distinct"}) {
        EXPECT_EQ(answer(what, context), Scalar(uint64_t{distinct_.size()}));
      }
      check_extreme(answer("min", context), least_);
      check_extreme(answer("max", context), greatest_);
      const ColumnStats summary = stats(projection_, context).front();
      EXPECT_EQ(summary.distinct, distinct_.size());
      check_extreme(summary.min, least_);
      check_extreme(summary.max, greatest_);
    }
    const uint64_t zeros = static_cast<uint64_t>(std::count(classes_.begin(), classes_.end(), "0"));
    EXPECT_EQ(count(Query(table_, "`" + name_ + "` = 0")), zeros);
    EXPECT_EQ(count(Query(table_, "`" + name_ + "` in (-0.0, 77)")), zeros);
  }

  // Groups in the order of their first rows.
  struct Group {
    std::string shown;
    uint64_t rows = 0;
  };
  std::vector<Group> groups() const {
    std::vector<Group> all;
    std::map<std::string, uint64_t> known;
    for (const std::string& value : classes_) {
      const auto [at, is_new] = known.emplace(value, all.size());
      if (is_new) all.push_back({value});
      ++all[at->second].rows;
    }
    return all;
  }
  void check_batch(const RowBatch& batch, const std::vector<Group>& expected) const {
    ASSERT_EQ(batch.rows, expected.size());
    for (uint64_t i = 0; i < batch.rows; ++i) {
      const ScalarView key = scalar_at(batch.columns[0], i);
      EXPECT_EQ(class_of(key), expected[i].shown);
      EXPECT_FALSE(is_negative_zero(key)) << i;
      EXPECT_EQ(scalar_at(batch.columns.back(), i), ScalarView(expected[i].rows));
    }
  }
  void check_groups() const {
    const std::vector<Group> expected = groups();
    Query query(table_);
    const auto counted = parse_aggregates(*table_, "count");
    for (const unsigned threads : {1U, 4U}) {
      query.by = std::vector<std::string>{name_};
      check_batch(group_by(query, counted, on_threads(threads)), expected);
      query.by = std::vector<std::string>{name_, table_->column_name(0)};
      check_batch(group_by(query, counted, on_threads(threads)), expected);
      query.by = std::vector<uint64_t>{0};  // the column has the same value in all rows
      const std::string column = "(`" + name_ + "`)";
      const auto counts =
          parse_aggregates(*table_, "distinct" + column + ", approx_distinct" + column);
      const RowBatch all = group_by(query, counts, on_threads(threads));
      EXPECT_EQ(scalar_at(all.columns[1], 0), ScalarView(uint64_t{distinct_.size()}));
      EXPECT_EQ(scalar_at(all.columns[2], 0), ScalarView(uint64_t{distinct_.size()}));
    }
  }
  // Checks states of parts, merged from their bytes.
  void check_parts() const {
    const auto merged = [&](const std::string& what, Columns by) {
      std::optional<PartialAggregate> all;
      for (uint64_t first = 0; first < table_->rows(); first += 4'000) {
        Query query(table_);
        query.range = RowRange{first, std::min(table_->rows(), first + 4'000)};
        query.by = by;
        const PartialAggregate part(
            PartialAggregate(query, parse_aggregates(*table_, what), {0, table_->rows()}).bytes());
        if (!all)
          all.emplace(part.bytes());
        else
          all->append(part);
      }
      return *std::move(all);
    };
    check_batch(merged("count", std::vector<std::string>{name_}).result(), groups());
    const std::string column = "(`" + name_ + "`)";
    const auto values =
        merged("distinct" + column + ", min" + column + ", max" + column, {}).result();
    EXPECT_EQ(result_of(values, 0), Scalar(uint64_t{distinct_.size()}));
    check_extreme(result_of(values, 1), least_);
    check_extreme(result_of(values, 2), greatest_);
  }
  void check_counts() const {
    std::map<std::string, uint64_t> rows;
    for (const std::string& value : classes_) ++rows[value];
    const std::vector<ValueCount> counts = count_values(projection_, 0);
    EXPECT_EQ(counts.size(), rows.size());
    for (const auto& [value, count] : counts) {
      EXPECT_EQ(count, rows[class_of(view_of(value))]);
      EXPECT_FALSE(is_negative_zero(view_of(value)));
    }
  }
  // Checks that rows of equal values stay in their order. Keys are in the order of their numbers.
  void check_order() const {
    if (!(*projection_.schema())[0].type.is_float()) return;
    const auto is_before = [&](uint64_t a, uint64_t b) {
      const double x = numbers_[a], y = numbers_[b];
      return std::isnan(x) ? !std::isnan(y) : x < y;
    };
    for (const Direction direction : {Ascending, Descending}) {
      std::vector<uint64_t> expected(numbers_.size());
      for (uint64_t row = 0; row < expected.size(); ++row) expected[row] = row;
      std::stable_sort(expected.begin(), expected.end(), [&](uint64_t a, uint64_t b) {
        return direction == Ascending ? is_before(a, b) : is_before(b, a);
      });
      Query query(table_);
      query.order = {{name_, direction}};
      EXPECT_EQ(ordered_rows(query, on_threads(4)), expected);
      OrderedRows spilled(query, {}, 1);
      std::vector<uint64_t> rows;
      spilled.next(spilled.size(), rows);
      EXPECT_EQ(rows, expected);
      query.limit = 1'000;
      expected.resize(std::min<size_t>(expected.size(), 1'000));
      EXPECT_EQ(ordered_rows(query), expected);
    }
  }

  std::shared_ptr<const Table> table_;
  Projection projection_;
  std::string name_;
  std::vector<std::string> classes_;
  std::vector<double> numbers_;
  std::set<std::string> distinct_;
  double least_ = kInfinity, greatest_ = -kInfinity;
  uint64_t negative_zeros_ = 0;
};

// Returns values of a dictionary or of keys, some of them equal.
template <class T>
std::vector<T> equal_values() {
  const T nan = std::numeric_limits<T>::quiet_NaN();
  return {T{2}, -T{0}, nan, T{1}, T{0}, -nan, T{2}};
}

class OddDictionary final : public Dictionary {
 public:
  OddDictionary() : Dictionary(Type::Float64, equal_values<double>().size()) {}
  void decode(uint64_t first, uint64_t count, std::byte* cells, const Context&) const override {
    const std::vector<double> values = equal_values<double>();
    std::memcpy(cells, values.data() + first, count * sizeof(double));
  }
};

template <class T>
void add_keys(TableMaker& maker, const std::string& name, Type::Id type, uint64_t seed) {
  std::mt19937_64 random(seed);
  const uint64_t values = equal_values<T>().size();
  std::vector<uint8_t> numbers(kOddRows);
  for (uint8_t& number : numbers) number = static_cast<uint8_t>(random() % (values + 1));
  const auto of_keys = std::make_shared<KeyValues>([=](const Context&) {
    return read(Projection(TableMaker(values).fixed("v", type, equal_values<T>()).table()),
                {0, values});
  });
  maker.add(name, [=, piece = maker.pieces.add(numbers)](const ByteSource& source, uint64_t rows,
                                                         ColumnLabel label) {
    return std::make_unique<KeyColumn>(
        label,
        std::make_unique<FixedColumn>(Type::key(Type::UInt8, values), rows, label,
                                      FixedCells{piece.in(source), {}, NullEncoding::Zero}),
        of_keys);
  });
}

std::shared_ptr<const File> made(bool mapped) {
  std::mt19937_64 random(11);
  std::vector<bool> valid(kOddRows);
  for (uint64_t row = 0; row < kOddRows; ++row) valid[row] = random() % 5 != 0;
  std::vector<uint8_t> codes(kOddRows);
  for (uint8_t& code : codes) code = static_cast<uint8_t>(random() % equal_values<double>().size());
  TableMaker maker(kOddRows);
  maker.null("nothing")
      .fixed("f64", Type::Float64, odd_floats<double>(1))
      .fixed("f32", Type::Float32, odd_floats<float>(2))
      .fixed("f64_nulls", Type::Float64, odd_floats<double>(3), NullEncoding::Bitmap, valid)
      .fixed("f32_nan", Type::Float32, odd_floats<float>(4), NullEncoding::NaN);
  maker.add("codes", [=, piece = maker.pieces.add(codes)](const ByteSource& source, uint64_t rows,
                                                          ColumnLabel label) {
    return std::make_unique<DictionaryColumn>(
        label,
        std::make_unique<FixedColumn>(Type::UInt8, rows, label, FixedCells{piece.in(source)}),
        std::make_shared<OddDictionary>());
  });
  add_keys<double>(maker, "key64", Type::Float64, 5);
  add_keys<float>(maker, "key32", Type::Float32, 6);
  return maker.file(mapped);
}

void check_columns(const std::shared_ptr<const Table>& table) {
  for (uint64_t i = 1; i < table->column_count(); ++i) {
    const std::string& name = table->column_name(i);
    SCOPED_TRACE(name);
    const FloatColumn column(table, name);
    EXPECT_GT(column.negative_zeros(), 0) << "row values keep their sign";
    column.check();
  }
}

class EqualFloats : public testing::TestWithParam<bool> {};

TEST_P(EqualFloats, InMemory) {
  check_columns(made(GetParam())->table());
}

TEST_P(EqualFloats, InFilesWithDictionariesOfTheirOwn) {
  const std::vector<std::shared_ptr<const File>> files = {made(GetParam()), made(GetParam())};
  const auto table = join(files)->table();
  Query query(table);
  query.by = {"codes"};
  const RowBatch groups = group_by(query, parse_aggregates(*table, "count"));
  EXPECT_EQ(groups.rows, 4);
  for (uint64_t i = 0; i < groups.rows; ++i) {
    EXPECT_FALSE(is_negative_zero(scalar_at(groups.columns[0], i)));
  }
}

INSTANTIATE_TEST_SUITE_P(MappedAndNot, EqualFloats, testing::Bool());

// Each format stores them, also with an index.
TEST(EqualFloatsInFiles, OfEveryFormat) {
  std::vector<double> target(kOddRows);
  std::vector<double> zeros = odd_floats<double>(3);  // for formats without NaN
  for (double& value : zeros) {
    if (value != 0 && !std::isnormal(value)) value = 1;
  }
  TableMaker maker(kOddRows);
  maker.fixed("target", Type::Float64, target)
      .fixed("f64", Type::Float64, odd_floats<double>(1))
      .fixed("zeros", Type::Float64, zeros);
  uint64_t formats = 0;
  for (const Format* format : written_formats()) {
    SCOPED_TRACE(format->name);
    const test::TempFolder folder{test::memory_folder()};
    const std::string path = folder / concat("odd", format->extension);
    ConvertOptions options;
    options.cast = options.drop_unsupported = true;
    convert(table_rows(Projection(maker.table())), path, options);
    for (const bool indexed : {false, true}) {
      if (indexed) write_index(path);
      const auto table = open(path)->table();
      const std::string name = table->find_column("f64")     ? "f64"
                               : table->find_column("zeros") ? "zeros"
                                                             : "c1";
      const FloatColumn column(table, name);
      EXPECT_TRUE(column.negative_zeros() > 0 || format->name == "jforests");
      column.check();
      ++formats;
    }
  }
  EXPECT_GE(formats, 6);
}

// An index counts the distinct values before any value is read.
TEST(EqualFloatsInFiles, AnIndexCountsThemAsOne) {
  const test::TempFolder folder{test::memory_folder()};
  const std::string path = folder / "odd.jay";
  const std::vector<double> cells = {0.0, -0.0, 1, -0.0};
  convert(table_rows(Projection(TableMaker(4).fixed("f", Type::Float64, cells).table())), path);
  write_index(path);
  const auto table = open(path)->table();
  const auto all = aggregate(Query(table), parse_aggregates(*table, "distinct(f), min(f)"));
  EXPECT_EQ(result_of(all, 0), Scalar(uint64_t{2}));
  EXPECT_FALSE(std::signbit(std::get<double>(result_of(all, 1))));
}

TEST(EqualFloatsInFiles, SpilledDistinctValuesCountThemAsOne) {
  constexpr uint64_t kCellCount = 300'000;
  std::vector<double> cells(kCellCount);
  for (uint64_t i = 0; i < kCellCount; ++i) {
    cells[i] = static_cast<double>(i / 2) * (i % 2 == 0 ? 1 : -1);
  }
  cells[kCellCount - 1] = -0.0;
  const auto table = TableMaker(kCellCount).fixed("f", Type::Float64, cells).table();
  Context context;
  context.memory = std::make_shared<MemoryBudget>(uint64_t{24} << 20);
  // 0, 149,999 of one sign and 149,998 of the other.
  const auto aggregates = parse_aggregates(*table, "distinct(f)");
  EXPECT_EQ(result_of(aggregate(Query(table), aggregates, context), 0), Scalar(kCellCount - 2));
}

TEST(EqualFloatsAsKeys, RowsAreUniqueAndCompareByValue) {
  const test::TempFolder folder{test::memory_folder()};
  const auto rows = [](std::vector<double> keys, std::vector<float> values) {
    return TableMaker(keys.size())
        .fixed("k", Type::Float64, keys)
        .fixed("v", Type::Float32, values)
        .table();
  };
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto a = rows({-1, 0.0, 2}, {0.0F, nan, -0.0F});
  const auto b = rows({-1, -0.0, 2}, {-0.0F, -nan, 0.0F});
  for (const std::vector<std::string>& key : {std::vector<std::string>{}, {"k"}}) {
    EXPECT_TRUE(diff(a, b, {.key = key}).is_equal());
    EXPECT_TRUE(diff(b, a, {.key = key}).is_equal());
  }
  ConvertOptions options;
  options.key = {"k"};
  const std::string path = folder / "keys.jay";
  EXPECT_NE(error_of(ErrorKind::Argument,
                     [&] {
                       convert(table_rows(Projection(rows({0.0, 1, -0.0}, {1, 2, 3}))), path,
                               options);
                     })
                .find("k = "),
            std::string::npos);
  convert(table_rows(Projection(rows({3, -0.0, -2}, {1, 2, 3}))), path, options);
  const auto sorted = open(path)->table();
  const std::vector<Scalar> keys = {0.0, -0.0, int64_t{0}};
  EXPECT_EQ(find(Projection(sorted, {"k"}), keys), (std::vector<uint64_t>{1, 1, 1}));
  EXPECT_EQ(count(Query(sorted, "k = 0 and v = 2")), 1);
}

}  // namespace
}  // namespace heron

// Groups and orders of random questions on every table of every file in data/, and on some joined,
// against a plain evaluation row by row; on one thread and four.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "aggregate/aggregates.h"
#include "aggregate/functions/function.h"
#include "base/int128.h"
#include "columns/bit_column.h"
#include "columns/dictionaries/dictionary_column.h"
#include "columns/fixed_column.h"
#include "heron/heron.h"
#include "kit/effort.h"
#include "kit/made_table.h"
#include "kit/on_threads.h"
#include "kit/plain_exact_sum.h"
#include "kit/plain_table.h"
#include "kit/random_predicate.h"
#include "kit/real_files.h"
#include "kit/test_names.h"
#include "table/internals.h"
#include "table/many_files.h"
#include "values/scalar.h"

namespace heron {
namespace {

using Function = Aggregate::Function;

PlainValue plain_of(const ScalarView& value, const Type& type) {
  if (const auto* units = std::get_if<Int128>(&value)) return PlainDecimal{*units, type.scale()};
  if (const auto* truth = std::get_if<bool>(&value)) return Int128{*truth};
  if (const auto* number = std::get_if<int64_t>(&value)) return Int128{*number};
  if (const auto* number = std::get_if<uint64_t>(&value)) return Int128{*number};
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  return {};
}

double as_float(const PlainValue& value) {
  if (const auto* decimal = std::get_if<PlainDecimal>(&value)) {
    return std::strtod(text_of(*decimal).c_str(), nullptr);
  }
  const auto* integer = std::get_if<Int128>(&value);
  return integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value);
}

// Returns the same text for values of the same group.
std::string key_text(const PlainValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return "t" + *text;
  if (const auto* number = std::get_if<double>(&value)) {
    if (std::isnan(*number)) return "nan";
    const double zero = 0, *either = *number == 0 ? &zero : number;
    return "f" + std::string(reinterpret_cast<const char*>(either), sizeof *either);
  }
  if (const auto* number = std::get_if<Int128>(&value)) {
    return "i" + std::string(reinterpret_cast<const char*>(number), sizeof *number);
  }
  if (const auto* decimal = std::get_if<PlainDecimal>(&value)) return "d" + text_of(*decimal);
  return "null";
}

// The expected results of one group.
class PlainGroup {
 public:
  void add(const PlainValue& value) {
    if (rows_++ == 0) first_ = value;
    last_ = value;
    if (is_null(value)) return;
    if (values_++ == 0) any_ = value;
    distinct_.insert(key_text(value));
    trues_ += value == PlainValue(Int128{1});
    counted_[key_text(value)].add(value, values_);
    const auto* float_value = std::get_if<double>(&value);
    if (float_value == nullptr || !std::isnan(*float_value)) all_.push_back(value);
    if (const auto* number = std::get_if<Int128>(&value)) integers_ += *number;
    if (const auto* decimal = std::get_if<PlainDecimal>(&value)) {
      integers_ += decimal->units;
      scale_ = decimal->scale;
    }
    if (const auto* number = std::get_if<double>(&value)) {
      floats_.push_back(*number);
      if (std::isnan(*number)) return;
    }
    if (is_null(least_) || compare(value, least_) < 0) least_ = value;
    if (is_null(greatest_) || compare(value, greatest_) > 0) greatest_ = value;
  }

  // Returns a quantile of the sorted values: numbers are interpolated; for other types it is the
  // first value that at least this part of the values does not exceed.
  PlainValue quantile(double q, bool is_number) const {
    if (all_.empty()) return {};
    std::vector<PlainValue> sorted = all_;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return compare(a, b) < 0; });
    const auto count = static_cast<double>(sorted.size());
    if (!is_number) {
      size_t at = 0;
      while (static_cast<double>(at + 1) < q * count * (1 - 1e-15)) ++at;
      return sorted[at];
    }
    const auto number = [&](double position) {
      return as_float(sorted[static_cast<size_t>(position)]);
    };
    const double position = q * (count - 1);
    const double low = number(std::floor(position)), high = number(std::ceil(position));
    return low == high ? low : std::lerp(low, high, position - std::floor(position));
  }

  PlainValue result(Function function, bool is_float) const {
    switch (function) {
      case Function::Count: return Int128{values_};
      case Function::Distinct:
      case Function::ApproxDistinct: return Int128{distinct_.size()};
      case Function::Min: return least_;
      case Function::Max: return greatest_;
      case Function::First: return first_;
      case Function::Last: return last_;
      case Function::CountNull: return Int128{rows_ - values_};
      case Function::CountIf: return Int128{trues_};
      case Function::AnyValue: return any_;
      case Function::Mode: return mode();
      case Function::Variance: return variance();
      case Function::Stddev: {
        const PlainValue found = variance();
        return is_null(found) ? found : PlainValue(std::sqrt(std::get<double>(found)));
      }
      default: break;
    }
    if (values_ == 0) return {};
    if (function == Function::Mean) {
      const double sum = is_float ? plain_exact_sum(floats_)
                         : scale_ ? as_float(PlainDecimal{integers_, *scale_})
                                  : static_cast<double>(integers_);
      return sum / static_cast<double>(values_);
    }
    if (function == Function::BoolAnd) return Int128{trues_ == values_};
    if (function == Function::BoolOr) return Int128{trues_ != 0};
    if (is_float) return plain_exact_sum(floats_);
    if (scale_) return PlainDecimal{integers_, *scale_};
    return integers_;
  }

 private:
  // The count of a value, and its first row.
  struct Counted {
    void add(const PlainValue& of, uint64_t number) {
      if (count++ == 0) {
        value = of;
        first = number;
      }
    }
    PlainValue value;
    uint64_t count = 0, first = 0;
  };

  PlainValue mode() const {
    const Counted* best = nullptr;
    for (const auto& [key, one] : counted_) {
      if (best == nullptr || one.count > best->count ||
          (one.count == best->count && one.first < best->first)) {
        best = &one;
      }
    }
    return best == nullptr ? PlainValue() : best->value;
  }
  // Computes the variance in two passes; NaN if the square of a value is not finite.
  PlainValue variance() const {
    if (values_ < 2) return {};
    std::vector<long double> numbers;
    for (const PlainValue& value : all_) {
      const double number = as_float(value);
      if (std::isfinite(number * number)) numbers.push_back(number);
    }
    if (numbers.size() != values_) return std::nan("");
    const auto count = static_cast<long double>(values_);
    const long double first = numbers[0];  // differences of equal values are 0
    long double mean = 0, squares = 0;
    for (long double& number : numbers) mean += (number -= first) / count;
    for (const long double number : numbers) squares += (number - mean) * (number - mean);
    return static_cast<double>(squares / (count - 1));
  }

  uint64_t rows_ = 0, values_ = 0, trues_ = 0;
  PlainValue first_, last_, any_;
  std::map<std::string, Counted> counted_;
  Int128 integers_ = 0;            // the sum of integers, or of the units of decimals
  std::optional<uint32_t> scale_;  // of decimals
  std::vector<double> floats_;
  PlainValue least_, greatest_;
  std::set<std::string> distinct_;
  std::vector<PlainValue> all_;
};

bool same(const PlainValue& a, const PlainValue& b) {
  const auto* x = std::get_if<double>(&a);
  const auto* y = std::get_if<double>(&b);
  if (x != nullptr && y != nullptr) return *x == *y || (std::isnan(*x) && std::isnan(*y));
  return a == b;
}

bool is_near(const PlainValue& estimate, const PlainValue& exact) {
  const auto x = static_cast<double>(std::get<Int128>(estimate));
  const auto y = static_cast<double>(std::get<Int128>(exact));
  return std::abs(x - y) <= std::max(1.0, y * 5 * kDistinctError);
}

// Compares variances: the mean of the plain one is rounded, and some squares are beyond float64 or
// below it.
bool is_close(const PlainValue& got, const PlainValue& expected) {
  if (is_null(got) || is_null(expected)) return is_null(got) && is_null(expected);
  const double x = std::get<double>(got), y = std::get<double>(expected);
  if (std::isnan(x)) return std::isnan(y) || y > 1e145;
  return std::abs(x - y) <= 1e-140 + 1e-9 * std::max(std::abs(x), std::abs(y));
}

class Grouping {
 public:
  explicit Grouping(std::shared_ptr<const Table> table, uint64_t seed)
      : table_(std::move(table)),
        plain_(plain_table(table_)),
        columns_(table_),
        predicates_(plain_, seed),
        random_(seed) {
    for (uint64_t i = 0; i < columns_.size(); ++i) {
      if (has_scalars(internals(columns_).columns()[i]->type())) scalars_.push_back(i);
    }
  }

  void ask() {
    if (scalars_.empty()) return;
    keys_.clear();
    for (uint64_t i = 1 + random_() % 6; i > 0; --i) {
      const uint64_t key = any_column();
      if (std::ranges::find(keys_, key) == keys_.end()) keys_.push_back(key);
    }
    aggregates_.clear();
    of_.clear();
    for (uint64_t i = random_() % 5; i > 0; --i) add_aggregate();
    std::optional<Predicate> where;
    std::vector<uint64_t> rows(plain_.rows);
    for (uint64_t row = 0; row < rows.size(); ++row) rows[row] = row;
    text_.clear();
    if (random_() % 2 == 0) {
      const PlainPredicate predicate = predicates_.next();
      try {
        where.emplace(table_, text_of(predicate, plain_));
        rows = rows_of(predicate, plain_);
        text_ = where->text();
      } catch (const Error&) {  // integers beyond the range of the language
      }
    }
    expect(rows);
    for (const unsigned threads : {1U, 2U, 4U}) {
      SCOPED_TRACE("on " + std::to_string(threads) + " threads where " + text_);
      check(where, threads);
    }
  }

 private:
  uint64_t any_column() { return scalars_[random_() % scalars_.size()]; }
  const Column& column(uint64_t i) const { return *internals(columns_).columns()[i]; }

  void add_aggregate() {
    const uint64_t i = any_column();
    Aggregate one;
    one.function = static_cast<Function>(random_() % aggregate_functions().size());
    one.name = "a" + std::to_string(aggregates_.size());
    one.quantile = static_cast<double>(random_() % 21) / 20;
    if (one.function != Function::Count || random_() % 2 == 0) one.column = columns_.indices()[i];
    if (one.column && !why_not(one.function, column(i).type()).empty()) return;
    // Sums of these can have more digits than there are.
    constexpr uint64_t kMaxSummedDigits = 30;
    const bool is_sum = one.function == Function::Sum || one.function == Function::Mean;
    const Type& type = column(i).type();
    if (is_sum && type.is(Type::Decimal) && type.size() > kMaxSummedDigits) return;
    aggregates_.push_back(one);
    of_.push_back(i);
  }

  void expect(const std::vector<uint64_t>& rows) {
    std::map<std::string, uint64_t> groups;
    first_rows_.clear();
    groups_.clear();
    for (const uint64_t row : rows) {
      std::string key;
      for (const uint64_t i : keys_) {
        const std::string one = key_text(plain_.columns[i].values[row]);
        key += std::to_string(one.size()) + ":" + one;
      }
      const auto [at, is_new] = groups.emplace(key, first_rows_.size());
      if (is_new) {
        first_rows_.push_back(row);
        groups_.emplace_back(aggregates_.size());
      }
      for (uint64_t a = 0; a < aggregates_.size(); ++a) {
        const bool counts_rows = !aggregates_[a].column;
        groups_[at->second][a].add(counts_rows ? Int128{1} : plain_.columns[of_[a]].values[row]);
      }
    }
  }

  PlainValue expected(uint64_t group, uint64_t a) const {
    const Type& type = column(of_[a]).type();
    const bool is_float = aggregates_[a].column && type.is_float();
    if (aggregates_[a].function == Function::Quantile) {
      return groups_[group][a].quantile(aggregates_[a].quantile, is_float || type.is_integer() || type.is(Type::Decimal));
    }
    return groups_[group][a].result(aggregates_[a].function, is_float);
  }
  static PlainValue result_of(const Values& results, uint64_t group) {
    if (!results.type.is(Type::Int128)) {
      return plain_of(scalar_at(results, group), results.type);
    }
    return results.is_null(group) ? PlainValue() : cell_of<Int128>(results, group);
  }

  void check(const std::optional<Predicate>& where, unsigned threads) const {
    std::vector<uint64_t> key_columns;
    for (const uint64_t i : keys_) key_columns.push_back(columns_.indices()[i]);
    Query query(table_, where);
    query.by = key_columns;
    const RowBatch batch = group_by(query, aggregates_, on_threads(threads));
    ASSERT_EQ(batch.rows, first_rows_.size());
    ASSERT_EQ(batch.columns.size(), keys_.size() + aggregates_.size());
    for (uint64_t group = 0; group < batch.rows; ++group) {
      for (uint64_t k = 0; k < keys_.size(); ++k) {
        const PlainValue got = plain_of(scalar_at(batch.columns[k], group), batch.columns[k].type);
        EXPECT_EQ(key_text(got), key_text(plain_.columns[keys_[k]].values[first_rows_[group]]))
            << "key " << k << " of group " << group;
      }
      for (uint64_t a = 0; a < aggregates_.size(); ++a) {
        const PlainValue got = result_of(batch.columns[keys_.size() + a], group);
        const Function function = aggregates_[a].function;
        const bool is_spread = function == Function::Variance || function == Function::Stddev;
        const auto matches = is_spread                              ? is_close
                             : function == Function::ApproxDistinct ? is_near
                                                                    : same;
        EXPECT_TRUE(matches(got, expected(group, a)))
            << "aggregate " << a << " of group " << group << ", function "
            << static_cast<int>(aggregates_[a].function) << " of " << plain_.columns[of_[a]].name;
      }
      if (testing::Test::HasFailure()) return;
    }
  }

  std::shared_ptr<const Table> table_;
  PlainTable plain_;
  Projection columns_;
  RandomPredicates predicates_;
  std::mt19937_64 random_;
  std::vector<uint64_t> scalars_;  // indices of columns that can be keys
  std::vector<uint64_t> keys_;
  std::vector<Aggregate> aggregates_;
  std::vector<uint64_t> of_;  // index of the column of each aggregate
  std::string text_;
  std::vector<uint64_t> first_rows_;
  std::vector<std::vector<PlainGroup>> groups_;
};

void check_tables(const File& opened) {
  for (const auto& table : opened.tables()) {
    SCOPED_TRACE("table " + table->name());
    if (table->rows() > 20'000 || table->column_count() > 300) continue;  // slow to evaluate
    std::optional<Grouping> grouping;
    try {
      grouping.emplace(table, 20261123);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported)
          << error.what();  // the table has no column of a known type
      continue;
    }
    for (uint64_t i = 0; i < tries(6) && !testing::Test::HasFailure(); ++i) grouping->ask();
  }
}

class GroupByDifferential : public testing::TestWithParam<RealFile> {};

TEST_P(GroupByDifferential, GroupsAreWhatRowByRowGives) {
  check_tables(*open(GetParam().path.string()));
}

TEST_P(GroupByDifferential, SoAreThoseOfTwoFilesOnThreads) {
  const std::vector<std::string> twice(2, GetParam().path.string());
  check_tables(*open(twice));
}

// The value of code c is c * step modulo 11, so that several codes have the same value.
class Remainders final : public Dictionary {
 public:
  Remainders(uint64_t size, uint64_t step) : Dictionary(Type::Float64, size), step_(step) {}
  void decode(uint64_t first, uint64_t count, std::byte* cells, const Context&) const override {
    for (uint64_t i = 0; i < count; ++i) {
      const auto value = static_cast<double>((first + i) * step_ % 11);
      std::memcpy(cells + i * sizeof value, &value, sizeof value);
    }
  }

 private:
  const uint64_t step_;
};

// Makes columns whose keys are codes: every type of few values, with and without nulls, and codes
// of every width, some of them past the end of their dictionary, which is another in each table.
std::shared_ptr<const File> few_values(uint64_t seed, bool mapped) {
  constexpr uint64_t kRows = 20'000;
  std::mt19937_64 random(seed);
  const auto cells = [&]<class T>(T, uint64_t below) {
    std::vector<T> all(kRows);
    for (T& cell : all) cell = static_cast<T>(random() % below);
    return all;
  };
  const auto bits = [&] {
    std::vector<bool> all(kRows);
    for (uint64_t row = 0; row < kRows; ++row) all[row] = random() % 4 != 0;
    return all;
  };
  TableMaker maker(kRows);
  maker.fixed("i8", Type::Int8, cells(int8_t{}, 256), NullEncoding::Sentinel)
      .fixed("u8", Type::UInt8, cells(uint8_t{}, 7), NullEncoding::Bitmap, bits())
      .fixed("i16", Type::Int16, cells(int16_t{}, 65'536))
      .fixed("key", Type::key(Type::UInt8, 5), cells(uint8_t{}, 6), NullEncoding::Zero)
      .fixed("float", Type::Float32, cells(float{}, 50));
  maker.bits("bool", bits(), bits());
  const Piece of_bit = maker.pieces.add(bits());
  maker.add("bit_code", [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    ColumnPtr codes = std::make_unique<BitColumn>(rows, label, of_bit.in(source), ByteView{},
                                                  NullEncoding::Never);
    return std::make_unique<DictionaryColumn>(label, std::move(codes),
                                              std::make_shared<Remainders>(2, seed));
  });
  const auto add_codes = [&]<class T>(const char* name, Type::Id type, const std::vector<T>& codes,
                                      uint64_t size, std::endian order, CodePastEnd past_end) {
    maker.add(name, [=, piece = maker.pieces.add(codes, 1)](const ByteSource& source, uint64_t rows,
                                                            ColumnLabel label) {
      FixedCells stored{piece.in(source)};
      stored.order = order;
      return std::make_unique<DictionaryColumn>(
          label, std::make_unique<FixedColumn>(type, rows, label, stored),
          std::make_shared<Remainders>(size, seed), past_end);
    });
  };
  add_codes("byte_code", Type::UInt8, cells(uint8_t{}, 9 + seed % 3), 9 + seed % 3,
            std::endian::little, CodePastEnd::Corrupt);
  auto short_codes = cells(uint16_t{}, 256);
  for (uint16_t& code : short_codes) code = static_cast<uint16_t>(code << 8);
  add_codes("short_code", Type::UInt16, short_codes, 256, std::endian::big, CodePastEnd::Corrupt);
  add_codes("past_end", Type::UInt8, cells(uint8_t{}, 30), 20, std::endian::little,
            CodePastEnd::Zero);
  return maker.file(mapped);
}

class GroupByFewValues : public testing::TestWithParam<bool> {};

TEST_P(GroupByFewValues, GroupsAreWhatRowByRowGives) {
  Grouping grouping(few_values(1, GetParam())->table(), 1);
  for (uint64_t i = 0; i < tries(25) && !HasFailure(); ++i) grouping.ask();
}

TEST_P(GroupByFewValues, SoAreThoseOfFilesWithOtherDictionariesOnThreads) {
  const std::vector<std::shared_ptr<const File>> files = {few_values(3, GetParam()),
                                                             few_values(4, GetParam())};
  Grouping grouping(join(files)->table(), 2);
  for (uint64_t i = 0; i < tries(15) && !HasFailure(); ++i) grouping.ask();
}

TEST_P(GroupByFewValues, AKeyIsAggregatedByItsValues) {
  const auto table = few_values(1, GetParam())->table();
  Query query(table);
  query.by = {std::string("byte_code")};
  const RowBatch groups = group_by(query, parse_aggregates(*table, "max(byte_code)"));
  ASSERT_GT(groups.rows, 1);
  for (uint64_t i = 0; i < groups.rows; ++i) {
    EXPECT_EQ(scalar_at(groups.columns[1], i), scalar_at(groups.columns[0], i));
  }
}

// Makes columns whose keys are words and texts, in several morsels: few values at first, many
// later, so that threads begin with groups of their morsels. Nulls are in and beside the cells;
// there are zeros of both signs, NaNs, texts that are empty, long or differ in one byte only.
std::shared_ptr<const Table> many_values(uint64_t seed, bool mapped) {
  constexpr uint64_t kRows = 140'000;
  std::mt19937_64 random(seed);
  const auto number = [&](uint64_t row) { return random() % (row < kRows / 2 ? 300 : 30'000); };
  std::vector<int64_t> sentinel, plain;
  std::vector<int32_t> date;
  std::vector<double> nan;
  std::vector<float> single;
  std::vector<DateTimeOffset> local;
  std::vector<bool> there, flag;
  std::vector<std::optional<std::string>> text, few;
  for (uint64_t row = 0; row < kRows; ++row) {
    const uint64_t one = number(row);
    sentinel.push_back(one % 50 == 7 ? INT64_MIN : static_cast<int64_t>(one) << one % 40);
    plain.push_back(static_cast<int64_t>(number(row)) - 100);
    date.push_back(static_cast<int32_t>(random() % 3));
    nan.push_back(one % 50 == 8 ? std::nan("") : static_cast<double>(one / 60));
    if (one % 50 == 9) nan.back() = -0.0;
    single.push_back(random() % 5 == 0 ? -0.0F : static_cast<float>(random() % 4));
    // In groups, unlike as plain values, times with other offsets are never equal.
    local.push_back({637'134'336'000'000'000 + static_cast<int64_t>(random() % 2) * 6'000'000'000,
                     static_cast<int16_t>(random() % 3 - 1), {}});
    there.push_back(random() % 7 != 0);
    flag.push_back(random() % 2 == 0);
    const std::string digits = std::to_string(number(row));
    text.push_back(digits + std::string(one % 90, 'x'));
    if (one % 13 == 0) text.back() = "";
    if (one % 17 == 0) text.back() = std::nullopt;
    few.emplace_back("t" + std::to_string(random() % 5));
    if (random() % 9 == 0) few.back() = std::nullopt;
  }
  TableMaker maker(kRows);
  maker.fixed("sentinel", Type::Int64, sentinel, NullEncoding::Sentinel)
      .fixed("plain", Type::Int64, plain)
      .fixed("date", Type::Date32, date, NullEncoding::Bitmap, there)
      .fixed("float", Type::Float64, nan, NullEncoding::NaN)
      .fixed("single", Type::Float32, single)
      .fixed("local", Type::DateTimeOffset, local)
      .bits("flag", flag, there)
      .texts("text", text)
      .texts("few", few)
      .null("nothing");
  return maker.table(mapped);
}

class GroupByManyValues : public testing::TestWithParam<bool> {};

TEST_P(GroupByManyValues, GroupsAreWhatRowByRowGives) {
  Grouping grouping(many_values(5, GetParam()), 6);
  for (uint64_t i = 0; i < tries(kIsSanitized ? 1 : 2) && !HasFailure(); ++i) grouping.ask();
}

// The queries have no predicates and no aggregates that keep values, so that every stage and every
// merge of groups of morsels is reached.
TEST_P(GroupByManyValues, SoAreThoseByManyColumns) {
  const auto table = many_values(7, GetParam());
  const auto aggregates = parse_aggregates(
      *table,
      "count, sum(plain), sum(float), min(text), first(sentinel), last(few), stddev(single)");
  for (const Columns& by : {Columns{"few"}, Columns{"text"}, Columns{"few", "flag", "date"},
                            Columns{"sentinel", "plain"}, Columns{"plain", "float", "sentinel"},
                            Columns{"flag", "local", "single", "float", "date"},
                            Columns{"text", "few"}, Columns{"nothing"},
                            Columns{"nothing", "text", "local", "sentinel"}}) {
    Query query(table);
    query.by = by;
    // The plain groups: keys as texts, in the order of their first rows.
    const RowBatch rows = read(by.of(table), {0, table->rows()});
    std::map<std::string, uint64_t> known;
    std::vector<uint64_t> counts;
    for (uint64_t row = 0; row < rows.rows; ++row) {
      std::string key;
      for (const Values& column : rows.columns) {
        const std::string one = key_text(plain_of(scalar_at(column, row), column.type));
        key += std::to_string(one.size()) + ':' + one;
      }
      const auto [at, is_new] = known.emplace(key, counts.size());
      if (is_new) counts.push_back(0);
      ++counts[at->second];
    }
    const RowBatch one = group_by(query, aggregates, on_threads(1));
    ASSERT_EQ(one.rows, counts.size());
    for (uint64_t i = 0; i < one.rows; ++i) {
      ASSERT_EQ(one.columns[rows.columns.size()].get<uint64_t>(i), counts[i]) << "group " << i;
    }
    for (const unsigned threads : {2U, 4U}) {
      const RowBatch groups = group_by(query, aggregates, on_threads(threads));
      ASSERT_EQ(groups.rows, one.rows);
      for (uint64_t i = 0; i < groups.columns.size(); ++i) {
        for (uint64_t row = 0; row < groups.rows; ++row) {
          ASSERT_EQ(to_text(groups.columns[i], row), to_text(one.columns[i], row))
              << (*groups.schema)[i].name << " of group " << row << ", threads " << threads;
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(MappedAndNot, GroupByFewValues, testing::Bool());
INSTANTIATE_TEST_SUITE_P(MappedAndNot, GroupByManyValues, testing::Bool());
INSTANTIATE_TEST_SUITE_P(Data, GroupByDifferential, testing::ValuesIn(real_files()),
                         [](const auto& test) { return test.param.test_name(); });

}  // namespace
}  // namespace heron

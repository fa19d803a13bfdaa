// Queries with a predicate have the answers of a plain evaluation of it, row by row: random
// predicates on every table of every file in data/, on some of them inside of containers, and on
// made files of several zones; mapped and with pread, on one thread and four, on files that were
// just opened and on files whose zones are known, with an index beside the file and without. See
// kit/plain_predicate.h and kit/random_predicate.h.
//
// The predicates are the same each time.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <random>

#include "base/fail.h"
#include "generate/preset.h"
#include "heron/heron.h"
#include "kit/effort.h"
#include "kit/plain_predicate.h"
#include "kit/random_batch.h"
#include "kit/random_predicate.h"
#include "kit/real_files.h"
#include "kit/test_names.h"
#include "kit/value_text.h"
#include "kit/wrapped_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

using Rows = std::vector<uint64_t>;

// The ways to open a file. Each way has a dataset on which all predicates run, one after the other,
// so that the zones of the dataset become known.
enum class Way : uint8_t { Mapped, Pread, Indexed, Cold };
constexpr std::array kWayNames{"mapped", "pread", "indexed", "cold"};

// A file, or several as one dataset, and copies of them with an index.
class Files {
 public:
  explicit Files(std::vector<std::string> paths) : paths_(std::move(paths)) {
    for (const std::string& path : paths_) {
      indexed_.push_back(folder_ / std::filesystem::path(path).filename().string());
      std::filesystem::copy_file(path, indexed_.back());
      write_index(indexed_.back());
    }
  }

  std::shared_ptr<const File> opened(Way way) const {
    OpenOptions options;
    options.mmap = way != Way::Pread;
    options.use_index = way == Way::Indexed;
    options.access = way == Way::Cold ? Access::Cold : Access::Auto;
    return open(way == Way::Indexed ? indexed_ : paths_, options);
  }
  std::shared_ptr<const Table> table(Way way, const std::string& name, bool fresh) {
    if (fresh) return opened(way)->table(name);
    auto& kept = kept_[static_cast<size_t>(way)];
    if (kept == nullptr) kept = opened(way);
    return kept->table(name);
  }

 private:
  test::TempFolder folder_;
  std::vector<std::string> paths_, indexed_;
  std::array<std::shared_ptr<const File>, kWayNames.size()> kept_;
};

// One query without its predicate.
struct Question {
  Way way = Way::Mapped;
  bool fresh = false;
  bool counts = false;
  unsigned threads = 1;
  RowRange range;
  uint64_t limit = UINT64_MAX;
  uint64_t batch_rows = 8192;
  std::vector<uint64_t> columns;

  std::string text() const {
    return concat(counts ? "count" : "scan", ", ", kWayNames[static_cast<size_t>(way)],
                  fresh ? ", fresh" : "", ", ", threads, " threads, rows ", range.first, ':',
                  range.last, ", limit ", limit, ", batches of ", batch_rows, ", ", columns.size(),
                  " columns");
  }
};

class Questions {
 public:
  Questions(uint64_t rows, const Projection& columns, uint64_t seed)
      : rows_(rows), columns_(columns), random_(seed) {}

  Question next() {
    Question made;
    made.way = static_cast<Way>(random_() % kWayNames.size());
    made.fresh = random_() % 4 == 0;
    made.counts = random_() % 2 == 0;
    made.threads = random_() % 2 == 0 ? 1 : 4;
    made.range = {0, rows_};
    if (made.counts) return made;
    if (random_() % 3 == 0) made.range.first = random_() % (rows_ + 1);
    if (random_() % 3 == 0) made.range.last -= random_() % (made.range.rows() + 1);
    if (random_() % 4 == 0) made.limit = random_() % (rows_ + 2);
    made.batch_rows = std::array<uint64_t, 5>{8192, 1, 7, 1000, 100'000}[random_() % 5];
    for (uint64_t count = random_() % 3; count != 0 && columns_.size() > 0; --count)
      made.columns.push_back(columns_.indices()[random_() % columns_.size()]);
    return made;
  }

 private:
  uint64_t rows_;
  const Projection& columns_;
  std::mt19937_64 random_;
};

// A table of a file, and its rows by a scan without predicate.
class Subject {
 public:
  Subject(Files& file, std::string name)
      : file_(file),
        name_(std::move(name)),
        table_(file.table(Way::Mapped, name_, false)),
        plain_(plain_table(table_)) {}

  const PlainTable& plain() const { return plain_; }
  const std::shared_ptr<const Table>& table() const { return table_; }

  // Returns what is wrong with the answer, or "" if it is right. `rows` are the rows for which the
  // predicate is true.
  std::string wrong(const PlainPredicate& predicate, const Rows& rows, const Question& question) {
    const auto table = file_.table(question.way, name_, question.fresh);
    const Predicate parsed(table, text_of(predicate, plain_));
    const Rows expected = expected_rows(rows, question);
    if (std::string wrong = wrong_bools(table, predicate, question.range); !wrong.empty()) {
      return wrong;
    }
    Context context;
    context.threads = question.threads;
    if (!question.counts) return wrong_scan(parsed, question, expected, context);
    const uint64_t answer = count(parsed, context);
    return answer == expected.size()
               ? ""
               : concat("counted ", answer, " rows instead of ", expected.size());
  }

 private:
  static Rows expected_rows(Rows rows, const Question& question) {
    std::erase_if(rows,
                  [&](uint64_t r) { return r < question.range.first || r >= question.range.last; });
    rows.resize(std::min<uint64_t>(rows.size(), question.limit));
    return rows;
  }

  // Checks the predicate as a column of bools.
  std::string wrong_bools(const std::shared_ptr<const Table>& table,
                          const PlainPredicate& predicate, RowRange range) {
    Query query(table);
    query.columns = {concat(text_of(predicate, plain_), " as truth")};
    const RowBatch batch = read(query.projection(), range);
    for (uint64_t i = 0; i < batch.rows; ++i) {
      const Values& bools = batch.columns[0];
      const Truth truth = bools.is_null(i)      ? Truth::Null
                          : bools.get_bool(i) ? Truth::True
                                              : Truth::False;
      if (truth != truth_of(predicate, plain_, range.first + i)) {
        return concat("row ", range.first + i, ": the truth is ", static_cast<int>(truth));
      }
    }
    return "";
  }

  std::string wrong_scan(const Predicate& predicate, const Question& question, const Rows& expected,
                         const Context& context) {
    Query query(predicate);
    query.columns = question.columns;
    query.range = question.range;
    query.limit = question.limit;
    Scan scan(query, context, question.batch_rows);
    size_t seen = 0;
    for (RowBatch batch; scan.next(batch);) {
      if (batch.rows == 0 || batch.rows > question.batch_rows || scan.rows().size() != batch.rows)
        return concat("a batch of ", batch.rows, " rows with ", scan.rows().size(), " numbers");
      for (uint64_t i = 0; i < batch.rows; ++i, ++seen) {
        const uint64_t row = scan.rows()[i];
        if (seen == expected.size()) return concat("row ", row, " behind the last");
        if (row != expected[seen]) return concat("row ", row, " instead of ", expected[seen]);
        for (size_t c = 0; c < question.columns.size(); ++c) {
          const std::string& value = values(question.columns[c])[row];
          if (value_text(batch.columns[c], i) != value)
            return concat("row ", row, ": ", value_text(batch.columns[c], i), " instead of ",
                          value);
        }
      }
    }
    return seen == expected.size() ? "" : concat("row ", expected[seen], " is absent");
  }

  const std::vector<std::string>& values(uint64_t column) {
    auto& texts = values_[column];
    if (texts.empty()) {
      Scan scan(Projection(table_, std::span(&column, 1)));
      for (RowBatch batch; scan.next(batch);) {
        for (uint64_t i = 0; i < batch.rows; ++i) texts.push_back(value_text(batch.columns[0], i));
      }
    }
    return texts;
  }

  Files& file_;
  std::string name_;
  std::shared_ptr<const Table> table_;
  PlainTable plain_;
  std::map<uint64_t, std::vector<std::string>> values_;
};

std::string wrong(Subject& subject, const PlainPredicate& predicate, const Question& question) {
  return subject.wrong(predicate, rows_of(predicate, subject.plain()), question);
}

// Returns the smallest part of the predicate that is answered wrong, too.
PlainPredicate smallest_wrong(Subject& subject, PlainPredicate predicate,
                              const Question& question) {
  using Kind = PlainPredicate::Kind;
  const auto is_wrong = [&](const PlainPredicate& part) {
    return !wrong(subject, part, question).empty();
  };
  while (predicate.kind == Kind::And || predicate.kind == Kind::Or || predicate.kind == Kind::Not) {
    const auto part = std::ranges::find_if(predicate.parts, is_wrong);
    if (part == predicate.parts.end()) break;
    predicate = PlainPredicate(*part);
  }
  return predicate;
}

// Returns whether a predicate is refused: only for integer arithmetic that may need more than 128
// bits, and for a text that is none of those in an order of their own.
bool is_refused(const Subject& subject, const PlainPredicate& predicate) {
  const std::string text = text_of(predicate, subject.plain());
  try {
    const Predicate parsed(subject.table(), text);
    return false;
  } catch (const Error& error) {
    const std::string_view what = error.what();
    EXPECT_TRUE(what.find("1.0 *") != what.npos || what.find("whose order is their own") != what.npos)
        << what << "\n  where " << text;
    return true;
  }
}

void ask(Subject& subject, const PlainPredicate& predicate, const Rows& rows,
         const Question& question) {
  if (subject.wrong(predicate, rows, question).empty()) return;
  const PlainPredicate part = smallest_wrong(subject, predicate, question);
  ADD_FAILURE() << wrong(subject, part, question) << "\n  " << question.text() << "\n  where "
                << text_of(part, subject.plain());
}

void check_table(Files& file, const std::string& name, uint64_t predicate_count) {
  constexpr uint64_t kSeed = 20261122;
  constexpr int kQuestions = 4;  // queries of each predicate
  SCOPED_TRACE("table " + name);
  Subject subject(file, name);
  const Projection columns(subject.table());
  RandomPredicates predicates(subject.plain(), kSeed);
  Questions questions(subject.plain().rows, columns, kSeed);
  for (uint64_t i = 0; i < predicate_count; ++i) {
    const PlainPredicate predicate = predicates.next();
    if (is_refused(subject, predicate)) continue;
    const Rows rows = rows_of(predicate, subject.plain());
    for (int k = 0; k < kQuestions; ++k) ask(subject, predicate, rows, questions.next());
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "with predicate " << i;
      return;
    }
  }
}

void check_files(const std::vector<std::string>& paths, uint64_t predicate_count) {
  Files files(paths);
  const auto opened = files.opened(Way::Mapped);
  for (const auto& table : opened->tables()) check_table(files, table->name(), predicate_count);
}

class Differential : public testing::TestWithParam<std::tuple<RealFile, Wrapping>> {};

TEST_P(Differential, PredicatesAreAnsweredAsRowByRow) {
  const auto& [file, wrapping] = GetParam();
  check_files({wrapped(file, wrapping)}, tries(5));
}

INSTANTIATE_TEST_SUITE_P(Data, Differential,
                         testing::Combine(testing::ValuesIn(real_files()),
                                          testing::Values(Wrapping())),
                         TestName());
INSTANTIATE_TEST_SUITE_P(Wrapped, Differential,
                         testing::Combine(testing::ValuesIn(files_to_wrap()),
                                          testing::Values(wrappings().front())),
                         TestName());

// Returns how many predicates run on files of several zones, which take long to evaluate.
uint64_t predicates_of_many_rows() {
  return tries(5) / 4;
}

void write_file(const std::string& path, const RowBatch& batch) {
  const auto writer = create(path, *batch.schema);
  writer->write(batch);
  writer->close();
  writer->publish();
}

struct Generated {
  const char* preset;
  const char* file;
  uint64_t rows;
};
class GeneratedDifferential : public testing::TestWithParam<Generated> {};

TEST_P(GeneratedDifferential, PredicatesAreAnsweredAsRowByRow) {
  const test::TempFolder folder;
  RowBatch batch;
  generate::make_preset(GetParam().preset, 1)->fill(GetParam().rows, batch);
  write_file(folder / GetParam().file, batch);
  check_files({folder / GetParam().file}, predicates_of_many_rows());
}
INSTANTIATE_TEST_SUITE_P(Presets, GeneratedDifferential,
                         testing::Values(Generated{"peers", "peers.jay", 150'000},
                                         Generated{"peers", "peers.idv", 40'000},
                                         Generated{"features", "features.balsa", 140'000},
                                         Generated{"ranking", "ranking.bin", 70'000}),
                         [](const auto& test) {
                           std::string name = test.param.file;
                           std::ranges::replace(name, '.', '_');
                           return name;
                         });

TEST(DifferentialOfManyFiles, OneAfterTheOther) {
  const test::TempFolder folder;
  const auto preset = generate::make_preset("peers", 1);
  std::vector<std::string> paths;
  for (const uint64_t rows : {70'000, 1, 9'000, 66'000}) {
    RowBatch batch;
    preset->fill(rows, batch);
    paths.push_back(folder / concat(paths.size(), ".jay"));
    write_file(paths.back(), batch);
  }
  check_files(paths, predicates_of_many_rows());
}

// Checks every type, with nulls where the format has them.
void check_all_types(const std::vector<Type>& types, const char* file, double nulls) {
  constexpr uint64_t kRows = 70'000;
  auto schema = std::make_shared<Schema>();
  for (const Type& type : types)
    schema->push_back({concat('c', schema->size()), type, {}, true, true, {}, {}});
  const test::TempFolder folder;
  write_file(folder / file, random_batch(schema, kRows, nulls, 3));
  check_files({folder / file}, predicates_of_many_rows());
}

TEST(DifferentialOfAllTypes, Plain) {
  check_all_types(
      {Type::Bool, Type::Int8, Type::Int16, Type::Int32, Type::Int64, Type::Float32, Type::Float64,
       Type::Text, Type::Date32, Type::Timestamp, Type::list(Type::Int32), Type::Null},
      "types.jay", 0.1);
}
TEST(DifferentialOfAllTypes, TicksKeysAndVectors) {
  std::vector<Type> types = types_of_vectors_and_ticks();
  types.insert(types.end(), {Type::UInt8, Type::UInt16, Type::UInt32, Type::UInt64, Type::Bool,
                             Type::Text, Type::Float64});
  check_all_types(types, "types.idv", 0);
}

TEST(DifferentialOfAllTypes, DecimalsAndBinary) {
  std::vector<Type> types = types_of_decimals_and_binary();
  types.insert(types.end(), {Type::Int64, Type::Text, Type::Bool});
  check_all_types(types, "types.arrow", 0.1);
}

TEST(DifferentialOfAllTypes, TimesOfOtherUnitsAndZones) {
  std::vector<Type> types = types_of_other_times();
  types.insert(types.end(), {Type::Timestamp, Type::Date32, Type::list(Type::timestamp(Type::Second)),
                             Type::Int32, Type::Bool, Type::Text});
  check_all_types(types, "types.arrow", 0.1);
}

// Every query of a damaged file ends in an answer or an Error.
class DifferentialOfDamage : public testing::TestWithParam<RealFile> {};

void ask_damaged(const std::shared_ptr<const Table>& table) {
  PlainTable shape{table->rows(), {}};
  const Projection columns(table);
  for (const Field& field : *columns.schema())
    shape.columns.push_back({field.name, field.type, field.type.is(Type::Key), {}});
  RandomPredicates predicates(shape, 1);
  for (uint64_t i = 0; i < tries(5); ++i) {
    const std::string text = text_of(predicates.next(), shape);
    try {
      const Predicate predicate(table, text);
      const uint64_t rows = count(predicate);
      EXPECT_LE(rows, table->rows()) << text;
    } catch (const Error&) {
    }
  }
}

TEST_P(DifferentialOfDamage, EndsInAnAnswerOrAnError) {
  std::shared_ptr<const File> opened;
  try {
    opened = open(GetParam().path.string());
  } catch (const Error&) {
    return;
  }
  for (const auto& table : opened->tables()) {
    try {
      ask_damaged(table);
    } catch (const Error&) {  // its schema does not hold
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Data, DifferentialOfDamage, testing::ValuesIn(bad_files()),
                         [](const auto& test) { return test.param.test_name(); });

}  // namespace
}  // namespace heron

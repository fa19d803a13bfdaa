// Every table of every file in data/ into every format that is written, and back into the one it
// came from: equal to the result that the rules for both give. Formats are not named here.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/fail.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/conversions.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"
#include "kit/test_names.h"
#include "kit/written_formats.h"
#include "temp_folder.h"

namespace heron {
namespace {

constexpr uint64_t kMaxRows = 5000;
constexpr uint64_t kMaxReported = 100;  // columns in one error

// The changes that convert() is allowed to make.
struct Means {
  bool cast, drop;
};

class Conversion {
 public:
  Conversion(RowSourcePtr source, const ExactTable& rows, const Format& format, Means means)
      : source_(std::move(source)), rows_(rows), format_(format) {
    options_.cast = means.cast;
    options_.drop_unsupported = means.drop;
    plan_ = plan(rows, *format.write_support, means.cast);
    if (format.write_support->roles) choose_label();
    out_ = folder_ / concat("out", format.extension);
  }

  const std::string& out() const { return out_; }
  // Returns whether the conversion is refused: even if columns may be dropped, one has to stay.
  bool is_refused() const {
    return plan_.kept.empty() || (lacks_columns() && !options_.drop_unsupported);
  }

  // Expects that no file appears, and that the error names the columns that do not fit.
  void expect_refused() const {
    try {
      convert(source_, out_, options_);
      ADD_FAILURE() << "was written";
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_EQ(error.kind(), rows_.schema.empty() && source_->left_out().empty()
                                  ? ErrorKind::Argument
                                  : ErrorKind::Unsupported)
          << text;
      if (!lacks_columns() || options_.drop_unsupported) {
        EXPECT_EQ(text.find(concat(out_, ": no column ")), 0) << text;
      } else if (!source_->left_out().empty()) {
        EXPECT_EQ(text.find(source_->left_out().front().reason), 0) << text;
      } else if (is_refused() && !(format_.write_support->one_type && options_.cast)) {
        EXPECT_NE(text.find(concat("hold ", plan_.refused.size(), " column")), text.npos) << text;
        if (plan_.refused.size() > kMaxReported) return;
        for (const uint64_t column : plan_.refused) {
          EXPECT_NE(text.find(concat('"', rows_.schema[column].name, "\": ")), text.npos) << text;
        }
      }
    }
    EXPECT_EQ(folder_.file_count(), 0);
  }

  // Converts and returns the rows that were read back.
  ExactTable expect_written(bool mapped) {
    ConvertReport report = convert(source_, out_, options_);
    EXPECT_EQ(folder_.file_count(), 1);
    for (const Field& field : source_->left_out()) {
      EXPECT_EQ(std::erase(report.dropped, field.name), 1) << field.name;
    }
    if (options_.cast && !report.columns.empty()) {
      plan_ = plan(rows_, *format_.write_support, true, report.columns.front().to);
    }
    ExactTable read = exact_file(out_, mapped);
    EXPECT_EQ(faults_of({rows_, format_, options_, report}, plan_, read), "");
    return read;
  }

  // Expects the rows of the source, but for NaN and null.
  void expect_equal(const ExactTable& read) const {
    ASSERT_EQ(read.columns.size(), plan_.kept.size());
    for (size_t i = 0; i < read.columns.size(); ++i) {
      const auto& before = rows_.columns[plan_.kept[i].column];
      ASSERT_EQ(read.columns[i].size(), before.size());
      for (size_t row = 0; row < before.size(); ++row) {
        ASSERT_TRUE(look_alike(read.columns[i][row], before[row]))
            << i << ", row " << row << ": " << words(read.columns[i][row]) << " was "
            << words(before[row]);
      }
    }
  }

 private:
  bool lacks_columns() const { return !plan_.refused.empty() || !source_->left_out().empty(); }
  // Chooses the first column that fits as the label, if none has the usual name.
  void choose_label() {
    const auto kept = [&](auto matches) {
      return std::any_of(plan_.kept.begin(), plan_.kept.end(), [&](const Plan::Column& one) {
        return matches(rows_.schema[one.column]);
      });
    };
    if (kept([](const Field& field) { return field.name == "target"; })) return;
    if (plan_.kept.empty()) return;
    options_.write.set("label_column", rows_.schema[plan_.kept.front().column].name);
  }

  RowSourcePtr source_;
  const ExactTable& rows_;
  const Format& format_;
  ConvertOptions options_;
  Plan plan_;
  test::TempFolder folder_{test::memory_folder()};
  std::string out_;
};

// Returns whether rows are nodes of trees, and written as such: write_forest_test.cc has their
// round trips.
bool becomes_a_forest(const RowSource& rows, const Format& format) {
  return is_forest(rows) && format.create_forest != nullptr;
}

void expect_back(const std::string& file, const Format& format, Conversion& there,
                 const ExactTable& rows, bool is_rounded) {
  const auto opened = open(file);
  if (becomes_a_forest(*table_rows(opened->table()), format)) return;
  Conversion back(table_rows(opened->table()), rows, format, {true, false});
  if (back.is_refused()) return back.expect_refused();
  const ExactTable read = back.expect_written(true);
  if (!is_rounded) there.expect_equal(read);
}

const Format* written_format(const std::string& name) {
  for (const Format& format : formats()) {
    const bool is_written = format.write_support != nullptr && format.write_support->types;
    if (format.name == name && is_written) return &format;
  }
  return nullptr;
}

// Returns a column's metadata, without entries that can be computed from its values.
std::string metadata_of(const Field& field) {
  std::string text = field.name;
  const std::set<std::string> found = {"nullcount", "min", "max", "shape", "values", "damaged"};
  for (const Metadata& one : field.metadata) {
    if (found.contains(one.name)) continue;
    text += concat('\n', one.name, '=', one.text);
    if (one.value != nullptr) text += json_rows(*one.value).front();
  }
  return text;
}

// Expects that within a format all metadata of the columns that stay is unchanged.
void expect_same_schema(const Table& table, const Table& after) {
  EXPECT_EQ(after.key_columns(), table.key_columns());
  for (uint64_t i = 0; i < after.column_count(); ++i) {
    const auto same = table.find_column(after.column_name(i));
    ASSERT_TRUE(same) << after.column_name(i);
    EXPECT_EQ(metadata_of(after.field(i)), metadata_of(table.field(*same)));
  }
}

// Counts the conversions of one format, so that the test notices if it tries nothing.
struct Tally {
  uint64_t written = 0, refused = 0, back = 0, same_bytes = 0;
};

class RoundTrip : public testing::TestWithParam<const Format*> {
 protected:
  void expect_round_trips(const RealFile& file) {
    SCOPED_TRACE(file);
    const auto opened = open(file.path.string());
    for (const auto& table : opened->tables()) {
      if (table->rows() > kMaxRows) continue;
      SCOPED_TRACE(table->name());
      const RowSourcePtr source = table_rows(table);
      if (becomes_a_forest(*source, *GetParam())) continue;
      const ExactTable rows = exact_table(*source);
      // The cast test compares decimals that became floats or texts.
      const bool has_decimals = std::ranges::any_of(
          rows.schema, [](const Field& field) { return field.type.is(Type::Decimal); });
      if (has_decimals && GetParam()->name != "arrow") continue;
      const bool has_other_forms = std::ranges::any_of(rows.schema, [](const Field& field) {
        return has_own_form(*GetParam(), field.type);
      });
      if (has_other_forms) continue;
      for (const Means means : {Means{false, false}, {true, false}, {true, true}}) {
        SCOPED_TRACE(concat(means.cast ? "cast" : "", means.drop ? " drop" : ""));
        Conversion there(source, rows, *GetParam(), means);
        if (!there.is_refused()) {
          expect_round_trip(*opened, table, there);
          break;
        }
        there.expect_refused();
        ++tally_.refused;
      }
    }
  }

  void expect_round_trip(const File& opened, const std::shared_ptr<const Table>& table,
                         Conversion& there) {
    const Format& format = *GetParam();
    const ExactTable read = there.expect_written(tally_.written++ % 2 == 0);
    const Format* origin = written_format(opened.format());
    if (origin == nullptr) return;
    if (origin == &format) {
      const auto after = open(there.out())->table();
      // An array of one column has no name for it.
      const bool has_names = !format.write_support->one_type &&
                             (format.name != "npy" || after->column_count() != 1);
      if (has_names) expect_same_schema(*table, *after);
      tally_.same_bytes += read_file(there.out()) == read_file(opened.path());
    }
    const bool rounds = format.write_support->expected_loss != nullptr ||
                        origin->write_support->expected_loss != nullptr;
    expect_back(there.out(), *origin, there, read, rounds);
    ++tally_.back;
  }

  Tally tally_;
};

TEST_P(RoundTrip, IntoTheFormatAndBack) {
  for (const RealFile& file : real_files()) expect_round_trips(file);
  EXPECT_GE(tally_.written, 150U);
  EXPECT_GE(tally_.back, 100U);
  EXPECT_GE(tally_.refused, 40U);
  // Formats that keep ranges and all else give most files byte for byte; formats without names or
  // metadata give those that their own program happens to lay out alike.
  const WriteSupport& support = *GetParam()->write_support;
  EXPECT_GE(tally_.same_bytes, support.expected_loss != nullptr ? 18U : support.one_type ? 2U : 0U);
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip, testing::ValuesIn(written_formats()), TestName());

}  // namespace
}  // namespace heron

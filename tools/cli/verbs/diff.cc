#include "heron/check.h"

#include <array>

#include "base/fail.h"
#include "heron/take.h"
#include "heron/text.h"
#include "output/report.h"
#include "parsing/arguments.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct DiffVerbOptions {
  std::string key;
  std::optional<uint64_t> float_ulp;
};
constexpr Option kDiffKey{
    .names = "--key",
    .value = "A,B",
    .what = "match rows by these columns, by which both files ascend, instead of by number",
    .read = into<&DiffVerbOptions::key>,
    .kind = Kind::Columns,
    .elsewhere = "--on --by --primary-key -k --keys"};
constexpr Option kFloatUlp{
    .names = "--float-ulp",
    .value = "N",
    .what = "treat floats as equal if at most N others lie between them (default: 0)",
    .read = into<&DiffVerbOptions::float_ulp>,
    .elsewhere = "--tolerance --atol --rtol --epsilon --ulp"};
constexpr Option kMaxShown{.names = "-n",
                            .value = "N",
                            .what = "print the first N differences (default: 10)",
                            .read = into<&DrawOptions::count>,
                            .elsewhere = "--limit --max"};

Cell type_cell(const std::string& type) {
  return type.empty() ? Cell() : Cell(type);
}

// Returns a batch of one value.
RowBatch value_at(const std::shared_ptr<const Table>& table, const std::string& column,
                  uint64_t row, const Context& context) {
  return take(Projection(table, std::array{column}), std::array{row}, context);
}

std::string counted(uint64_t count, std::string_view one) {
  return concat(count, ' ', one, count == 1 ? "" : "s");
}

std::string summary(const Diff& diff) {
  std::string text;
  const auto add = [&](bool given, const std::string& part) {
    if (given) text += concat(text.empty() ? "" : ", ", part);
  };
  add(!diff.columns.empty(), concat(counted(diff.columns.size(), "other column")));
  add(diff.other_order, "columns in another order");
  add(diff.values != 0, concat(counted(diff.values, "other value")));
  add(diff.rows_a != 0, concat(counted(diff.rows_a, "row"), " in A alone"));
  add(diff.rows_b != 0, concat(counted(diff.rows_b, "row"), " in B alone"));
  return text;
}

void run_diff(Session& session) {
  const auto& requested = session.get<DiffVerbOptions>();
  const auto& table = session.get<TableOptions>();
  const std::shared_ptr<const Table> a = session.table();
  const auto other = open(session.argument(1), session.open_options(), session.context());
  const std::shared_ptr<const Table> b = other->table(table.table);
  DiffOptions options;
  if (!requested.key.empty()) options.key = parse_names(requested.key);
  if (!table.columns.empty()) options.columns = parse_names(table.columns);
  options.float_ulp = requested.float_ulp.value_or(0);
  options.max_differences = session.get<DrawOptions>().count.value_or(options.max_differences);
  const Diff found = diff(a, b, options, session.context());
  if (found.is_equal()) return;

  const auto writer = make_report_writer(
      session.form(), session.out(),
      {text_column("column"), number_column("row_a"), number_column("row_b"), text_column("a"),
       text_column("b")});
  for (const ColumnDifference& one : found.columns) {
    writer->write(row_of({one.column, {}, {}, type_cell(one.a), type_cell(one.b)}));
  }
  for (const Difference& one : found.first) {
    const bool is_row = one.column.empty();
    RowBatch line = row_of({is_row ? Cell() : Cell(one.column), one.a, one.b, {}, {}});
    RowBatch of_a, of_b;
    if (!is_row) {
      of_a = value_at(a, one.column, *one.a, session.context());
      of_b = value_at(b, one.column, *one.b, session.context());
      line.columns[3] = of_a.columns.front();
      line.columns[4] = of_b.columns.front();
    }
    writer->write(line);
  }
  writer->finish();
  session.note(summary(found));
  session.set_exit_code(1);
}

}  // namespace

Verb diff_verb() {
  return {"diff",
          "compare the columns and rows of two files and print the first differences",
          {{"heron diff before.jay after.idv",
            "row by row; the exit code is 0 if they are equal, else 1"},
           {"heron diff before.jay after.jay --key id", "rows with the same id"},
           {"heron diff a.idv b.idv --float-ulp 4", "but for rounding"}},
          {{"A", "a file", Kind::File}, {"B", "another file", Kind::File}},
          opening_options({kDiffKey, kFloatUlp, kMaxShown, kColumns, kTable, kOutputRecords, kRaw,
                           kTo, kForce}),
          run_diff,
          "Values are equal however they are stored: a sparse vector and a dense one, keys with "
          "the same value, NaN and NaN, null and null, 0 and -0.\n",
          {{"compare cmp", "to compare files", "heron diff FILE OTHER"}}};
}

}  // namespace heron::cli

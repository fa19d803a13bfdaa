#include "heron/diff.h"

#include <array>

#include "arguments.h"
#include "heron/take.h"
#include "heron/text.h"
#include "options.h"
#include "output/records.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

struct DiffVerbOptions {
  std::string key;
  std::optional<uint64_t> float_ulp;
};
constexpr Option kDiffKey{"--key", "A,B",
                          "rows belong together by these columns, by which both files ascend",
                          into<&DiffVerbOptions::key>};
constexpr Option kFloatUlp{"--float-ulp", "N",
                           "floats are equal if at most N others lie between (default: 0)",
                           into<&DiffVerbOptions::float_ulp>};
constexpr Option kMostShown{"-n", "N", "show the first N differences (default: 10)",
                            into<&DrawOptions::count>};

RecordCell row_cell(std::optional<uint64_t> row) {
  return row ? number_cell(*row) : RecordCell();
}

RecordCell type_cell(const std::string& type) {
  return type.empty() ? RecordCell() : text_cell(type);
}

RecordCell cell_at(const std::shared_ptr<const Table>& table, const std::string& column,
                   uint64_t row, const ValueForm& form, const Context& context) {
  const RowBatch batch = take(Projection(table, std::array{column}), std::array{row}, context);
  const ColumnText text(batch.columns.front(), form);
  if (text.is_null(0)) return {};
  StringSink plain, json;
  text.append_plain(plain, 0);
  text.append_json(json, 0);
  return {std::string(plain.text()), std::string(json.text()), false, text.is_text()};
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
  const auto& asked = session.get<DiffVerbOptions>();
  const auto& table = session.get<TableOptions>();
  const std::shared_ptr<const Table> a = session.table();
  const auto other = open(session.argument(1), session.open_options(), session.context());
  const std::shared_ptr<const Table> b = other->table(table.table);
  DiffOptions options;
  if (!asked.key.empty()) options.key = parse_names(asked.key);
  if (!table.columns.empty()) options.columns = parse_names(table.columns);
  options.float_ulp = asked.float_ulp.value_or(0);
  options.most = session.get<DrawOptions>().count.value_or(options.most);
  const Diff found = diff(a, b, options, session.context());
  if (found.is_equal()) return;

  const OutputForm form = session.form();
  const auto writer = make_record_writer(
      form, session.out(),
      {{"column", false}, {"row_a", true}, {"row_b", true}, {"a", false}, {"b", false}});
  for (const ColumnDifference& one : found.columns) {
    writer->write({text_cell(one.column), {}, {}, type_cell(one.a), type_cell(one.b)});
  }
  for (const Difference& one : found.first) {
    const bool is_row = one.column.empty();
    const auto value = [&](const auto& of, std::optional<uint64_t> row) {
      return is_row ? RecordCell() : cell_at(of, one.column, *row, form.values, session.context());
    };
    writer->write({is_row ? RecordCell() : text_cell(one.column), row_cell(one.a), row_cell(one.b),
                   value(a, one.a), value(b, one.b)});
  }
  writer->finish();
  session.note(summary(found));
  session.set_exit_code(1);
}

}  // namespace

Verb diff_verb() {
  return {"diff",
          "whether two files have the same columns and rows; the first differences",
          {{"heron diff before.jay after.idv", "row by row; exit code 0: equal, 1: different"},
           {"heron diff before.jay after.jay --key id", "rows belong together by id"},
           {"heron diff a.idv b.idv --float-ulp 4", "as far as rounding goes"}},
          {{"A", "a file", Argument::Kind::File}, {"B", "another", Argument::Kind::File}},
          opening_options({kDiffKey, kFloatUlp, kMostShown, kColumns, kTable, kOutputRecords, kRaw,
                           kTo, kForce}),
          run_diff,
          "Values are equal however they are stored: a sparse vector and a dense one, keys with "
          "the same value, NaN and NaN, null and null, 0 and -0.\n"};
}

}  // namespace heron::cli

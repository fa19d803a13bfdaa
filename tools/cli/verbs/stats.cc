#include <fmt/core.h>

#include "forest_stats.h"
#include "heron/dataset.h"
#include "heron/error.h"
#include "heron/forest.h"
#include "heron/predicate.h"
#include "heron/stats.h"
#include "options.h"
#include "output/records.h"
#include "parameters.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

// A table is for people: instead of a column of its own that says whether distinct values are exact,
// a ~ is before those that are not.
bool is_rounded(const OutputForm& form) {
  return form.name == "table";
}

std::vector<TableLayout::Heading> stats_headings(const OutputForm& form) {
  std::vector<TableLayout::Heading> all = {{"column", false}, {"type", false},   {"rows", true},
                                           {"nulls", true},   {"min", false},    {"max", false},
                                           {"mean", true},    {"distinct", true}};
  if (!is_rounded(form)) all.push_back({"distinct_is_exact", false});
  return all;
}

RecordCell distinct_cell(const ColumnSummary& summary, const OutputForm& form) {
  if (!summary.distinct.has_value()) return {};
  RecordCell cell = number_cell(*summary.distinct);
  if (is_rounded(form) && !summary.distinct_is_exact) cell.text.insert(0, 1, '~');
  return cell;
}

std::vector<RecordCell> stats_record(const Field& field, const ColumnSummary& summary,
                                     const OutputForm& form) {
  const bool raw = form.values.raw;
  std::vector<RecordCell> cells = {text_cell(field.name),
                                   text_cell(field.type.name()),
                                   number_cell(summary.rows),
                                   number_cell(summary.null_count),
                                   value_cell(summary.type, summary.min, raw),
                                   value_cell(summary.type, summary.max, raw),
                                   rounded_cell(summary.mean, form),
                                   distinct_cell(summary, form)};
  if (!is_rounded(form)) {
    cells.push_back(summary.distinct ? bool_cell(summary.distinct_is_exact) : RecordCell{});
  }
  return cells;
}

void note_estimates(Session& session, const Schema& schema,
                    const std::vector<ColumnSummary>& summaries) {
  std::string names;
  for (uint64_t i = 0; i < schema.size(); ++i) {
    if (summaries[i].distinct_is_exact) continue;
    names += concat(names.empty() ? "\"" : ", \"", schema[i].name, '"');
  }
  if (names.empty()) return;
  session.note(
      fmt::format("distinct values of {} are estimated, with a standard error of {:.1f} %;"
                  " scan --agg \"distinct(x)\" counts them",
                  names, kDistinctError * 100));
}

// Also after the columns, in a table for people, of a forest of which nothing was selected.
bool wants_forest(Session& session) {
  const auto& table = session.get<TableOptions>();
  const bool selects = !table.columns.empty() || !table.table.empty() || table.where.has_value();
  return session.form().name == "table" && !selects && describes_forest(*session.table());
}

void run_stats(Session& session) {
  if (session.get<ForestStatsOptions>().forest) return print_forest_stats(session);
  const Projection columns = session.projection();
  const std::optional<Predicate> where = session.where();
  const OutputForm form = session.form();
  const auto writer = make_record_writer(form, session.out(), stats_headings(form));
  const std::vector<ColumnSummary> summaries = summarize(Query(columns, where), session.context());
  for (uint64_t i = 0; i < columns.size(); ++i) {
    writer->write(stats_record((*columns.schema())[i], summaries[i], form));
  }
  writer->finish();
  note_estimates(session, *columns.schema(), summaries);
  if (!wants_forest(session)) return;
  session.out().append("\n");
  print_forest_stats(session);
}

}  // namespace

Verb stats_verb() {
  return {
      "stats",
      "print the rows, nulls, minimum, maximum, mean and distinct values of each column",
      {{"heron stats data.jay", "all columns"},
       {"heron stats data.jay -c price -o json", "one column, as JSON"},
       {"heron stats data.jay --where \"city = 'Oslo'\"", "only of the rows that match"},
       {"heron stats model.balsa --forest -o csv", "splits, leaves and depths of a forest"}},
      {kFile},
      opening_options({kWhere, kParameter, kColumns, kTable, kForestStats, kSkipDamaged,
                       kOutputRecords, kRaw, kTo, kForce}),
      run_stats,
      "A ~ is before a number of distinct values that is estimated, with a standard error of "
      "0.8 %; scan --agg \"distinct(x)\" counts them.\n",
      {{"describe summarize summarise summary stat profile", "to summarize the columns",
        "heron stats FILE"}}};
}

}  // namespace heron::cli

#include <fmt/core.h>

#include "heron/dataset.h"
#include "heron/error.h"
#include "heron/predicate.h"
#include "heron/stats.h"
#include "options.h"
#include "output/records.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

// A table is for people: six digits of a mean, and no column of its own for how distinct values
// were counted.
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

RecordCell mean_cell(const ColumnSummary& summary, const OutputForm& form) {
  if (!summary.mean.has_value()) return {};
  RecordCell cell = number_cell(*summary.mean);
  if (is_rounded(form)) cell.text = fmt::format("{:.6g}", *summary.mean);
  return cell;
}

RecordCell distinct_cell(const ColumnSummary& summary, const OutputForm& form) {
  if (summary.distinct.has_value()) return number_cell(*summary.distinct);
  RecordCell cell;
  if (is_rounded(form) && !summary.distinct_is_exact) cell.text = "many";
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
                                   mean_cell(summary, form),
                                   distinct_cell(summary, form)};
  const bool counts = summary.distinct || !summary.distinct_is_exact;
  if (!is_rounded(form)) {
    cells.push_back(counts ? bool_cell(summary.distinct_is_exact) : RecordCell{});
  }
  return cells;
}

// A null may also mean that such values are not counted.
void note_uncounted(Session& session, const Schema& schema,
                    const std::vector<ColumnSummary>& summaries) {
  std::string names;
  for (uint64_t i = 0; i < schema.size(); ++i) {
    if (summaries[i].distinct_is_exact) continue;
    names += concat(names.empty() ? "\"" : ", \"", schema[i].name, '"');
  }
  if (names.empty()) return;
  session.note(concat("too many distinct values to count: ", names, " (at most ", kDistinctLimit,
                      ", or texts of 64 MiB)"));
}

void run_stats(Session& session) {
  const Projection columns = session.projection();
  const std::optional<Predicate> where = session.where();
  const OutputForm form = session.form();
  const auto writer = make_record_writer(form, session.out(), stats_headings(form));
  const std::vector<ColumnSummary> summaries = summarize(Query(columns, where), session.context());
  for (uint64_t i = 0; i < columns.size(); ++i) {
    writer->write(stats_record((*columns.schema())[i], summaries[i], form));
  }
  writer->finish();
  note_uncounted(session, *columns.schema(), summaries);
}

}  // namespace

Verb stats_verb() {
  return {
      "stats",
      "per column: rows, nulls, min, max, mean, distinct values",
      {{"heron stats data.jay", "of every column"},
       {"heron stats data.jay -c price -o json", "of one, as JSON"},
       {"heron stats data.jay --where \"city = 'Oslo'\"", "of rows for which that is true"}},
      {kFile},
      opening_options({kWhere, kColumns, kTable, kSkipDamaged, kOutputRecords, kRaw, kTo, kForce}),
      run_stats};
}

}  // namespace heron::cli

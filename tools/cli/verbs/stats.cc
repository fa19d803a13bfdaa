#include "heron/error.h"
#include "heron/query.h"
#include "options.h"
#include "output/records.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

std::vector<RecordCell> record(const Field& field, const ColumnSummary& summary, bool raw) {
  const bool counts = summary.distinct || !summary.distinct_is_exact;
  return {text_cell(field.name),
          text_cell(field.type.name()),
          number_cell(summary.rows),
          number_cell(summary.null_count),
          value_cell(summary.type, summary.min, raw),
          value_cell(summary.type, summary.max, raw),
          summary.mean.has_value() ? number_cell(*summary.mean) : RecordCell{},
          summary.distinct.has_value() ? number_cell(*summary.distinct) : RecordCell{},
          counts ? bool_cell(summary.distinct_is_exact) : RecordCell{}};
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
  const auto writer = make_record_writer(form, session.out(),
                                         {{"column", false},
                                          {"type", false},
                                          {"rows", true},
                                          {"nulls", true},
                                          {"min", false},
                                          {"max", false},
                                          {"mean", true},
                                          {"distinct", true},
                                          {"distinct_is_exact", false}});
  const std::vector<ColumnSummary> summaries =
      summarize(columns, where, session.context(), session.metrics());
  for (uint64_t i = 0; i < columns.size(); ++i) {
    writer->write(record((*columns.schema())[i], summaries[i], form.values.raw));
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

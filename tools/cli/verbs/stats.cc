#include "heron/query.h"
#include "options.h"
#include "output/records.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

std::vector<RecordCell> record(const Field& field, const ColumnSummary& summary, bool raw) {
  return {text_cell(field.name),
          text_cell(field.type.name()),
          number_cell(summary.rows),
          number_cell(summary.missing),
          value_cell(field.type, summary.min, raw),
          value_cell(field.type, summary.max, raw),
          summary.mean.has_value() ? number_cell(*summary.mean) : RecordCell{},
          number_cell(summary.distinct),
          bool_cell(summary.distinct_is_exact)};
}

void run(Session& session) {
  const Projection columns = session.projection();
  const std::optional<Predicate> where = session.where();
  const OutputForm form = session.form();
  const auto writer = make_record_writer(form, session.out(),
                                         {{"column", false},
                                          {"type", false},
                                          {"rows", true},
                                          {"missing", true},
                                          {"min", false},
                                          {"max", false},
                                          {"mean", true},
                                          {"distinct", true},
                                          {"distinct_is_exact", false}});
  const std::vector<ColumnSummary> summaries =
      summarize(columns, where, session.context(), session.counters());
  for (uint64_t i = 0; i < columns.size(); ++i) {
    writer->write(record((*columns.schema())[i], summaries[i], form.values.raw));
  }
  writer->finish();
}

}  // namespace

Verb stats_verb() {
  return {"stats",
          "per column: rows, missing, min, max, mean, distinct values",
          {{"heron stats data.jay", "of every column"},
           {"heron stats data.jay -c price -o json", "of one, as JSON"},
           {"heron stats data.jay --where \"city = 'Oslo'\"", "of rows for which that is true"}},
          {kFile},
          opening_options(
              {kWhere, kColumns, kTable, kSkipDamaged, kOutputRecords, kRaw, kTo, kForce}),
          run};
}

}  // namespace heron::cli

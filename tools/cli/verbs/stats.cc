#include <fmt/core.h>

#include "aggregate/column_profile.h"
#include "base/fail.h"
#include "heron/aggregate.h"
#include "heron/error.h"
#include "heron/expression.h"
#include "heron/forest.h"
#include "heron/table.h"
#include "heron/text.h"
#include "output/json_writer.h"
#include "output/report.h"
#include "output/sparkline.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/forest_stats.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

// Returns whether numbers are rounded. A table is for people: a ~ precedes numbers that are not
// exact, where other forms have a column that says so.
bool is_rounded(const OutputForm& form) {
  return form.name == "table";
}

// Returns whether there are histograms: not in a table in a file or pipe.
bool has_histogram(const OutputForm& form) {
  return !is_rounded(form) || form.display.width;
}

Schema stats_columns(const OutputForm& form) {
  Schema all = {text_column("column"),  text_column("type"), number_column("rows"),
                number_column("nulls"), text_column("min"),  text_column("max"),
                number_column("mean"),  number_column("distinct")};
  if (!is_rounded(form)) all.push_back(text_column("distinct_is_exact"));
  for (const char* name : {"stddev", "q25", "median", "q75"}) all.push_back(number_column(name));
  if (!is_rounded(form)) all.push_back(text_column("quartiles_are_exact"));
  if (has_histogram(form)) all.push_back(json_column("histogram"));
  return all;
}

// Marks a number that is not exact, in the cell of a table.
Cell marked(Cell cell, bool is_exact, const OutputForm& form) {
  if (!is_rounded(form) || is_exact || cell.is_null()) return cell;
  return concat('~', to_text(cell.type, cell.value, form.values));
}

Cell quartile_cell(const ColumnProfile& profile, uint64_t i, const OutputForm& form) {
  Cell cell;
  if (const auto* number = std::get_if<double>(&profile.quartiles[i])) {
    cell = rounded(*number, form);
  } else if (const auto* time = std::get_if<int64_t>(&profile.quartiles[i])) {
    cell = Cell(profile.summary.type, *time);
  }
  return marked(std::move(cell), profile.is_exact, form);
}

// Returns a histogram as a line of text for people at a terminal, else as JSON.
Cell histogram_cell(const ColumnProfile& profile, const OutputForm& form) {
  const uint64_t values = profile.summary.rows - profile.summary.null_count;
  const std::vector<uint64_t> counts = profile.histogram.scaled_to(values);
  if (counts.empty()) return {};
  if (is_for_people(form.name) && form.display.width) return sparkline(counts, uses_ascii());
  StringSink json;
  JsonWriter object(json, false);
  object.begin_object();
  object.name("edges").begin_array();
  for (const double edge : profile.histogram.edges()) object.value(edge);
  object.end_array();
  object.name("counts").begin_array();
  for (const uint64_t count : counts) object.value(count);
  object.end_array();
  object.end_object();
  return json.text();
}

std::vector<Cell> stats_cells(const Field& field, const ColumnProfile& profile,
                              const OutputForm& form) {
  const ColumnStats& summary = profile.summary;
  std::vector<Cell> cells = {field.name,
                             field.type.name(),
                             summary.rows,
                             summary.null_count,
                             Cell(summary.type, summary.min),
                             Cell(summary.type, summary.max),
                             rounded(summary.mean, form),
                             marked(summary.distinct, summary.distinct_is_exact, form)};
  if (!is_rounded(form)) {
    cells.push_back(summary.distinct ? Cell(summary.distinct_is_exact) : Cell());
  }
  cells.push_back(rounded(profile.stddev, form));
  for (uint64_t i = 0; i < profile.quartiles.size(); ++i) {
    cells.push_back(quartile_cell(profile, i, form));
  }
  const bool has_quartiles = !cells.back().is_null();
  if (!is_rounded(form)) cells.push_back(has_quartiles ? Cell(profile.is_exact) : Cell());
  if (has_histogram(form)) cells.push_back(histogram_cell(profile, form));
  return cells;
}

void note_estimates(Session& session, const Schema& schema,
                    const std::vector<ColumnProfile>& profiles) {
  std::string names;
  for (uint64_t i = 0; i < schema.size(); ++i) {
    if (profiles[i].summary.distinct_is_exact) continue;
    names += concat(names.empty() ? "\"" : ", \"", schema[i].name, '"');
  }
  if (names.empty()) return;
  session.note(
      fmt::format("distinct values of {} are estimated, with a standard error of {:.1f} %;"
                  " scan --agg \"distinct(x)\" counts them",
                  names, kDistinctError * 100));
}

// Returns whether a table for people describes the forest too, after the columns: if no part of it
// was selected.
bool shows_forest(Session& session) {
  const auto& table = session.get<TableOptions>();
  const bool selects = !table.columns.empty() || !table.table.empty() || table.where.has_value();
  return session.form().name == "table" && !selects && describes_forest(*session.table());
}

void run_stats(Session& session) {
  if (session.get<ForestStatsOptions>().forest) return print_forest_stats(session);
  const Projection columns = session.projection();
  const std::optional<Predicate> where = session.where();
  const OutputForm form = session.form();
  const auto writer = make_report_writer(form, session.out(), stats_columns(form));
  const std::vector<ColumnProfile> profiles =
      profile(session.counted(Query(columns, where)), session.context());
  for (uint64_t i = 0; i < columns.size(); ++i) {
    writer->write(row_of(stats_cells((*columns.schema())[i], profiles[i], form)));
  }
  writer->finish();
  note_estimates(session, *columns.schema(), profiles);
  if (!shows_forest(session)) return;
  session.out().append("\n");
  print_forest_stats(session);
}

}  // namespace

Verb stats_verb() {
  return {
      "stats",
      "print the rows, nulls, minimum, maximum, mean, distinct values, standard deviation and "
      "quartiles of each column",
      {{"heron stats data.jay", "all columns"},
       {"heron stats data.jay -c price -o json", "one column, as JSON"},
       {"heron stats data.jay --where \"city = 'Oslo'\"", "only of the rows that match"},
       {"heron stats model.balsa --forest -o csv", "splits, leaves and depths of a forest"}},
      {kFile},
      opening_options({kWhere, kParameter, kColumns, kTable, kForestStats, kSkipDamaged,
                       kOutputRecords, kRaw, kTo, kForce}),
      run_stats,
      "A ~ is before a number of distinct values that is estimated, with a standard error of "
      "0.8 %; scan --agg \"distinct(x)\" counts them. Of more than 262,144 values, quartiles and "
      "histograms are those of a sample of at least half as many, and a ~ is before them: as a "
      "rank they are within 0.5 % of all values in 99 of 100 cases; scan --agg \"median(x)\" is "
      "exact. On a terminal, the histogram is a line of 16 bins from the minimum to the maximum; "
      "JSON and CSV have its edges and counts.\n",
      {{"describe summarize summarise summary stat profile", "to summarize the columns",
        "heron stats FILE"}}};
}

}  // namespace heron::cli

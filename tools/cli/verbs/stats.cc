#include <fmt/core.h>

#include "aggregate/column_profile.h"
#include "base/fail.h"
#include "forest_stats.h"
#include "heron/aggregate.h"
#include "heron/error.h"
#include "heron/expression.h"
#include "heron/forest.h"
#include "heron/table.h"
#include "options.h"
#include "output/records.h"
#include "output/sparkline.h"
#include "parameters.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

// Whether numbers are rounded. A table is for people: instead of columns of their own that say
// whether numbers are exact, a ~ precedes those that are not.
bool is_rounded(const OutputForm& form) {
  return form.name == "table";
}

// Whether to draw histograms: not in a table in a file or pipe.
bool has_histogram(const OutputForm& form) {
  return !is_rounded(form) || form.display.width;
}

std::vector<TableLayout::Heading> stats_headings(const OutputForm& form) {
  std::vector<TableLayout::Heading> all = {{"column", false}, {"type", false},   {"rows", true},
                                           {"nulls", true},   {"min", false},    {"max", false},
                                           {"mean", true},    {"distinct", true}};
  if (!is_rounded(form)) all.push_back({"distinct_is_exact", false});
  all.insert(all.end(), {{"stddev", true}, {"q25", true}, {"median", true}, {"q75", true}});
  if (!is_rounded(form)) all.push_back({"quartiles_are_exact", false});
  if (has_histogram(form)) all.push_back({"histogram", false});
  return all;
}

// Marks a number that is not exact, in the cell of a table.
RecordCell marked(RecordCell cell, bool is_exact, const OutputForm& form) {
  if (is_rounded(form) && !is_exact && !cell.is_null) cell.text.insert(0, 1, '~');
  return cell;
}

RecordCell distinct_cell(const ColumnStats& summary, const OutputForm& form) {
  if (!summary.distinct.has_value()) return {};
  return marked(number_cell(*summary.distinct), summary.distinct_is_exact, form);
}

RecordCell quartile_cell(const ColumnProfile& profile, uint64_t i, const OutputForm& form) {
  RecordCell cell;
  if (const auto* number = std::get_if<double>(&profile.quartiles[i])) {
    cell = rounded_cell(*number, form);
  } else if (const auto* time = std::get_if<int64_t>(&profile.quartiles[i])) {
    cell = value_cell(profile.summary.type, Scalar(*time), form.values.raw);
  }
  return marked(std::move(cell), profile.is_exact, form);
}

// Returns a histogram as a line of text on a terminal, else as JSON.
RecordCell histogram_cell(const ColumnProfile& profile, const OutputForm& form) {
  const uint64_t values = profile.summary.rows - profile.summary.null_count;
  const std::vector<uint64_t> counts = profile.histogram.scaled_to(values);
  if (counts.empty()) return {};
  if (form.display.width) return text_cell(sparkline(counts, wants_ascii()));
  std::string edges, numbers;
  for (const double edge : profile.histogram.edges()) {
    edges += concat(edges.empty() ? "" : ",", number_cell(edge).json);
  }
  for (const uint64_t count : counts) numbers += concat(numbers.empty() ? "" : ",", count);
  RecordCell cell = text_cell(concat("{\"edges\":[", edges, "],\"counts\":[", numbers, "]}"));
  cell.json = cell.text;
  return cell;
}

std::vector<RecordCell> stats_record(const Field& field, const ColumnProfile& profile,
                                     const OutputForm& form) {
  const ColumnStats& summary = profile.summary;
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
  cells.push_back(rounded_cell(profile.stddev, form));
  for (uint64_t i = 0; i < profile.quartiles.size(); ++i) {
    cells.push_back(quartile_cell(profile, i, form));
  }
  const bool has_quartiles = !cells.back().is_null;
  if (!is_rounded(form)) {
    cells.push_back(has_quartiles ? bool_cell(profile.is_exact) : RecordCell{});
  }
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

// Whether a table for people describes the forest too, after the columns: if no part of it was
// selected.
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
  const std::vector<ColumnProfile> profiles = profile(Query(columns, where), session.context());
  for (uint64_t i = 0; i < columns.size(); ++i) {
    writer->write(stats_record((*columns.schema())[i], profiles[i], form));
  }
  writer->finish();
  note_estimates(session, *columns.schema(), profiles);
  if (!wants_forest(session)) return;
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

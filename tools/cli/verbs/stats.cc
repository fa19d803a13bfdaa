#include <fmt/core.h>

#include "aggregate/column_profile.h"
#include "forest_stats.h"
#include "heron/dataset.h"
#include "heron/error.h"
#include "heron/forest.h"
#include "heron/predicate.h"
#include "heron/stats.h"
#include "options.h"
#include "output/records.h"
#include "output/sparkline.h"
#include "parameters.h"
#include "session.h"
#include "verbs.h"

namespace heron::cli {
namespace {

// A table is for people: instead of columns of their own that say whether numbers are exact, a ~ is
// before those that are not.
bool is_rounded(const OutputForm& form) {
  return form.name == "table";
}

bool is_for_people(const OutputForm& form) {
  return form.name == "table" || form.name == "vertical";
}

// People see it on a terminal alone.
bool has_histogram(const OutputForm& form) {
  return !is_for_people(form) || form.display.width;
}

// In a table beside the mean; in other forms behind the fields that were there before them, for
// programs that count fields.
template <class T>
auto place_of_quartiles(const std::vector<T>& all, const OutputForm& form) {
  return is_rounded(form) ? all.end() - 1 : all.end();
}

std::vector<TableLayout::Heading> stats_headings(const OutputForm& form) {
  std::vector<TableLayout::Heading> all = {{"column", false}, {"type", false},   {"rows", true},
                                           {"nulls", true},   {"min", false},    {"max", false},
                                           {"mean", true},    {"distinct", true}};
  if (!is_rounded(form)) all.push_back({"distinct_is_exact", false});
  all.insert(place_of_quartiles(all, form),
             {{"stddev", true}, {"q25", true}, {"median", true}, {"q75", true}});
  if (!is_rounded(form)) all.push_back({"quartiles_are_exact", false});
  if (has_histogram(form)) all.push_back({"histogram", false});
  return all;
}

// Of a cell of a table: marks a number that is not exact.
RecordCell marked(RecordCell cell, bool is_exact, const OutputForm& form) {
  if (is_rounded(form) && !is_exact && !cell.is_null) cell.text.insert(0, 1, '~');
  return cell;
}

RecordCell distinct_cell(const ColumnSummary& summary, const OutputForm& form) {
  if (!summary.distinct.has_value()) return {};
  return marked(number_cell(*summary.distinct), summary.distinct_is_exact, form);
}

RecordCell quartile_cell(const ColumnProfile& profile, uint64_t i, const OutputForm& form) {
  const Scalar& value = profile.quartiles[i];
  const auto* number = std::get_if<double>(&value);
  RecordCell cell = number != nullptr
                        ? rounded_cell(*number, form)
                        : value_cell(profile.quartile_type, value, form.values.raw);
  return marked(std::move(cell), profile.is_exact, form);
}

// A line of text for people, else JSON.
RecordCell histogram_cell(const ColumnHistogram& histogram, const OutputForm& form) {
  if (histogram.counts.empty()) return {};
  if (is_for_people(form)) return text_cell(sparkline(histogram.counts, wants_ascii()));
  std::string edges, counts;
  for (const double edge : histogram.edges) {
    edges += concat(edges.empty() ? "" : ",", number_cell(edge).json);
  }
  for (const uint64_t count : histogram.counts) counts += concat(counts.empty() ? "" : ",", count);
  RecordCell cell = text_cell(concat("{\"edges\":[", edges, "],\"counts\":[", counts, "]}"));
  cell.json = cell.text;
  return cell;
}

std::vector<RecordCell> stats_record(const Field& field, const ColumnProfile& profile,
                                     const OutputForm& form) {
  const ColumnSummary& summary = profile.summary;
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
  std::vector<RecordCell> spread = {rounded_cell(profile.stddev, form)};
  for (uint64_t i = 0; i < profile.quartiles.size(); ++i) {
    spread.push_back(quartile_cell(profile, i, form));
  }
  const bool has_quartiles = !spread.back().is_null;
  cells.insert(place_of_quartiles(cells, form), spread.begin(), spread.end());
  if (!is_rounded(form)) {
    cells.push_back(has_quartiles ? bool_cell(profile.is_exact) : RecordCell{});
  }
  if (has_histogram(form)) cells.push_back(histogram_cell(profile.histogram, form));
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

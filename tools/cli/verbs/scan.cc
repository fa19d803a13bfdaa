#include <algorithm>
#include <utility>

#include "base/fail.h"
#include "heron/aggregate.h"
#include "heron/error.h"
#include "heron/scan.h"
#include "output/report.h"
#include "parsing/arguments.h"
#include "parsing/options.h"
#include "verbs/shared/groups.h"
#include "verbs/shared/row_printer.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct ScanVerbOptions {
  std::optional<uint64_t> limit;
  std::optional<std::string> aggregates;
};
constexpr Option kLimit{.names = "--limit",
                        .value = "N",
                        .what = "print at most N rows",
                        .read = into<&ScanVerbOptions::limit>,
                        .elsewhere = "-n --head --max-rows --top --count --rows --first -l"};
const std::string kAggText =
    concat("print aggregates over all rows, or over each group of --by, instead of rows: ",
           aggregates_usage(),
           "; x is a column or an expression; `sum(x) filter (where E)` takes only some rows, "
           "`sum(x) as total` names one");
const Option kAgg{
    .names = "--agg",
    .value = "LIST",
    .what = kAggText,
    .read = into<&ScanVerbOptions::aggregates>,
    .kind = Kind::Aggregates,
    .elsewhere = "--aggregate --aggregates --sum --mean --avg --min --max"};

// Returns the maximum number of rows to print; the exact number for a form that begins with it.
uint64_t rows_to_come(Session& session, const Query& query) {
  uint64_t rows = query.table->rows();
  if (query.where.is_set() && session.get<OutputOptions>().output == "npy") {
    rows = count(Query(query.table, query.where), session.context());
  }
  return std::min(rows, query.limit);
}

// Returns the query of the requested rows, in their order.
Query query_of(Session& session) {
  const auto& options = session.get<ScanVerbOptions>();
  Query query = session.query();
  query.limit = options.limit.value_or(Query::kNoLimit);
  const std::string& order = session.get<SortOptions>().order_by;
  if (!order.empty()) query.order = parse_order(order);
  return query;
}

// Rejects options without effect on aggregates.
void check_options(const Session& session) {
  const auto& output = session.get<OutputOptions>();
  const auto refuse = [](bool given, std::string_view option) {
    if (given) fail(ErrorKind::Argument, {}, "scan: ", option, " does not apply to --agg");
  };
  refuse(!session.get<TableOptions>().columns.empty(), "-c");
  const bool grouped = !session.get<GroupOptions>().by.empty();
  refuse(!grouped && session.get<ScanVerbOptions>().limit.has_value(), "--limit without --by");
  refuse(!grouped && !session.get<SortOptions>().order_by.empty(), "--order-by without --by");
  refuse(output.row_number, "--row-number");
  refuse(output.sparse, "--sparse");
  refuse(output.output == "npy", "-o npy");
}

void print_aggregates(Session& session) {
  check_options(session);
  const auto& table = session.table();
  const std::vector<Aggregate> aggregates =
      parse_aggregates(*table, *session.get<ScanVerbOptions>().aggregates);
  const Query query = query_of(session);
  if (!session.get<GroupOptions>().by.empty()) return print_groups(session, query, aggregates);
  const RowBatch results = aggregate(query, aggregates, session.context());
  const auto writer = make_report_writer(session.form(), session.out(), *results.schema);
  writer->write(results);
  writer->finish();
}

void run_scan(Session& session) {
  if (session.get<ScanVerbOptions>().aggregates.has_value()) return print_aggregates(session);
  const Projection columns = session.projection();
  const Query query = query_of(session);
  if (!session.get<GroupOptions>().by.empty()) {
    fail(ErrorKind::Argument, {}, "scan: --by needs --agg");
  }
  RowPrinter printer(session, columns, rows_to_come(session, query));
  printer.show(query);
  printer.finish();
}

}  // namespace

Verb scan_verb() {
  return {"scan",
          "print all rows, or those that match, sorted or aggregated",
          {{"heron scan data.jay -o csv > data.csv", "all rows as CSV"},
           {"heron scan 'part-*.jay' -o csv", "all rows of many files"},
           {"heron scan data.jay -c id,city -o jsonl --limit 1000", "two columns, 1000 rows"},
           {"heron scan data.jay --where \"price > 3.5 and city in ('Oslo', 'Rome')\"",
            "the rows that match"},
           {"heron scan data.jay --order-by price:desc,id --limit 10", "the ten highest prices"},
           {"heron scan data.jay --agg \"count, mean(price), max(price)\"",
            "aggregates over all rows"},
           {"heron scan data.jay --agg \"sum(price * qty) as turnover\" --by \"year(placed) as y\"",
            "a line for each year"},
           {"heron scan data.jay --agg \"count as n, mean(price)\" --by city --order-by n:desc",
            "a line for each city, the most rows first"}},
          {kFile},
          row_options({kWhere, kParameter, kLimit, kOrderBy, kAgg, kGroupBy}),
          run_scan,
          "Rows are printed as they are read: memory does not grow with the file. --order-by sorts "
          "in files where memory does not hold the rows.\n",
          {{"cat print show dump read table tojson tocsv", "to print all rows",
            "heron scan FILE"},
           {"sort order orderby order-by sort_values top-k topk", "to sort rows",
            "heron scan FILE --order-by A"},
           {"filter where grep search query", "to print the rows that match",
            "heron scan FILE --where 'A > 3'"},
           {"select sql", "to print some rows and columns",
            "heron scan FILE --where 'A > 3' -c A,B"},
           {"aggregate agg sum mean avg min max median stddev groupby group-by group_by pivot",
            "to aggregate rows", "heron scan FILE --agg 'count, mean(B)' --by A"},
           {"join merge-join lookup-join", "to join files, use a database that reads CSV",
            "heron scan FILE -o csv | duckdb -c \"...\""}}};
}

}  // namespace heron::cli

#include <numeric>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/find.h"
#include "heron/table.h"
#include "heron/values.h"
#include "parsing/arguments.h"
#include "parsing/options.h"
#include "verbs/shared/row_printer.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct FindVerbOptions {
  std::vector<std::string> keys;
  std::string by;
};
constexpr Option kKey{
    .names = "--key",
    .value = "V[,V...]",
    .what = "find the rows with this key, a value per key column; may be repeated",
    .read = into<&FindVerbOptions::keys>,
    .repeats = true,
    .elsewhere = "--keys --value --values -k --id"};
constexpr Option kBy{
    .names = "--by",
    .value = "COL,...",
    .what = "search these columns, which ascend together, instead of the file's key",
    .read = into<&FindVerbOptions::by>,
    .kind = Kind::Columns,
    .elsewhere = "--on --in --key-column"};

// Returns the columns in which keys are searched.
Projection key_columns(Session& session) {
  const std::string& by = session.get<FindVerbOptions>().by;
  if (!by.empty()) return Projection(session.table(), parse_names(by));
  std::vector<uint64_t> leading(session.table()->key_columns());
  if (leading.empty()) {
    fail(ErrorKind::Argument, session.file().path(),
         "the file is not keyed; --by names an ascending column to look in");
  }
  std::iota(leading.begin(), leading.end(), uint64_t{0});
  return Projection(session.table(), leading);
}

// Finds all rows of all keys before it prints any.
void print_found(Session& session, const Projection& columns,
                 const std::vector<std::vector<Scalar>>& keys) {
  std::vector<RowRange> ranges;
  uint64_t rows = 0;
  for (const std::vector<Scalar>& key : keys) {
    ranges.push_back(find_range(columns, key, session.context()));
    rows += ranges.back().rows();
  }
  constexpr uint64_t kAtOnce = 10'000;  // rows printed at once, aligned
  if (rows <= kAtOnce) {
    std::vector<uint64_t> numbers;
    for (const RowRange& range : ranges) {
      for (uint64_t row = range.first; row < range.last; ++row) numbers.push_back(row);
    }
    return print_rows(session, session.projection(), numbers);
  }
  RowPrinter printer(session, session.projection(), rows);
  for (const RowRange& range : ranges) printer.show(range);
  printer.finish();
}

void run_find(Session& session) {
  const auto& requested = session.get<FindVerbOptions>();
  if (requested.keys.empty()) fail(ErrorKind::Argument, {}, "find: --key is missing");
  const Projection columns = key_columns(session);
  std::vector<std::vector<Scalar>> keys;
  for (const std::string& key : requested.keys) {
    keys.push_back(parse_key(*columns.schema(), key, session.get<OutputOptions>().raw));
  }
  print_found(session, columns, keys);
}

}  // namespace

Verb find_verb() {
  return {
      "find",
      "print the rows with a key",
      {{"heron find data.jay --key 42", "in a file with a key of one column"},
       {"heron find data.jay --key 'Oslo,7' --key '\"Rome, Italy\",8'", "two keys of two values"},
       {"heron find data.jay --by day --key 2026-11-21", "all rows of a day, if days ascend"},
       {"heron find data.jay --by year,day --key 2026,325", "if rows ascend by both columns"}},
      {kFile},
      row_options({kKey, kBy}),
      run_find,
      "A key that no row has prints nothing; the exit code is 0.\n",
      {{"lookup get-key seek", "to print the rows with a key", "heron find FILE --key V"}}};
}

}  // namespace heron::cli

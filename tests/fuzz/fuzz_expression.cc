// Expressions with values: the first byte chooses a table, the rest is the expression. Its values
// by a scan, in batches of few rows, of a filter that all rows pass, and by number are the same.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "fuzz/tables.h"
#include "heron/heron.h"
#include "kit/exact_value.h"

namespace heron {
namespace {

constexpr uint64_t kMaxRows = 200;

using Words = std::vector<std::string>;

void append_words(const Values& values, Words& all) {
  for (uint64_t row = 0; row < values.rows; ++row) all.push_back(words(exact_value(values, row)));
}

Words scanned(const Query& query, uint64_t batch_rows) {
  Words all;
  Scan scan(query, {}, batch_rows);
  for (RowBatch batch; scan.next(batch);) append_words(batch.columns.front(), all);
  return all;
}

// Returns the values, or nullopt for an error, which must be one of those that the headers promise.
template <class Read>
std::optional<Words> values_of(Read read) {
  try {
    return read();
  } catch (const Error& error) {
    if (!is_promised(error)) std::abort();
    return std::nullopt;
  }
}

void ask(const std::shared_ptr<const Table>& table, std::string_view expression) {
  Query query(table);
  query.columns = std::vector<std::string>{std::string(expression)};
  query.range = {0, std::min(table->rows(), kMaxRows)};
  const auto all = values_of([&] { return scanned(query, kMaxRows); });
  if (values_of([&] { return scanned(query, 3); }) != all) std::abort();
  if (!all) return;
  Query filtered = query;
  const std::string column = concat('`', table->column_name(table->column_count() - 1), '`');
  filtered.where = concat(column, " is null or ", column, " is not null");
  if (values_of([&] { return scanned(filtered, kMaxRows); }) != all) std::abort();
}

}  // namespace
}  // namespace heron

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  if (bytes == 0) return 0;
  heron::ask(heron::small_table(data[0]), {reinterpret_cast<const char*>(data) + 1, bytes - 1});
  return 0;
}

// Splits of a query: the first byte chooses a table, 8 bytes the size of a split, 4 the range of
// rows, the rest is a predicate. Splits ascend inside of the range and hold every row that passes,
// and their states of aggregates are merged to the result of one call.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/tables.h"
#include "heron/heron.h"

namespace heron {
namespace {

constexpr size_t kHeadBytes = 1 + 8 + 4;
constexpr uint64_t kMaxSplits = 50;  // of which states are merged

void check(const Query& query, const std::vector<Split>& all) {
  const uint64_t passed = count(query);
  uint64_t at = query.range ? query.range->first : 0, counted = 0;
  for (const Split& split : all) {
    if (split.rows.first < at || split.rows.last <= split.rows.first) std::abort();
    at = split.rows.last;
    if (split.min_rows > split.estimated_rows || split.estimated_rows > split.max_rows ||
        split.max_rows > split.rows.rows()) {
      std::abort();
    }
    Query part = query;
    part.range = split.rows;
    const uint64_t rows = count(part);
    if (rows < split.min_rows || rows > split.max_rows) std::abort();
    counted += rows;
  }
  const uint64_t end = query.range ? query.range->last : query.table->rows();
  if (at > std::max(end, at) || (!all.empty() && at > end) || counted != passed) std::abort();
  if (all.empty() || all.size() > kMaxSplits) return;

  std::optional<PartialAggregate> merged;
  const std::vector<Aggregate> rows = parse_aggregates(*query.table, "count(*)");
  for (const Split& split : all) {
    Query part = query;
    part.range = split.rows;
    PartialAggregate state(part, rows, {0, query.table->rows()});
    PartialAggregate sent(state.bytes());
    merged ? merged->append(sent) : void(merged.emplace(std::move(sent)));
  }
  if (merged->result().columns.front().get<uint64_t>(0) != passed) std::abort();
}

void ask(const std::shared_ptr<const Table>& table, const uint8_t* head, std::string where) {
  uint64_t target;
  uint16_t range[2];
  std::memcpy(&target, head, sizeof target);
  std::memcpy(range, head + sizeof target, sizeof range);
  Query query(table);
  if (!where.empty()) query.where = std::move(where);
  if (range[0] != 0 || range[1] != 0) query.range = {range[0], range[1]};
  std::vector<Split> all;
  try {
    all = splits(query, target);
  } catch (const Error& error) {
    if (!is_promised(error)) std::abort();
    return;
  }
  check(query, all);
}

}  // namespace
}  // namespace heron

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  if (bytes < heron::kHeadBytes) return 0;
  heron::ask(heron::small_table(data[0]), data + 1,
             {reinterpret_cast<const char*>(data) + heron::kHeadBytes, bytes - heron::kHeadBytes});
  return 0;
}

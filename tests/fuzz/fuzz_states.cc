// States of aggregates, as another process sends them: the first byte chooses one that was saved,
// the rest are edits of it (edits.h). A state that is accepted has a result, which is the same after
// it is saved again, and is merged with the state of the rows that follow. The bytes may differ:
// loading and results reorder the values of quantiles.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "fuzz/edits.h"
#include "heron/heron.h"
#include "kit/real_files.h"
#include "kit/value_text.h"

namespace heron {
namespace {

constexpr const char* kEverything =
    "count(*), count(str32), sum(int32), sum(float64), mean(float32), min(float64), max(int64), "
    "min(str32), max(str32), distinct(str32), distinct(float64), approx_distinct(int16), "
    "median(float64), quantile(int32, 0.9), variance(float64), stddev(int16), first(str32), "
    "last(float32), count_null(int64), mode(str32), mode(int8), count_if(bool8), any_value(str32), "
    "bool_and(bool8), bool_or(bool8), min(date32)";

// A saved state, and that of the rows after its own.
struct Saved {
  std::string bytes;
  PartialAggregate next;
};

std::vector<Saved> saved_states() {
  const auto table = open(data_dir() / "jay/types_stats.jay")->table();
  std::vector<Saved> all;
  const auto add = [&](const char* aggregates, Columns by) {
    Query query(table);
    query.by = std::move(by);
    const auto state = [&](uint64_t first_row) {
      return PartialAggregate(query, parse_aggregates(*table, aggregates),
                              {first_row, 2 * table->rows()});
    };
    const auto bytes = state(0).bytes();
    all.push_back(
        {{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, state(table->rows())});
  };
  for (const char* aggregates :
       {kEverything, "sum(float64), mean(float64), variance(float32)",
        "distinct(str32), mode(str32), first(str32)", "approx_distinct(int16), median(float64)"}) {
    add(aggregates, {});
    add(aggregates, {"bool8"});
    add(aggregates, {"str32", "int8"});
  }
  return all;
}

std::vector<std::string> texts_of(const RowBatch& batch) {
  std::vector<std::string> texts;
  for (const Values& column : batch.columns) {
    for (uint64_t row = 0; row < batch.rows; ++row) texts.push_back(value_text(column, row));
  }
  return texts;
}

void ask(std::span<const std::byte> bytes, const PartialAggregate& next) {
  try {
    PartialAggregate state(bytes);
    const std::vector<std::byte> again = state.bytes();
    const PartialAggregate same(again);
    if (same.bytes().size() != again.size()) std::abort();
    if (texts_of(state.result()) != texts_of(same.result())) std::abort();
    state.append(next);
    state.result();
  } catch (const Error&) {
  }
}

}  // namespace
}  // namespace heron

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  static const std::vector<heron::Saved> states = heron::saved_states();
  if (bytes == 0) return 0;
  const heron::Saved& saved = states[data[0] % states.size()];
  std::string state = saved.bytes;
  heron::apply_edits(state, {data + 1, bytes - 1});
  heron::ask(std::as_bytes(std::span(state)), saved.next);
  return 0;
}

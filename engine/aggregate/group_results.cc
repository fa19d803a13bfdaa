#include "aggregate/group_results.h"

#include <algorithm>

namespace heron::inline v0 {

Values narrowed(const Values& sums, Arena& arena) {
  Int128 low = 0, high = 0;
  for (uint64_t row = 0; row < sums.rows; ++row) {
    const auto sum = cell_of<Int128>(sums, row);  // 0 under a null
    low = std::min(low, sum);
    high = std::max(high, sum);
  }
  const bool is_signed = low >= INT64_MIN && high <= INT64_MAX;
  if (!is_signed && (low < 0 || high > UINT64_MAX)) return sums;
  Values narrow = sums;
  narrow.type = is_signed ? Type::Int64 : Type::UInt64;
  auto* cells = arena.allocate_array<uint64_t>(sums.rows);
  for (uint64_t row = 0; row < sums.rows; ++row) {
    cells[row] = static_cast<uint64_t>(cell_of<Int128>(sums, row));
  }
  narrow.data = {reinterpret_cast<const std::byte*>(cells), sums.rows * sizeof *cells};
  return narrow;
}

RowBatch row_of_results(std::span<const Aggregate> wanted, const AggregatePlan& plan,
                        const AggregateStates& states, uint64_t rows,
                        const KnownResult& known) {
  RowBatch batch = own_batch(nullptr, std::make_shared<Arena>());
  batch.rows = 1;
  auto schema = std::make_shared<Schema>();
  append_results(wanted, plan, batch, *schema, {}, [&](uint64_t i, uint64_t, ValuesBuilder& to) {
    const Aggregate& one = wanted[i];
    const std::optional<uint64_t> state = plan.state_of[i];
    if (!state) return to.append(rows);
    if (!plan.states[*state].is_read) {
      const std::optional<Scalar> result = known ? known(one) : std::nullopt;
      if (result) return to.append(view_of(*result));
      if (one.function == Aggregate::Function::CountNull) return to.append(rows);
    }
    states[*state]->append_result(0, one, to);
  });
  batch.schema = std::move(schema);
  return batch;
}

}  // namespace heron::inline v0

#include "aggregate/functions/function.h"
#include "aggregate/functions/group_states.h"

namespace heron::inline v0 {
namespace {

class GroupRowCounts final : public RowCounts {
  void update(const Values*, const GroupedRows& grouped) override {
    const StatesOfRows states(all_, grouped);
    const uint64_t rows = grouped.numbers.size();
    for (uint64_t i = 0; i < rows; ++i) ++states[i].count;
  }
};

class ValueCounts final : public RowCounts {
  void update(const Values* values, const GroupedRows& grouped) override {
    const StatesOfRows states(all_, grouped);
    for_valid(*values, grouped, [states](uint64_t i, uint32_t) { ++states[i].count; });
  }
  void update_block(const SelectedValues& block) override {
    if (const auto valid = block.valid()) all_[0].count += valid->count;
  }
};

std::unique_ptr<AggregateState> make_value_counts(const StateOf&) {
  return std::make_unique<ValueCounts>();
}

}  // namespace

std::unique_ptr<AggregateState> make_row_counts(const StateOf&) {
  return std::make_unique<GroupRowCounts>();
}

extern const AggregateFunction kCount{.name = "count",
                                      .usage = "count",
                                      .accepts = [](const Type&) { return true; },
                                      .type = count_type,
                                      .state =
                                          [](const StateOf& of) {
                                            return of.grouped ? make_value_counts
                                                              : shared_or(of, make_value_counts);
                                          }};

}  // namespace heron::inline v0

// count_null: how many values are null.
#include "aggregate/functions/function.h"
#include "aggregate/functions/group_states.h"

namespace heron::inline v0 {
namespace {

class NullCounts final : public RowCounts {
  void update(const Values* values, const GroupedRows& grouped) override {
    if (values->null_count == 0 && !values->type.is(Type::Null)) return;
    for (uint64_t i = 0; i < grouped.rows.size(); ++i) {
      all_[grouped.numbers[i]].count += values->is_null(grouped.rows[i]);
    }
  }
};

}  // namespace

extern const AggregateFunction kCountNull{
    .name = "count_null",
    .accepts = [](const Type&) { return true; },
    .type = count_type,
    .state = [](const StateOf&) -> StateMaker {
      return [](const StateOf&) -> std::unique_ptr<AggregateState> {
        return std::make_unique<NullCounts>();
      };
    }};

}  // namespace heron::inline v0

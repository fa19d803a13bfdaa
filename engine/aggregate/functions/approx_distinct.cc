// approx_distinct: HyperLogLog; exact for bools and for keys with values.
#include "aggregate/distinct/hyper_log_log.h"
#include "aggregate/functions/function.h"
#include "aggregate/functions/identities.h"

namespace heron::inline v0 {
namespace {

struct GroupSketch {
  uint64_t add(auto identity) {
    const uint64_t before = sketch.bytes();
    sketch.add(sketch_hash(identity));
    return sketch.bytes() - before;
  }
  uint64_t merge(const GroupSketch& next) {
    const uint64_t before = sketch.bytes();
    sketch.merge(next.sketch);
    return sketch.bytes() - before;
  }
  ScalarView result(const Aggregate&) const { return sketch.estimate(); }
  void save(StateWriter& to) const { sketch.save(to); }
  uint64_t load(StateReader& from) {
    sketch.load(from);
    return sketch.bytes();
  }

  HyperLogLog sketch;
};

class Sketches final : public GroupStates<GroupSketch, uint64_t> {
 public:
  bool ignores_repeats() const noexcept override { return true; }
  void update(const Values* values, const GroupedRows& grouped) override {
    for_identities(*values, grouped, [&](uint64_t i, const auto& identity) {
      own_bytes_ += all_[grouped.numbers[i]].add(identity);
    });
  }
  void update_block(const SelectedValues& block) override {
    const auto valid = block.valid();
    if (!valid) return;
    HyperLogLog& sketch = all_[0].sketch;
    if (valid->values.type.has_bytes()) {
      valid->for_each([&](uint64_t row) { sketch.add(sketch_hash(valid->values.text(row))); });
    } else if (valid->values.type.is(Type::Decimal)) {
      valid->for_each(
          [&](uint64_t row) { sketch.add(sketch_hash(decimal_bytes(valid->values, row))); });
    } else {
      visit_cell_type(valid->values.type, [&]<class T>() { add_to<T>(sketch, *valid); });
    }
    own_bytes_ = sketch.bytes();
  }
};

std::unique_ptr<AggregateState> make_sketches(const StateOf&) {
  return std::make_unique<Sketches>();
}

}  // namespace

extern const AggregateFunction kApproxDistinct{
    .name = "approx_distinct",
    .usage = "approx_distinct(x) (in 16 KiB, standard error 0.8 %)",
    .lacks = " are not told from each other",
    .type = count_type,
    .state = [](const StateOf& of) -> StateMaker {
      if (of.type.is(Type::Bool)) return make_bools;
      return of.key_values ? make_distinct : make_sketches;
    }};

}  // namespace heron::inline v0

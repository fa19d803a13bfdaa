#include "dataset/whole_read.h"
#include "exec/sink.h"
#include "expression/condition.h"

namespace heron::inline v0 {
namespace {

class CountSink final : public Sink {
 public:
  uint64_t rows() const noexcept { return rows_; }

  std::unique_ptr<LocalState> local(uint64_t) const override { return std::make_unique<Count>(); }
  void consume(uint64_t, MorselReader& morsel, LocalState& local) const override {
    static_cast<Count&>(local).rows += morsel.count();
  }
  void combine(uint64_t, LocalState& local) override { rows_ += static_cast<Count&>(local).rows; }

 private:
  struct Count final : LocalState {
    uint64_t rows = 0;
  };
  uint64_t rows_ = 0;
};

}  // namespace

uint64_t count(const Predicate& predicate, const Context& context, QueryMetrics* metrics) {
  const std::shared_ptr<const Table>& table = predicate.table();
  if (const auto* always = std::get_if<Always>(&predicate.condition())) {
    const uint64_t rows = always->is_true ? table->rows() : 0;
    if (metrics != nullptr) metrics->rows_kept += rows;
    return rows;
  }
  check_whole_read(*table, predicate.columns(), context);
  return unless_changed(*table->bytes(), [&] {
    const Input input(table, predicate, context, metrics);
    CountSink sink;
    run(input, sink, context);
    table->check_unchanged();
    return sink.rows();
  });
}

}  // namespace heron::inline v0

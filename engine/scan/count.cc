#include "exec/sink.h"
#include "exec/whole_read.h"
#include "expression/condition.h"
#include "heron/count.h"
#include "rows/resolved_query.h"
#include "table/internals.h"

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

uint64_t count(const Query& query, const Context& context) {
  const SelectedBy selected(query, {.call = "count"});
  if (!selected.where) return selected.range.rows();
  const Table& table = *selected.table;
  if (const auto* always = std::get_if<Always>(&condition_of(*selected.where))) {
    const uint64_t rows = always->is_true ? selected.range.rows() : 0;
    if (context.metrics != nullptr) context.metrics->rows_selected += rows;
    return rows;
  }
  if (selected.is_whole()) check_whole_read(table, selected.where->columns(), context);
  return unless_changed(bytes_of(table), [&] {
    const Input input(selected.table, selected.where, selected.range, context);
    CountSink sink;
    run(input, sink, context);
    table.check_unchanged();
    return sink.rows();
  });
}

}  // namespace heron::inline v0

// The row numbers of a selection, found as they are needed.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "exec/sink.h"
#include "rows/resolved_query.h"

namespace heron::inline v0 {

// Collects the row numbers of the selection, in table order.
class RowIdSink final : public Sink {
 public:
  // The row numbers not yet taken.
  std::span<const uint64_t> ids() const noexcept { return std::span(ids_).subspan(taken_); }
  void take(uint64_t count) noexcept { taken_ += count; }

  std::unique_ptr<LocalState> local(uint64_t) const override { return std::make_unique<Local>(); }
  void consume(uint64_t, MorselReader& morsel, LocalState& local) const override {
    morsel.append_rows(static_cast<Local&>(local).ids);
  }
  void combine(uint64_t, LocalState& local) override {
    std::vector<uint64_t>& more = static_cast<Local&>(local).ids;
    ids_.erase(ids_.begin(), ids_.begin() + static_cast<ptrdiff_t>(std::exchange(taken_, 0)));
    ids_.empty() ? ids_.swap(more) : void(ids_.insert(ids_.end(), more.begin(), more.end()));
  }
  Pace pace() const override {
    return {.most_items_a_range = 1, .ranges_a_thread = 2, .bounded = true};
  }

 private:
  struct Local final : LocalState {
    std::vector<uint64_t> ids;
  };
  std::vector<uint64_t> ids_;
  uint64_t taken_ = 0;
};

// One thread at a time. The Context must outlive it.
struct SelectedIds {
  SelectedIds(const SelectedBy& selected, const Context& context)
      : input(selected.table, selected.where, selected.range, context), run(input, sink, context) {}

  const Input input;
  RowIdSink sink;
  Run run;  // its next() adds to the sink
};

}  // namespace heron::inline v0

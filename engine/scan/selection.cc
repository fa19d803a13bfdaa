#include "heron/scan.h"

#include <algorithm>
#include <numeric>

#include "bytes/byte_source.h"
#include "exec/resolved_query.h"
#include "exec/sink.h"
#include "exec/whole_read.h"
#include "expression/bound_predicate.h"
#include "heron/scan.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// Counts the selected rows of each morsel.
class CountsSink final : public Sink {
 public:
  // Returns running totals: for each morsel the rows before it, and last the rows of all.
  std::vector<uint64_t> sums() && {
    std::partial_sum(counts_.begin(), counts_.end(), counts_.begin());
    return std::move(counts_);
  }

  std::unique_ptr<LocalState> local(uint64_t) const override { return std::make_unique<Counts>(); }
  void consume(uint64_t, MorselReader& morsel, LocalState& local) const override {
    static_cast<Counts&>(local).all.push_back(morsel.count());
  }
  void combine(uint64_t, LocalState& local) override {
    const auto& next = static_cast<Counts&>(local).all;
    counts_.insert(counts_.end(), next.begin(), next.end());
  }

 private:
  struct Counts final : LocalState {
    std::vector<uint64_t> all;
  };
  std::vector<uint64_t> counts_{0};
};

// Finds the selected rows at some positions.
class PositionsSink final : public Sink {
 public:
  // `order_` lists the positions in ascending order.
  PositionsSink(const ByteSource& bytes, std::span<const uint64_t> before,
                std::span<const uint64_t> positions)
      : bytes_(bytes), before_(before), positions_(positions), order_(positions.size()) {
    std::iota(order_.begin(), order_.end(), uint64_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](uint64_t a, uint64_t b) { return positions[a] < positions[b]; });
    rows_.resize(positions.size());
  }

  // Returns the morsels that contain one of the positions, ascending.
  std::vector<uint64_t> morsels() const {
    std::vector<uint64_t> all;
    for (const uint64_t i : order_) {
      if (!all.empty() && positions_[i] < before_[all.back() + 1]) continue;
      const auto after = std::upper_bound(before_.begin(), before_.end(), positions_[i]);
      all.push_back(static_cast<uint64_t>(after - before_.begin()) - 1);
    }
    return all;
  }
  std::vector<uint64_t> rows() && { return std::move(rows_); }

  std::unique_ptr<LocalState> local(uint64_t) const override { return std::make_unique<Rows>(); }
  void consume(uint64_t number, MorselReader& morsel, LocalState& local) const override {
    std::vector<uint64_t>& rows = static_cast<Rows&>(local).all;
    rows.clear();
    morsel.append_rows(rows);
    const uint64_t first = before_[number], last = before_[number + 1];
    if (rows.size() != last - first) bytes_.throw_changed("was written to while open");
    auto at = std::partition_point(order_.begin(), order_.end(),
                                   [&](uint64_t i) { return positions_[i] < first; });
    // Each position is in one morsel: no two threads write the same row.
    for (; at != order_.end() && positions_[*at] < last; ++at) {
      rows_[*at] = rows[positions_[*at] - first];
    }
  }
  void combine(uint64_t, LocalState&) override {}

 private:
  struct Rows final : LocalState {
    std::vector<uint64_t> all;
  };

  const ByteSource& bytes_;
  const std::span<const uint64_t> before_, positions_;
  std::vector<uint64_t> order_;
  mutable std::vector<uint64_t> rows_;
};

}  // namespace

uint64_t count(const Query& query, const Context& context) {
  const SelectedBy selected(query, {.call = "count"});
  if (!selected.where) return selected.range.rows();
  const Table& table = *selected.table;
  if (const auto* always = std::get_if<Always>(&bound_of(*selected.where))) {
    const uint64_t rows = always->is_true ? selected.range.rows() : 0;
    if (query.metrics != nullptr) query.metrics->rows_selected += rows;
    return rows;
  }
  if (selected.is_whole()) check_whole_read(table, selected.where->columns(), context);
  return unless_changed(bytes_of(table), [&] {
    const Input input(selected, context);
    CountsSink sink;
    run(input, sink, context);
    table.check_unchanged();
    return std::move(sink).sums().back();
  });
}

Selection::~Selection() = default;
Selection::Selection(Selection&&) noexcept = default;
Selection& Selection::operator=(Selection&&) noexcept = default;

Selection::Selection(const Query& query, const Context& context) {
  const SelectedBy selected(query, {.call = "a selection"});
  const Table& table = *selected.table;
  if (selected.where && selected.is_whole()) {
    check_whole_read(table, selected.where->columns(), context);
  }
  unless_changed(bytes_of(table), [&] {
    input_ = std::make_unique<const Input>(selected, context);
    CountsSink sink;
    run(*input_, sink, context);
    table.check_unchanged();
    before_ = std::move(sink).sums();
  });
}

std::vector<uint64_t> Selection::rows(std::span<const uint64_t> positions,
                                      const Context& context) const {
  const ByteSource& bytes = bytes_of(*input_->table());
  const auto most = std::max_element(positions.begin(), positions.end());
  if (most != positions.end() && *most >= size()) {
    fail_no_such(bytes.name(), "position", *most, "the selected rows", size());
  }
  SkippedRows counted;  // by the first pass
  SkippedRows* const skipped = input_->skip_damaged() == nullptr ? nullptr : &counted;
  PositionsSink sink(bytes, before_, positions);
  unless_changed(bytes, [&] {
    const std::vector<uint64_t> morsels = sink.morsels();
    if (morsels.empty()) return;
    for (Run some(*input_, sink, context, morsels, skipped); !some.done();) some.next();
    bytes.check_unchanged();
  });
  return std::move(sink).rows();
}

}  // namespace heron::inline v0

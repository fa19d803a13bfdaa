// Adds 16 packed rows at a time, one for each lane of sum_order.h, to 16 accumulators, whatever the
// number of columns.
#include "aggregate/aggregate_rows.h"

#include <algorithm>
#include <limits>

#include "aggregate/functions/bools.h"
#include "aggregate/functions/column_totals.h"
#include "columns/row_layout.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

template <class T>
using StateOfRows = std::conditional_t<std::is_same_v<T, bool>, BoolStates, ColumnTotals<T>>;

// Finds the minimum and the maximum of consecutive packed rows, one row of results each.
template <class T>
struct ExtremesOfRows {
  HERON_INLINE static void run(const std::byte* rows, uint64_t count, uint64_t row_cells,
                               T* row_low, T* row_high) {
    T* __restrict low = row_low;
    T* __restrict high = row_high;
    for (uint64_t row = 0; row < count; ++row) {
      for (uint64_t i = 0; i < row_cells; ++i) {
        const T value = load_cell<T>(rows, i);
        low[i] = value < low[i] ? value : low[i];
        high[i] = value > high[i] ? value : high[i];
      }
      rows += row_cells * sizeof(T);
    }
  }
};

template <class T>
class RowAggregator {
 public:
  RowAggregator(const RowLayout& layout, std::span<const uint64_t> columns,
                std::span<AggregateState* const> states, Arena& arena, const Context& context)
      : states_(states),
        reader_(layout, columns, arena, context),
        room_(arena.allocate(reader_.rows_at_once() * reader_.row_bytes())),
        lanes_(kSumLanes * columns.size()),
        block_(columns.size()) {
    for (uint64_t c = 0; c < states.size(); ++c) has_extremes_ |= state(c).wants_extremes();
    if (has_extremes_) {
      low_.resize(lanes_.size());
      high_.resize(lanes_.size());
    }
  }

  bool are_blocks(uint64_t first_row, uint64_t rows) const {
    for (uint64_t c = 0; c < states_.size(); ++c) {
      if (!state(c).are_blocks(first_row, rows)) return false;
    }
    return true;
  }
  void add(RowRange rows) {
    for (; rows.first < rows.last; rows.first += std::min(rows.rows(), kSumBlockRows)) {
      add_block({rows.first, rows.first + std::min(rows.rows(), kSumBlockRows)});
    }
  }

 private:
  using Limits = std::numeric_limits<T>;
  static constexpr bool kFloat = std::is_floating_point_v<T>;

  StateOfRows<T>& state(uint64_t c) const { return static_cast<StateOfRows<T>&>(*states_[c]); }

  void add_block(RowRange rows) {
    const uint64_t block_rows = rows.rows(), columns = block_.size();
    std::fill(lanes_.begin(), lanes_.end(), 0);
    std::fill(block_.begin(), block_.end(), 0);
    std::fill(low_.begin(), low_.end(), kFloat ? Limits::infinity() : Limits::max());
    std::fill(high_.begin(), high_.end(), kFloat ? -Limits::infinity() : Limits::lowest());
    const std::byte* rest = nullptr;  // rows that fill no lanes; only at the end of the block
    uint64_t rest_rows = 0;
    while (rows.first < rows.last) {
      const uint64_t count = std::min(rows.rows(), reader_.rows_at_once());
      const std::byte* cells = packed({rows.first, rows.first + count});
      rest_rows = count % kSumLanes;
      rest = cells + (count - rest_rows) * reader_.row_bytes();
      dispatch<AddRows<T>>(cells, count / kSumLanes, lanes_.size(), lanes_.data());
      add_extremes(cells, count / kSumLanes, lanes_.size());
      rows.first += count;
    }
    add_extremes(rest, rest_rows, columns);
    for (uint64_t i = 0; i < lanes_.size(); ++i) block_[i % columns] += lanes_[i];
    dispatch<AddRows<T>>(rest, rest_rows, columns, block_.data());
    for (uint64_t c = 0; c < columns; ++c) {
      state(c).add_block(block_rows, block_[c], extremes_of_column(c));
    }
  }
  void add_extremes(const std::byte* rows, uint64_t count, uint64_t row_cells) {
    if constexpr (!std::is_same_v<T, bool>) {
      if (!has_extremes_) return;
      dispatch<ExtremesOfRows<T>>(rows, count, row_cells, low_.data(), high_.data());
    }
  }
  CellExtremes<T> extremes_of_column(uint64_t c) const {
    if (!has_extremes_) return {};
    CellExtremes<T> all{low_[c], high_[c]};
    for (uint64_t i = c; i < low_.size(); i += block_.size()) {
      all.low = std::min<T>(all.low, low_[i]);
      all.high = std::max<T>(all.high, high_[i]);
    }
    return all;
  }

  const std::byte* packed(RowRange rows) {
    const RowReader::Rows fetched = reader_.fetch(rows, room_);
    if (fetched.stride == reader_.row_bytes()) return fetched.cells;
    reader_.pack(rows, room_);
    return room_;
  }

  const std::span<AggregateState* const> states_;
  const RowReader reader_;
  std::byte* const room_;
  std::vector<SumOfBlock<T>> lanes_;  // a row of sums for each lane
  std::vector<SumOfBlock<T>> block_;
  bool has_extremes_ = false;
  std::vector<T> low_, high_;  // a row for each lane
};

}  // namespace

bool aggregate_by_row(MorselReader& morsel, std::span<const uint64_t> columns,
                      std::span<AggregateState* const> states) {
  if (morsel.skipped() != nullptr || morsel.selected()) {
    return false;
  }
  const Input::Position position = morsel.position(columns.front());
  const RowLayout* layout = internals(*position.table).row_layout();
  if (layout == nullptr) return false;
  const auto add = [&]<class T>() {
    morsel.arena().reset();
    RowAggregator<T> rows(*layout, columns, states, morsel.arena(), morsel.context());
    const uint64_t count = morsel.morsel().rows.rows();
    if (!rows.are_blocks(morsel.morsel().first_row, count)) return false;
    rows.add({position.first_row, position.first_row + count});
    morsel.add_bytes_selected(count * columns.size() * layout->width());
    return true;
  };
  if (layout->type.is(Type::Bool)) return add.template operator()<bool>();
  return visit_cell_type(layout->type, add);
}

}  // namespace heron::inline v0

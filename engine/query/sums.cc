// The sums of many columns. Where they lie side by side the table is read once: 16 packed rows, one
// for each lane, are added to as many accumulators in one go, whatever the number of columns.
#include "heron/stats.h"
#include "query/batch.h"
#include "query/sum_order.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// What the cells of a block are added up in: of small integers, 32 bits hold them.
template <class T>
using SumOf =
    std::conditional_t<std::is_floating_point_v<T>, double,
                       std::conditional_t<sizeof(T) <= 2, int32_t,
                                          std::conditional_t<sizeof(T) == 4, int64_t, Int128>>>;

// Adds rows that lie one behind the other to one row of sums.
template <class T>
struct AddRows {
  HERON_INLINE static void run(const std::byte* rows, uint64_t count, uint64_t row_cells,
                               SumOf<T>* row_of_sums) {
    SumOf<T>* __restrict sums = row_of_sums;
    for (uint64_t row = 0; row < count; ++row) {
      for (uint64_t i = 0; i < row_cells; ++i) sums[i] += load_cell_as<T, SumOf<T>>(rows, i);
      rows += row_cells * sizeof(T);
    }
  }
};

template <class T>
class RowSummer {
 public:
  RowSummer(const Projection& columns, const RowLayout& layout, const Context& context)
      : rows_(columns.table()->rows()),
        context_(context),
        arena_(context.memory),
        reader_(layout, columns.indices(), arena_, context),
        room_(arena_.allocate(std::min(rows_, reader_.rows_at_once()) * reader_.row_bytes())),
        lanes_(kSumLanes * columns.size()),
        block_(columns.size()),
        totals_(columns.size()) {}

  std::vector<double> run() {
    for (uint64_t first = 0; first < rows_; first += kSumBlockRows) {
      context_.step(first, rows_);
      add_block({first, first + std::min(rows_ - first, kSumBlockRows)});
    }
    return {totals_.begin(), totals_.end()};
  }

 private:
  void add_block(RowRange rows) {
    std::fill(lanes_.begin(), lanes_.end(), 0);
    std::fill(block_.begin(), block_.end(), 0);
    const std::byte* rest = nullptr;  // what fills no lanes; only at the end of the block
    uint64_t rest_rows = 0;
    while (rows.first < rows.last) {
      const uint64_t count = std::min(rows.rows(), reader_.rows_at_once());
      const std::byte* cells = packed({rows.first, rows.first + count});
      dispatch<AddRows<T>>(cells, count / kSumLanes, lanes_.size(), lanes_.data());
      rest_rows = count % kSumLanes;
      rest = cells + (count - rest_rows) * reader_.row_bytes();
      rows.first += count;
    }
    for (uint64_t i = 0; i < lanes_.size(); ++i) block_[i % block_.size()] += lanes_[i];
    dispatch<AddRows<T>>(rest, rest_rows, block_.size(), block_.data());
    for (uint64_t c = 0; c < block_.size(); ++c) totals_[c] += block_[c];
  }

  const std::byte* packed(RowRange rows) {
    const RowReader::Rows fetched = reader_.fetch(rows, room_);
    if (fetched.stride == reader_.row_bytes()) return fetched.cells;
    reader_.pack(rows, room_);
    return room_;
  }

  const uint64_t rows_;
  const Context& context_;
  Arena arena_;
  const RowReader reader_;
  std::byte* const room_;
  std::vector<SumOf<T>> lanes_;  // a row of sums for each
  std::vector<SumOf<T>> block_;
  std::vector<std::conditional_t<std::is_floating_point_v<T>, double, Int128>> totals_;
};

std::vector<double> sums_by_row(const Projection& columns, const RowLayout& layout,
                                const Context& context) {
  if (layout.type.is(Type::Bool)) return RowSummer<bool>(columns, layout, context).run();
  return visit_cell_type(layout.type,
                         [&]<class T>() { return RowSummer<T>(columns, layout, context).run(); });
}

}  // namespace

std::vector<double> sums(const Projection& columns, const Context& context) {
  for (uint64_t i = 0; i < columns.size(); ++i) check_summable(columns, i);
  std::vector<double> all;
  if (const RowLayout* layout = row_layout(columns)) {
    all = sums_by_row(columns, *layout, context);
    columns.table()->bytes()->check_unchanged();
  } else {
    for (uint64_t i = 0; i < columns.size(); ++i) all.push_back(sum(columns, i, context));
  }
  return all;
}

}  // namespace heron::inline v0

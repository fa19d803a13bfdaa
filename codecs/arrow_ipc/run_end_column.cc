#include "arrow_ipc/run_end_column.h"

#include <algorithm>

#include "base/fail.h"
#include "values/assemble.h"
#include "values/cells.h"

namespace heron::inline v0::arrow_ipc {

// Runs behind the last row, as a slice has them, become empty.
std::vector<uint64_t> RunEndColumn::starts() const {
  Arena arena;
  const Values ends = ends_->read({0, ends_->rows()}, arena, {});
  std::vector<uint64_t> starts = {0};
  starts.reserve(ends.rows + 1);
  int64_t before = 0;
  visit_integer_type(ends.type, [&]<class Cell>() {
    for (uint64_t run = 0; run < ends.rows; ++run) {
      const auto end = static_cast<int64_t>(cell_of<Cell>(ends, run));
      if (end <= before) {
        fail(ErrorKind::Corrupt, file_.name(), "column \"", name(), "\" run ", run,
             ": expected an end above ", before, ", got ", end);
      }
      before = end;
      starts.push_back(std::min(static_cast<uint64_t>(end), rows()));
    }
  });
  if (starts.back() != rows()) {
    fail(ErrorKind::Corrupt, file_.name(), "column \"", name(), "\": expected runs of ", rows(),
         " rows together, got ", starts.back());
  }
  return starts;
}

Values RunEndColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  if (rows.rows() == 0) return concatenate(type(), {}, arena);
  const uint64_t first = runs_.run_of(rows.first), last = runs_.run_of(rows.last - 1);
  const Values values = values_->read({first, last + 1}, arena, context);
  auto* indices = arena.allocate_array<uint32_t>(rows.rows());
  for (uint64_t run = first; run <= last; ++run) {
    const RowRange covered = runs_[run];
    std::fill(indices + (std::max(covered.first, rows.first) - rows.first),
              indices + (std::min(covered.last, rows.last) - rows.first),
              static_cast<uint32_t>(run - first));
  }
  return pick(values, {indices, rows.rows()}, arena);
}

Values RunEndColumn::take(std::span<const uint64_t> rows, Arena& arena,
                          const Context& context) const {
  auto* runs = arena.allocate_array<uint64_t>(rows.size());
  std::transform(rows.begin(), rows.end(), runs, [&](uint64_t row) { return runs_.run_of(row); });
  return values_->take({runs, rows.size()}, arena, context);
}

}  // namespace heron::inline v0::arrow_ipc

#include "sort/ordered_batches.h"

#include <algorithm>
#include <utility>

#include "base/arena.h"
#include "columns/column.h"
#include "exec/skip_damaged.h"
#include "heron/take.h"
#include "rows/batch.h"
#include "table/internals.h"
#include "values/assemble.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kWindowBytes = uint64_t{64} << 20;
constexpr uint64_t kMaxWindowRows = uint64_t{1} << 24;
constexpr uint64_t kFirstBatches = 16;  // in the first window, when value sizes are unknown
constexpr uint64_t kGrowth = 8;

bool must_decode(const Projection& columns) {
  return bytes_of(columns).base() == nullptr ||
         std::ranges::any_of(internals(columns).columns(), [](const Column* column) {
           return blocks_behind(*column) != nullptr;
         });
}

}  // namespace

OrderedBatches::OrderedBatches(Projection columns, const Query& query, const Context& context)
    : columns_(std::move(columns)),
      skipped_(query.skip_damaged),
      context_(context),
      order_(query, context),
      is_decoded_(must_decode(columns_)) {}

bool OrderedBatches::next(uint64_t count, RowBatch& batch) {
  for (;;) {
    context_.step(done_, rows());
    if (picked_ < window_.size()) {
      pick_rows(count, batch);
    } else if (done_ == rows()) {
      numbers_.clear();
      return false;
    } else if (is_decoded_) {
      read_window(count);
      continue;
    } else {
      order_.next(count, numbers_);
      done_ += numbers_.size();
      take_readable(columns_, numbers_, batch, skipped_, context_);
    }
    if (!numbers_.empty()) return true;
  }
}

// Reads the next window. Windows grow as far as the memory of the last one allows.
void OrderedBatches::read_window(uint64_t least_rows) {
  window_rows_ =
      window_rows_ == 0 ? kFirstBatches * std::min(least_rows, kMaxWindowRows) : window_rows_;
  order_.next(std::max(window_rows_, least_rows), window_);
  picked_ = 0;
  held_rows_ = window_;
  std::ranges::sort(held_rows_);
  take_readable(columns_, held_rows_, held_, skipped_, context_);

  const uint64_t budget = context_.memory == nullptr
                              ? kWindowBytes
                              : std::min(kWindowBytes, context_.memory->limit() / 8);
  const uint64_t row_bytes = held_.memory->held_bytes() / std::max<uint64_t>(window_.size(), 1) + 1;
  window_rows_ = std::min({kGrowth * window_rows_, budget / row_bytes, kMaxWindowRows});
}

void OrderedBatches::pick_rows(uint64_t count, RowBatch& batch) {
  std::vector<uint32_t> indices;
  numbers_.clear();
  for (; picked_ < window_.size() && numbers_.size() < count; ++picked_) {
    const uint64_t row = window_[picked_];
    ++done_;
    const auto held = std::ranges::lower_bound(held_rows_, row);
    if (held == held_rows_.end() || *held != row) continue;  // damaged
    indices.push_back(static_cast<uint32_t>(held - held_rows_.begin()));
    numbers_.push_back(row);
  }
  Arena& arena = begin_batch(batch, columns_, context_);
  arena.keep(held_.memory);  // the batch shares its key values
  for (const Values& values : held_.columns) batch.columns.push_back(pick(values, indices, arena));
  batch.rows = indices.size();
}

}  // namespace heron::inline v0

#include "sample/kept_rows.h"

#include <utility>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/mapped_cells.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMinRows = uint64_t{1} << 15;  // CPU caches hold the columns of fewer rows

}  // namespace

KeptRows::KeptRows() : impl_(std::make_shared<Impl>()) {}

uint64_t KeptRows::bytes() const noexcept {
  return impl_->rows == nullptr ? 0 : impl_->rows->bytes();
}

std::shared_ptr<const RowStore> KeptRows::Impl::found(const RowStore::Content& content) const {
  if (rows != nullptr && !rows->is_of(content)) {
    fail(ErrorKind::Argument, {}, "a loader: the rows kept are of other columns or types");
  }
  return rows;
}

// Keeps rows if Loaders read at least half as many in any order: reading these from columns takes
// as long as reading all rows in order.
bool KeptRows::Impl::begin(RowStore::Content content, uint64_t requested, uint64_t most_bytes,
                           const std::shared_ptr<MemoryBudget>& budget) {
  const uint64_t count = content.rows.rows();
  requested_ += requested;
  if (is_damaged_ || count < kMinRows || requested_ < count - count / 2) return false;
  auto store = std::make_shared<RowStore>(std::move(content), as_elements_);
  if (store->row_bytes() == 0 || count > most_bytes / store->row_bytes()) return false;
  if (budget != nullptr && store->bytes() > budget->limit() - budget->used()) return false;
  store->allocate(budget);
  filling_ = std::move(store);
  is_whole_ = true;
  return true;
}

void KeptRows::Impl::fill(RowRange some, const Context& context) {
  if (!is_whole_) return;
  try {
    filling_->fill(some, context);
  } catch (const Error& error) {
    is_whole_ = false;
    if (error.kind() != ErrorKind::Corrupt) throw;
    is_damaged_ = true;
  }
}

std::shared_ptr<const RowStore> KeptRows::Impl::finish() {
  const std::shared_ptr<const RowStore> store = std::exchange(filling_, nullptr);
  const std::vector<uint64_t> ambiguous = store->ambiguous();
  as_elements_.insert(as_elements_.end(), ambiguous.begin(), ambiguous.end());
  if (is_whole_ && ambiguous.empty()) rows = store;
  return rows;
}

}  // namespace heron::inline v0

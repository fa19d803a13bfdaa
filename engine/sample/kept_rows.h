// The state of KeptRows: rows in memory, or rows that are being read into memory.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "heron/loader.h"
#include "sample/row_store.h"

namespace heron::inline v0 {

struct KeptRows::Impl {
  // Returns the rows that an earlier Loader kept, or null. Throws Error(Argument) if their content
  // differs from `content`.
  std::shared_ptr<const RowStore> found(const RowStore::Content& content) const;
  // Decides whether to read all rows into memory, for a Loader that will read `requested` rows and
  // has `most_bytes` left for them. Returns false if that is slower, or if the rows do not fit.
  bool begin(RowStore::Content content, uint64_t requested, uint64_t most_bytes,
             const std::shared_ptr<MemoryBudget>& budget);
  // Reads `some` of the rows into memory. Thread-safe for different rows. If rows are damaged, none
  // are kept, and the chunk that reads them reports the damage.
  void fill(RowRange some, const Context& context);
  // Returns the rows, or null if they cannot be kept. Call it after the last fill().
  std::shared_ptr<const RowStore> finish();

  std::shared_ptr<const RowStore> rows;  // null until all are read

 private:
  uint64_t requested_ = 0;             // rows that Loaders have requested so far
  std::shared_ptr<RowStore> filling_;  // becomes `rows` once filled
  std::vector<uint64_t> as_elements_;  // columns whose cells cannot say what is null
  std::atomic<bool> is_whole_{true};
  std::atomic<bool> is_damaged_{false};
};

}  // namespace heron::inline v0

// What KeptRows holds: rows in memory, or how they get there.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "heron/loader.h"
#include "sample/row_store.h"

namespace heron::inline v0 {

struct KeptRows::Impl {
  // The rows of an earlier Loader; null: there are none. Throws Error(Argument) if they are others.
  std::shared_ptr<const RowStore> found(const RowStore::Content& content) const;
  // Decides whether to read all rows into memory, for a Loader that is to read `asked` rows and has
  // `most_bytes` left for them. Returns false if it is not worth it, or they do not fit.
  bool begin(RowStore::Content content, uint64_t asked, uint64_t most_bytes,
             const std::shared_ptr<MemoryBudget>& budget);
  // Reads some of them. Thread-safe for different rows. Damage is left to the chunk that has it:
  // then no rows are kept.
  void fill(RowRange some, const Context& context);
  // After the last fill(): the rows, or null if they cannot be kept.
  std::shared_ptr<const RowStore> finish();

  std::shared_ptr<const RowStore> rows;  // all read

 private:
  uint64_t asked_ = 0;                 // how many rows Loaders were to read until now
  std::shared_ptr<RowStore> filling_;  // to become `rows`
  std::vector<uint64_t> as_elements_;  // columns whose cells cannot say what is null
  std::atomic<bool> is_whole_{true};
  std::atomic<bool> is_damaged_{false};
};

}  // namespace heron::inline v0

// A sorted run in memory. Batches are copied and not moved; the sort orders a list of rows with the
// first bytes of their keys.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "convert/sort_run.h"
#include "values/assemble.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {

// First filled by one thread, then sorted, then read.
class SortPiece final : public SortRun {
 public:
  explicit SortPiece(const Schema& schema) : schema_(schema) {}

  // Copies the rows.
  void add(const RowBatch& batch, SortKeys keys);
  // Memory of the rows, their keys and the list.
  uint64_t bytes() const noexcept { return bytes_ + rows_ * sizeof(Entry); }
  // Sorts on the Context's threads. Returns a key that several rows have, if any.
  std::optional<std::string_view> sort(const Context& context);
  // Drops all rows and keeps the memory.
  void clear();

  uint64_t rows() const noexcept override { return rows_; }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns, uint64_t batch_rows,
                                  const Context& context) const override;

 private:
  struct Entry {
    uint64_t prefix;  // of the key's bytes after the common prefix, big-endian
    PieceRow place;
  };
  class Stream;

  std::string_view key(const Entry& entry) const noexcept {
    return keys_[entry.place.piece][entry.place.row];
  }
  uint64_t shared_key_bytes() const noexcept;

  const Schema& schema_;
  Arena arena_;
  std::vector<RowBatch> batches_;
  std::vector<SortKeys> keys_;  // of each batch
  std::vector<Entry> entries_;  // after sort()
  uint64_t rows_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace heron::inline v0

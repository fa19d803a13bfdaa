// Rows that are sorted in memory. Batches are copied and stay where they are; what is sorted is a
// list of rows with the first bytes of their keys.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "columns/assemble.h"
#include "columns/sort_keys.h"
#include "convert/sort_run.h"

namespace heron::inline v0 {

// Filled by one thread, then sorted, then read.
class SortPiece final : public SortRun {
 public:
  explicit SortPiece(const Schema& schema) : schema_(schema) {}

  // Copies the rows.
  void add(const RowBatch& batch, SortKeys keys);
  // Of the rows, their keys and the list.
  uint64_t bytes() const noexcept { return bytes_ + rows_ * sizeof(Entry); }
  // On the Context's threads. A key that more than one row has, if there is any.
  std::optional<std::string_view> sort(const Context& context);
  // Forgets all rows and keeps the memory for the next.
  void clear();

  uint64_t rows() const noexcept override { return rows_; }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns, uint64_t batch_rows,
                                  const Context& context) const override;

 private:
  struct Entry {
    uint64_t prefix;  // of the key's bytes behind those that all keys share, the first the highest
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

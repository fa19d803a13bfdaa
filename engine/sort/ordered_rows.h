// The rows of a query in its order, in batches.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "heron/query.h"
#include "sort/key_runs.h"

namespace heron::inline v0 {

// Row numbers as ordered_rows() gives them. The constructor reads the columns of the order and
// throws as ordered_rows() does; keys beyond `key_bytes`, or a quarter of the Context's budget, are
// spilled in sorted runs, which next() merges. One thread at a time.
class OrderedRows {
 public:
  static constexpr uint64_t kKeyBytes = uint64_t{256} << 20;

  OrderedRows(const Query& query, const Context& context, uint64_t key_bytes = kKeyBytes);

  uint64_t size() const noexcept { return size_; }
  bool has_spilled() const noexcept { return merge_.has_value(); }
  // Sets `rows` to the next `count` rows; fewer at the end.
  void next(uint64_t count, std::vector<uint64_t>& rows);

 private:
  std::vector<uint64_t> rows_;  // if nothing was spilled
  std::unique_ptr<KeyRuns> runs_;
  std::optional<KeyMerge> merge_;
  uint64_t size_ = 0;
  uint64_t given_ = 0;
};

}  // namespace heron::inline v0

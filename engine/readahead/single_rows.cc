#include "readahead/single_rows.h"

#include "readahead/readahead.h"

namespace heron::inline v0 {

// Samples few rows: a system call for each is expensive beside opening a file.
std::optional<SingleRows> SingleRows::of(const Projection& columns, const Context& context) {
  constexpr uint64_t kMinimum = uint64_t{1} << 20, kLargeFile = uint64_t{512} << 20;
  constexpr uint64_t kBytesOfARow = uint64_t{512} << 10;  // read in order in the time of a cold row
  const ByteSource& bytes = bytes_of(columns);
  const std::span<const Column* const> all = internals(columns).columns();
  const uint64_t rows = columns.table()->rows();
  if (rows == 0 || all.empty() || !bytes.may_be_cold(kMinimum)) return std::nullopt;
  const uint64_t looks = bytes.size() < kLargeFile ? 1 : 3;
  const bool is_cold = unless_changed(bytes, [&] {
    Prefetch sample;
    for (uint64_t i = 1; i <= looks; ++i) {
      const uint64_t row = (rows - 1) / (looks + 1) * i;
      all[all.size() * i / (looks + 1)]->locate({{&row, 1}, {}}, 0, sample, {});
    }
    Coldness own;
    return !sample.empty() && sample.any_cold(&own);
  });
  if (!is_cold) return std::nullopt;
  const bool is_said_to_be = bytes.may_be_cold(UINT64_MAX);
  const bool has_readahead = bytes.base() != nullptr && bytes.size() < kLargeFile;
  return SingleRows(
      context, has_readahead && !is_said_to_be ? bytes.size() / kBytesOfARow + 1 : UINT64_MAX);
}

// Neighbouring rows are left to the system's readahead.
bool SingleRows::before(const Projection& columns, uint64_t row) {
  constexpr uint64_t kNear = 64, kWarmRows = 256;
  const bool is_near = row - last_row_ <= kNear;
  last_row_ = row;
  if (is_near) return true;
  RowsAhead pages(ColumnsToRead(bytes_of(columns), internals(columns).columns()),
                  {{&row, 1}, {}}, context_);
  warm_rows_ = pages.prefetches() ? 0 : warm_rows_ + 1;
  --rows_left_;
  pages.before(0);
  return warm_rows_ != kWarmRows && rows_left_ != 0;
}

}  // namespace heron::inline v0

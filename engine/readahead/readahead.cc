#include "readahead/readahead.h"

#include <algorithm>
#include <utility>

#include "cache/block_column.h"

namespace heron::inline v0 {
namespace {

// Bytes of pages that RowsAhead prefetches together, and that wait in memory until their column is
// read.
constexpr uint64_t kMaxBytes = uint64_t{128} << 20;
// Columns that may share pages, as those of a text file do, are prefetched together, up to this
// many ranges, or columns of consecutive rows, so that each page is requested once.
constexpr uint64_t kRangesTogether = uint64_t{1} << 14, kColumnsTogether = 8;
// Consecutive rows that exceed this are read by the kernel's readahead or, in a scan, by Readahead:
// a caller that gets them in place may not touch them all.
constexpr uint64_t kMaxRowsInRange = uint64_t{1} << 18;

}  // namespace

uint64_t bytes_of_a_row(std::span<const Column* const> columns) {
  constexpr uint64_t kVaryingBytes = 16;
  uint64_t bytes = 1;
  for (const Column* column : columns) {
    bytes += std::max<uint64_t>(column->type().width(), 1);
    if (column->type().has_bytes() || column->type().is_nested()) bytes += kVaryingBytes;
  }
  return bytes;
}

uint64_t most_block_rows(std::span<const Column* const> columns) {
  uint64_t rows = 1;
  for (const Column* column : columns) {
    const BlockColumn* blocks = blocks_behind(*column);
    if (blocks != nullptr) rows = std::max(rows, blocks->block_rows());
  }
  return rows;
}

uint64_t rows_of_a_step(std::span<const Column* const> columns) {
  constexpr uint64_t kStepBytes = uint64_t{1} << 20, kMaxRows = 65536, kMinRows = 1024;
  const uint64_t rows = std::clamp(kStepBytes / bytes_of_a_row(columns), kMinRows, kMaxRows);
  const uint64_t block_rows = most_block_rows(columns);
  return (rows + block_rows - 1) / block_rows * block_rows;
}

void ColumnsToRead::locate(const RowsToRead& rows, unsigned round, Prefetch& pages,
                           const Context& context) const {
  if (layout == nullptr) {
    for (const Column* column : columns) column->locate(rows, round, pages, context);
  } else if (round == 0) {
    locate_rows(*layout, indices, rows, pages);
  }
}

// A range of neighbouring items that are read, and the items prefetched behind them.
class Readahead::Range {
 public:
  explicit Range(Readahead& all) : all_(all) {}

  void reach(uint64_t item, uint64_t end) {
    const ByteSource& source = all_.source_;
    at_ = item;
    if (!coldness_.may_be_cold()) return;
    const bool is_first = std::exchange(is_first_, false);
    if (is_first && !source.may_be_cold()) return void(coldness_.sampled(false));
    forget_before(item);
    std::optional<ScatteredReads> scattered;
    const uint64_t last = item + std::min(end - item, kMaxItems);
    for (next_ = std::max(next_, item); next_ < last && ahead_ < all_.window_bytes_; ++next_) {
      Prefetch pages;
      all_.locate_(next_, 0U, pages);
      if (!pages.empty() && !pages.any_cold(is_first ? nullptr : &coldness_)) {
        if (is_first) coldness_.sampled(false);
        break;
      }
      const bool is_far = next_ > item;
      uint64_t requested = pages.start(is_far);
      // Locates the bytes to which the item before refers: its own bytes were requested earlier,
      // but the kernel's threads may not even have begun to read them.
      if (!scattered) scattered.emplace(source);
      if (is_far) all_.locate_(next_ - 1, 1U, pages);
      requested += pages.start(is_far && next_ - 1 > item);
      ahead_ += requested;
      prefetched_.push_back({next_, requested});
    }
    // Pages that arrive after the reader has passed would not leave memory any more.
    if (!is_cold()) {
      spared_.reset();
    } else if (source.releases() && !spared_) {
      spared_.emplace(source);
    }
  }

  // Returns whether the item reached last, or one after it, was cold.
  bool is_cold() const noexcept { return ahead_ != 0; }
  bool is_near(uint64_t item) const noexcept {
    return item < at_ ? at_ - item <= kNear : item <= std::max(next_, at_) + kNear;
  }

 private:
  static constexpr uint64_t kMaxItems = 256;  // pruned items cost no bytes
  static constexpr uint64_t kBehind = 4;
  static constexpr uint64_t kNear = 8;  // distance of threads that share items
  struct PrefetchedItem {
    uint64_t item;
    uint64_t bytes;
  };

  void forget_before(uint64_t item) {
    for (; !prefetched_.empty() && prefetched_.front().item < item; prefetched_.pop_front()) {
      ahead_ -= prefetched_.front().bytes;
      if (all_.source_.releases()) read_.push_back(prefetched_.front().item);
    }
    for (; !read_.empty() && read_.front() + kBehind < item; read_.pop_front()) {
      Prefetch pages;
      for (const unsigned round : {0U, 1U}) all_.locate_(read_.front(), round, pages);
      pages.release();
    }
  }

  Readahead& all_;
  std::optional<ScatteredReads> spared_;
  Coldness coldness_;          // coldness of the next items
  std::deque<PrefetchedItem> prefetched_;  // prefetched items, not yet read
  uint64_t ahead_ = 0;                     // bytes of prefetched_
  std::deque<uint64_t> read_;  // items not yet released: other threads may still read them
  uint64_t at_ = 0;            // the item reached last
  bool is_first_ = true;       // until the first reach(): then the source's own coldness decides
  uint64_t next_ = 0;          // the first item not yet prefetched
};

Readahead::Readahead(const ByteSource& source, Locate locate, uint64_t window_bytes)
    : source_(source), locate_(std::move(locate)), window_bytes_(window_bytes) {}

Readahead::~Readahead() = default;

void Readahead::prefetch_from(uint64_t item, uint64_t end) {
  constexpr uint64_t kMaxRanges = 64;
  constexpr uint32_t kRemembered = 64;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  auto range = std::ranges::find_if(ranges_, [&](const Range& one) { return one.is_near(item); });
  if (range == ranges_.end()) {
    if (ranges_.size() == kMaxRanges) ranges_.pop_front();
    range = ranges_.emplace(range, *this);
  }
  unless_changed(source_, [&] { range->reach(item, end); });
  if (range->is_cold()) {
    cold_items_.store(kRemembered, std::memory_order_relaxed);
  } else if (const uint32_t left = cold_items_.load(std::memory_order_relaxed); left != 0) {
    cold_items_.store(left - 1, std::memory_order_relaxed);
  }
}

RowsAhead::RowsAhead(const ColumnsToRead& columns, const RowsToRead& rows, const Context& context,
                     ItemOf item)
    : columns_(columns), rows_(rows), context_(context) {
  if (columns.columns.empty() || rows.size() == 0) return;
  if (columns.layout == nullptr && context.threads != 1) {
    blocks_.emplace(columns.columns, rows, context);
  }
  const bool is_cold = item.readahead != nullptr && item.readahead->is_cold();
  prefetches_ = !item.is_prefetched && (is_cold || (columns.bytes.may_be_cold() && found_cold()));
  if ((prefetches_ || is_cold) && !rows.list.empty()) scattered_.emplace(columns.bytes);
}

void RowsAhead::locate(uint64_t i, const RowsToRead& rows, unsigned round, Prefetch& pages) const {
  if (columns_.layout != nullptr) return columns_.locate(rows, round, pages, context_);
  columns_.columns[i]->locate(rows, round, pages, context_);
}

// Samples the cells of some rows, each in another column or part of a column. If these are warm,
// samples the bytes that they point to: the offsets of texts may be in memory when the characters
// are not. Returns nullopt if none of the rows needs a page.
std::optional<bool> RowsAhead::sampled_cold(uint64_t samples, Coldness* own) const {
  std::optional<bool> found;
  for (const unsigned round : {0U, 1U}) {
    Prefetch sample;
    for (uint64_t k = 0; k < samples; ++k) {
      const uint64_t row = rows_[k * rows_.size() / samples];
      locate(k * columns_.columns.size() / samples, {{&row, 1}, {}}, round, sample);
    }
    if (sample.empty()) continue;
    found = sample.any_cold(own, samples);
    if (*found) break;
  }
  return found;
}

// Pages count as cold for some samples after one was. Prefetching all pages of many warm cells
// takes many times as long as reading them, so these are sampled more closely: the cold pages that
// this misses are too few to be worth prefetching.
bool RowsAhead::found_cold() const {
  constexpr uint64_t kFirstLook = 8, kCellsALook = 256, kMaximum = 1024;
  if (rows_.list.empty() && rows_.range.rows() > kMaxRowsInRange) return false;
  const std::optional<bool> found = sampled_cold(kFirstLook, nullptr);
  // No rows need pages, because their blocks are decoded: the next sample is then taken as late as
  // after a warm page.
  if (!found) return any_cold_of_none(columns_.bytes);
  const uint64_t cells = rows_.list.size() * columns_.columns.size();
  const uint64_t looks = std::min(kMaximum, cells / kCellsALook);
  if (!*found || looks <= 4 * kFirstLook) return *found;
  Coldness own;
  return sampled_cold(looks, &own).value_or(false);
}

void RowsAhead::prefetch_from(uint64_t i) {
  const uint64_t last = columns_.columns.size();
  const uint64_t end = columns_.layout == nullptr ? last : i + 1;
  const uint64_t together = rows_.list.empty()
                                ? kColumnsTogether
                                : std::max<uint64_t>(1, kRangesTogether / rows_.list.size());
  uint64_t requested = 0;
  for (next_ = i; next_ < end && (next_ == i || requested < kMaxBytes);) {
    Prefetch pages;
    for (const uint64_t some_end = std::min(end, next_ + together); next_ < some_end; ++next_) {
      locate(next_, rows_, 0, pages);
    }
    requested += pages.start();
  }
  const uint64_t group_end = next_;
  for (unsigned round = 1;; ++round) {
    Prefetch pages;
    for (uint64_t k = i; k < group_end; ++k) locate(k, rows_, round, pages);
    if (pages.empty()) break;
    requested += pages.start();
  }
  if (columns_.layout != nullptr) next_ = last;
}

}  // namespace heron::inline v0

#include "view/shown_rows.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "heron/scan.h"
#include "heron/values.h"

namespace heron::cli {
namespace {

constexpr uint64_t kWindowRows = 65'536;
constexpr uint64_t kMaxStep = 16;

}  // namespace

ShownRows::ShownRows(const Query& query)
    : table_(query.table),
      where_(query.where.on(query.table)),
      order_(query.order),
      skipped_(query.skip_damaged) {}

// Returns the rows of the range that pass the predicate, ascending.
ShownRows::Rows ShownRows::passing(const Predicate& where, RowRange range,
                                   const Context& context) const {
  Context quiet = context;
  quiet.progress = nullptr;
  Query query(Projection(table_, std::initializer_list<uint64_t>{}), where);
  query.range = range;
  query.skip_damaged = skipped_;
  Rows rows;
  Scan scan(query, quiet, kWindowRows);
  for (RowBatch batch; scan.next(batch);) {
    rows.insert(rows.end(), scan.rows().begin(), scan.rows().end());
  }
  return rows;
}

uint64_t ShownRows::windows() const noexcept {
  return table_->rows() / kWindowRows + (table_->rows() % kWindowRows != 0);
}

uint64_t ShownRows::known() const noexcept {
  if (!order_.empty()) return sorted_ ? sorted_->size() : 0;
  return where_ ? before_.back() : table_->rows();
}

bool ShownRows::is_complete() const noexcept {
  if (!order_.empty()) return sorted_.has_value();
  return !where_ || found_windows() == windows();
}

uint64_t ShownRows::tested_rows() const noexcept {
  return is_complete() ? table_->rows() : found_windows() * kWindowRows;
}

void ShownRows::find(uint64_t count, const Context& context) {
  if (!order_.empty()) return sort(context);
  while (known() < count && !is_complete()) find_windows(found_windows() + step_, context);
}

// Filters windows until `count` of them are found.
void ShownRows::find_windows(uint64_t count, const Context& context) {
  count = std::min(count, windows());
  if (count <= found_windows()) return;
  const RowRange range{found_windows() * kWindowRows,
                       std::min(count * kWindowRows, table_->rows())};
  const Rows rows = passing(*where_, range, context);
  const uint64_t known_before = before_.back();
  before_.reserve(count + 1);  // all windows are added, or none
  for (uint64_t window = found_windows() + 1; window <= count; ++window) {
    const auto end = std::ranges::lower_bound(rows, window * kWindowRows);
    before_.push_back(known_before + static_cast<uint64_t>(end - rows.begin()));
  }
  step_ = std::min(2 * step_, kMaxStep);
  context.step(range.last, table_->rows());
}

// Returns the selected rows of a window that is found.
const ShownRows::Rows& ShownRows::selected(uint64_t window, const Context& context) {
  if (recent_[1].number == window) std::swap(recent_[0], recent_[1]);
  if (recent_[0].number == window) return recent_[0].rows;
  const uint64_t first = window * kWindowRows;
  Rows rows = passing(*where_, {first, std::min(first + kWindowRows, table_->rows())},
                           context);
  if (rows.size() != before_[window + 1] - before_[window]) {
    table_->check_unchanged();  // a change would explain other positions
    rows.resize(before_[window + 1] - before_[window], first);
  }
  std::swap(recent_[0], recent_[1]);
  recent_[0] = {window, std::move(rows)};
  return recent_[0].rows;
}

// Returns the window that has that known position.
uint64_t ShownRows::window_of(uint64_t position) const {
  const auto after = std::ranges::upper_bound(before_, position);
  return static_cast<uint64_t>(after - before_.begin()) - 1;
}

void ShownRows::sort(const Context& context) {
  if (sorted_) return;
  Query query(table_, where_);
  query.order = order_;
  query.skip_damaged = skipped_;
  charge_.emplace(context.memory);
  constexpr uint64_t kMaxRows = UINT64_MAX / sizeof(uint64_t);
  if (!where_) charge_->grow_to(std::min(table_->rows(), kMaxRows) * sizeof(uint64_t));
  Rows sorted = ordered_rows(query, context);
  charge_->grow_to(sorted.size() * sizeof(uint64_t));
  sorted_ = std::move(sorted);
}

std::vector<uint64_t> ShownRows::rows(uint64_t first, uint64_t count, const Context& context) {
  Rows all(count);
  if (!order_.empty()) {
    std::copy_n(sorted_->begin() + static_cast<ptrdiff_t>(first), count, all.begin());
    return all;
  }
  std::iota(all.begin(), all.end(), first);
  if (!where_) return all;
  for (uint64_t& position : all) {
    const uint64_t window = window_of(position);
    position = selected(window, context)[position - before_[window]];
  }
  return all;
}

std::optional<uint64_t> ShownRows::position_of(uint64_t row, const Context& context) {
  if (row >= table_->rows()) return std::nullopt;
  if (!order_.empty()) {
    sort(context);
    const auto found = std::ranges::find(*sorted_, row);
    if (found == sorted_->end()) return std::nullopt;
    return static_cast<uint64_t>(found - sorted_->begin());
  }
  if (!where_) return row;
  const uint64_t window = row / kWindowRows;
  while (found_windows() <= window) find_windows(found_windows() + step_, context);
  const Rows& rows = selected(window, context);
  const auto found = std::ranges::lower_bound(rows, row);
  const uint64_t position = before_[window] + static_cast<uint64_t>(found - rows.begin());
  find(position + 1, context);
  return position < known() ? std::optional(position) : std::nullopt;
}

// Returns the positions in some windows, ascending, whose rows pass the predicate.
std::vector<uint64_t> ShownRows::matching_positions(const Predicate& search, uint64_t window,
                                                    uint64_t count, const Context& context) {
  const uint64_t end = std::min((window + count) * kWindowRows, table_->rows());
  Rows found = passing(search, {window * kWindowRows, end}, context);
  if (!where_) return found;
  Rows positions;
  for (const uint64_t row : found) {
    const uint64_t in = row / kWindowRows;
    const Rows& rows = selected(in, context);
    const auto at = std::ranges::lower_bound(rows, row);
    if (at == rows.end() || *at != row) continue;
    positions.push_back(before_[in] + static_cast<uint64_t>(at - rows.begin()));
  }
  return positions;
}

void ShownRows::mark_matches(const Predicate& search, const Context& context) {
  if (marked_ == search.text() && !matches_.empty()) return;
  matches_.clear();
  charge_->grow_to(sorted_->size() * sizeof(uint64_t) + table_->rows() / 8);
  std::vector<bool> matches(table_->rows());
  for (uint64_t first = 0; first < table_->rows(); first += kMaxStep * kWindowRows) {
    const uint64_t end = std::min(first + kMaxStep * kWindowRows, table_->rows());
    for (const uint64_t row : passing(search, {first, end}, context)) {
      matches[row] = true;
    }
    context.step(end, table_->rows());
  }
  marked_ = search.text();
  matches_ = std::move(matches);
}

std::optional<uint64_t> ShownRows::next(const Predicate& search, uint64_t from,
                                        const Context& context) {
  if (!order_.empty()) {
    sort(context);
    mark_matches(search, context);
    for (; from < sorted_->size(); ++from) {
      if (matches_[(*sorted_)[from]]) return from;
    }
    return std::nullopt;
  }
  if (from >= known() && is_complete()) return std::nullopt;
  find(from + 1, context);
  if (from >= known()) return std::nullopt;
  uint64_t step = 1;
  for (uint64_t window = where_ ? window_of(from) : from / kWindowRows; window < windows();) {
    if (where_) find_windows(window + step, context);
    const Rows found = matching_positions(search, window, step, context);
    const auto first = std::ranges::lower_bound(found, from);
    if (first != found.end()) return *first;
    window += step;
    step = std::min(2 * step, kMaxStep);
    context.step(std::min(window * kWindowRows, table_->rows()), table_->rows());
  }
  return std::nullopt;
}

std::optional<uint64_t> ShownRows::previous(const Predicate& search, uint64_t before,
                                            const Context& context) {
  if (!order_.empty()) {
    sort(context);
    mark_matches(search, context);
    for (before = std::min<uint64_t>(before, sorted_->size()); before > 0; --before) {
      if (matches_[(*sorted_)[before - 1]]) return before - 1;
    }
    return std::nullopt;
  }
  before = std::min(before, known());
  if (before == 0) return std::nullopt;
  uint64_t step = 1;
  for (uint64_t end = (where_ ? window_of(before - 1) : (before - 1) / kWindowRows) + 1; end > 0;) {
    step = std::min(step, end);
    const Rows found = matching_positions(search, end - step, step, context);
    const auto after = std::ranges::lower_bound(found, before);
    if (after != found.begin()) return *(after - 1);
    end -= step;
    step = std::min(2 * step, kMaxStep);
    context.step(table_->rows() - end * kWindowRows, table_->rows());
  }
  return std::nullopt;
}

}  // namespace heron::cli

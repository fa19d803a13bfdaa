// EpochOrder: which rows take part in epochs. SAMPLING.md in this folder specifies every order.
#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "exec/resolved_query.h"
#include "heron/error.h"
#include "heron/sampler.h"
#include "heron/scan.h"
#include "sample/epoch_impl.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMaxBlocks = uint64_t{1} << 22;

RowRange clipped(RowRange rows, RowRange within) {
  const uint64_t first = std::clamp(rows.first, within.first, within.last);
  return {first, std::clamp(rows.last, first, within.last)};
}

}  // namespace

EpochOrder::Impl::Impl(const Query& query, const ShuffleOptions& options, const Context& context)
    : table(query.table), shuffle(options.shuffle), locality(options.locality) {
  check_use(query, {.call = "an epoch", .columns = true});
  const bool is_listed = query.where.is_set() || options.rows;
  if (is_listed && has_units()) {
    fail(ErrorKind::Argument, {},
         "epoch: where and a list of rows do not apply to blocks and "
         "groups, which take a range of rows");
  }
  if (locality == 0 || (locality > 1 && shuffle != Shuffle::Blocks)) {
    fail(ErrorKind::Argument, {}, "epoch: expected a locality of 1, or more for blocks, got ",
         locality);
  }
  range = query.range.value_or(RowRange{0, table->rows()});
  size = range.rows();
  if (is_listed) list_rows(query, options, context);
  if (shuffle == Shuffle::Blocks) find_blocks();
  if (shuffle == Shuffle::Groups) find_groups(query.range.has_value());
}

void EpochOrder::Impl::list_rows(const Query& query, const ShuffleOptions& options,
                                 const Context& context) {
  if (query.where.is_set()) {
    Query passing = query;
    passing.columns = std::vector<uint64_t>{};
    Scan scan(passing, context);
    for (RowBatch batch; scan.next(batch);) {
      rows.insert(rows.end(), scan.rows().begin(), scan.rows().end());
    }
  }
  if (options.rows) {
    const std::vector<uint64_t> passing = std::exchange(rows, {});
    for (const uint64_t row : *options.rows) {
      if (row >= table->rows()) {
        fail(ErrorKind::Argument, {}, "rows: expected numbers below ", table->rows(), ", got ",
             row);
      }
      if (query.where.is_set() ? std::ranges::binary_search(passing, row)
                               : range.first <= row && row < range.last) {
        rows.push_back(row);
      }
    }
  }
  rows.shrink_to_fit();
  size = rows.size();
}

void EpochOrder::Impl::find_blocks() {
  uint64_t last = size == 0 ? 0 : table->block_count();
  if (last > kMaxBlocks) {
    fail(ErrorKind::Limit, {}, "epoch: expected at most ", kMaxBlocks, " blocks, got ", last,
         " of ", table->rows(), " rows");
  }
  while (first_block < last && table->block(first_block).last <= range.first) ++first_block;
  while (first_block < last && table->block(last - 1).first >= range.last) --last;
  units = last - first_block;
}

void EpochOrder::Impl::find_groups(bool is_ranged) {
  units = table->group_count();
  if (units == 0) {
    fail(ErrorKind::Argument, {}, "table \"", table->name(), "\" has no groups of rows");
  }
  if (!is_ranged) return;
  for (uint64_t group = 0; group < units; ++group) {
    const RowRange whole = table->group(group), part = clipped(whole, range);
    if (part.rows() == 0) continue;
    if (part.rows() != whole.rows()) {
      fail(ErrorKind::Argument, {}, "epoch: expected whole groups, got rows ", range.first, " to ",
           range.last);
    }
    groups.push_back(group);
  }
  units = groups.size();
}

RowRange EpochOrder::Impl::unit_rows(uint64_t unit) const {
  if (shuffle == Shuffle::Blocks) return clipped(table->block(first_block + unit), range);
  return table->group(groups.empty() ? unit : groups[unit]);
}

void EpochOrder::Impl::replace_by_rows(std::span<uint64_t> numbers) const {
  if (!rows.empty()) {
    for (uint64_t& number : numbers) number = rows[number];
  } else if (range.first != 0) {
    for (uint64_t& number : numbers) number += range.first;
  }
}

EpochOrder::EpochOrder(const Query& query, const ShuffleOptions& options, const Context& context)
    : impl_(std::make_shared<const Impl>(query, options, context)) {}

EpochOrder::EpochOrder(uint64_t rows) : impl_(std::make_shared<const Impl>(rows)) {}

std::vector<uint64_t> EpochOrder::rows() const {
  std::vector<uint64_t> rows(impl_->size);
  std::iota(rows.begin(), rows.end(), uint64_t{0});
  impl_->replace_by_rows(rows);
  return rows;
}

}  // namespace heron::inline v0

// EpochShard: what a rank reads of an epoch. Single rows are dealt to ranks by arithmetic on
// positions; blocks, windows of mixed blocks and groups are units, dealt in turn. SAMPLING.md in
// this folder specifies every order.
#include <algorithm>
#include <numeric>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/sampler.h"
#include "sample/epoch_impl.h"

namespace heron::inline v0 {
namespace {

uint64_t saturating_product(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

uint64_t batches_of_rows(uint64_t rows, const EpochOptions& options) {
  const bool has_rest = !options.drop_last && rows % options.batch_rows != 0;
  return rows / options.batch_rows + (has_rest ? 1 : 0);
}

// Calls use(unit) for the units that are dealt to a rank.
template <class Units, class Use>
void for_units_of(uint64_t rank, uint64_t world_size, Units& units, const Use& use) {
  const uint64_t step = std::min<uint64_t>(world_size, units.size());
  for (uint64_t i = rank; i < units.size(); i += step) use(units[i]);
}

}  // namespace

EpochShard::Impl::Impl(EpochOrder of, EpochOptions options)
    : order_(std::move(of)), options_(std::move(options)), sampler_(0, {}) {
  const EpochOrder::Impl& order = *order_.impl_;
  const bool by_rows = order.shuffle == Shuffle::Rows, by_group = order.shuffle == Shuffle::Groups;
  const bool replace = options_.sampler.replace, is_weighted = options_.weights != nullptr;
  const auto require = [](bool holds, std::string_view what) {
    if (!holds) fail(ErrorKind::Argument, {}, "epoch: ", what);
  };
  require(options_.batch_rows != 0, "a batch needs at least one row");
  require(options_.sampler.rank < options_.sampler.world_size, "rank must be below world_size");
  for (const EpochStage& stage : options_.before)
    require(stage.world_size != 0, "world_size must not be 0");
  require(!replace || by_rows || by_group, "only rows and groups are drawn with replacement");
  require(!is_weighted || (by_rows && options_.weights->rows() == order.size),
          "weights are of shuffled rows, one for each");
  require(!options_.draws || order.shuffle != Shuffle::Blocks, "draws are of rows or groups");
  require(options_.draws.value_or(0) <= (by_group ? order.units : order.size) || replace ||
              is_weighted,
          "more draws than rows or groups need replacement");
  order.has_units() ? deal_units() : deal_rows();
}

void EpochShard::Impl::deal_rows() {
  const EpochOrder::Impl& order = *order_.impl_;
  SamplerOptions& own = options_.sampler;
  uint64_t left = options_.draws.value_or(order.size), read = 0;
  for (const EpochStage& stage : options_.before) {
    const uint64_t by_each = saturating_product(stage.batches, stage.batch_rows);
    const uint64_t by_all = std::min(left, saturating_product(by_each, stage.world_size));
    read += by_all;
    left -= by_all;
  }
  const auto rows_of = [&](uint64_t rank) {
    return rank < left ? (left - rank - 1) / own.world_size + 1 : 0;
  };
  rows_ = rows_of(own.rank);
  batches_ = batches_of_rows(options_.drop_last ? rows_of(own.world_size - 1) : rows_, options_);
  const uint64_t position = read + own.rank;
  own.rank = position % own.world_size;
  first_ = position / own.world_size;
  sampler_ = Sampler(order.size, own);
}

void EpochShard::Impl::deal_units() {
  const auto& [seed, epoch, replace, own_rank, world_size] = options_.sampler;
  sampler_ = Sampler(order_.impl_->units, {.seed = seed, .epoch = epoch, .replace = replace});
  std::vector<Unit> all = all_units();
  for (const EpochStage& stage : options_.before) skip(all, stage);
  const EpochStage all_left{world_size, options_.batch_rows, UINT64_MAX};
  const auto batches_of = [&](uint64_t rank) -> uint64_t {
    if (order_.impl_->shuffle == Shuffle::Groups) return batch_ends(all, rank, all_left).size();
    return batches_of_rows(rows_read(all, rank, all_left), options_);
  };
  for_units_of(own_rank, world_size, all, [&](const Unit& unit) {
    units_.push_back(unit);
    unit_ends_.push_back(rows_ += unit.rows());
  });
  if (order_.impl_->shuffle == Shuffle::Groups) group_ends_ = batch_ends(all, own_rank, all_left);
  batches_ = batches_of(own_rank);
  // A rank at or above the number of units has no batches: one such rank is enough.
  const uint64_t ranks = options_.drop_last ? std::min<uint64_t>(world_size, all.size() + 1) : 0;
  for (uint64_t rank = 0; rank < ranks; ++rank) batches_ = std::min(batches_, batches_of(rank));
}

std::vector<EpochShard::Impl::Unit> EpochShard::Impl::all_units() const {
  const EpochOrder::Impl& order = *order_.impl_;
  std::vector<uint64_t> drawn(options_.draws.value_or(order.units));
  sampler_.draw(0, drawn);
  std::vector<Unit> units;
  for (uint64_t i = 0; i < drawn.size(); ++i) {
    const RowRange range = order.unit_rows(drawn[i]);
    if (order.shuffle == Shuffle::Groups) {
      units.push_back({drawn[i], range.first, range.last});
    } else if (i % order.locality == 0) {
      units.push_back({order.locality == 1 ? drawn[i] : units.size(), 0, range.rows()});
    } else {
      units.back().last += range.rows();
    }
  }
  return units;
}

// Returns the positions at which a rank's batches of whole groups end.
EpochShard::Impl::Ends EpochShard::Impl::batch_ends(std::span<const Unit> groups, uint64_t rank,
                                        const EpochStage& stage) {
  Ends ends;
  uint64_t first = 0, last = 0;  // positions of the current batch
  for_units_of(rank, stage.world_size, groups, [&](const Unit& group) {
    if (last > first && last - first + group.rows() > stage.batch_rows) {
      ends.push_back(last);
      first = last;
    }
    last += group.rows();
  });
  if (last > first) ends.push_back(last);
  return ends;
}

// Returns how many rows the batches have that a rank read in a stage.
uint64_t EpochShard::Impl::rows_read(std::span<const Unit> units, uint64_t rank,
                               const EpochStage& stage) const {
  if (order_.impl_->shuffle == Shuffle::Groups) {
    const Ends ends = batch_ends(units, rank, stage);
    const uint64_t batches = std::min<uint64_t>(stage.batches, ends.size());
    return batches == 0 ? 0 : ends[batches - 1];
  }
  uint64_t rows = 0;
  for_units_of(rank, stage.world_size, units, [&](const Unit& unit) { rows += unit.rows(); });
  return std::min(rows, saturating_product(stage.batches, stage.batch_rows));
}

void EpochShard::Impl::skip(std::vector<Unit>& units, const EpochStage& stage) const {
  for (uint64_t rank = 0; rank < std::min<uint64_t>(stage.world_size, units.size()); ++rank) {
    uint64_t read = rows_read(units, rank, stage);
    for_units_of(rank, stage.world_size, units, [&](Unit& unit) {
      const uint64_t of_unit = std::min(read, unit.rows());
      unit.first += of_unit;
      read -= of_unit;
    });
  }
  std::erase_if(units, [](const Unit& unit) { return unit.rows() == 0; });
}

uint64_t EpochShard::Impl::batch_end(uint64_t batches) const noexcept {
  if (group_ends_.empty()) return std::min(rows_, saturating_product(batches, options_.batch_rows));
  return batches == 0 ? 0 : group_ends_[std::min<uint64_t>(batches, group_ends_.size()) - 1];
}

void EpochShard::Impl::draw(uint64_t position, std::span<uint64_t> out) const {
  if (position > rows_ || out.size() > rows_ - position) {
    fail(ErrorKind::Argument, {}, "epoch: expected positions below ", rows_, ", got ", out.size(),
         " from position ", position);
  }
  if (!order_.impl_->has_units()) return draw_rows(first_ + position, out);
  auto end = std::ranges::upper_bound(unit_ends_, position);
  for (auto unit = units_.begin() + (end - unit_ends_.begin()); !out.empty(); ++unit, ++end) {
    const auto some = out.first(std::min<uint64_t>(out.size(), *end - position));
    const uint64_t first = unit->last - (*end - position);
    if (order_.impl_->shuffle == Shuffle::Groups) {
      std::iota(some.begin(), some.end(), first);
    } else {
      draw_blocks(unit->number, first, some);
    }
    out = out.subspan(some.size());
    position += some.size();
  }
}

void EpochShard::Impl::draw_rows(uint64_t position, std::span<uint64_t> out) const {
  if (options_.weights != nullptr) {
    options_.weights->draw(options_.sampler, position, out);
  } else if (order_.impl_->shuffle == Shuffle::Rows) {
    sampler_.draw(position, out);
  } else {
    const auto& [seed, epoch, replace, rank, world_size] = options_.sampler;
    for (uint64_t& number : out) number = rank + world_size * position++;
  }
  order_.impl_->replace_by_rows(out);
}

// Draws rows of a block, or of a window of mixed blocks. Rows are numbered in the order of the
// blocks, then shuffled.
void EpochShard::Impl::draw_blocks(uint64_t unit, uint64_t first, std::span<uint64_t> out) const {
  const EpochOrder::Impl& order = *order_.impl_;
  std::vector<uint64_t> blocks{unit};
  if (order.locality > 1) {
    blocks.resize(std::min(order.locality, order.units - unit * order.locality));
    sampler_.draw(unit * order.locality, blocks);
  }
  Ends ends;
  std::vector<uint64_t> to_row;  // first row of each block less that row's number
  for (uint64_t end = 0; const uint64_t block : blocks) {
    const RowRange range = order.unit_rows(block);
    to_row.push_back(range.first - end);
    ends.push_back(end += range.rows());
  }
  const auto& [seed, epoch, replace, rank, world_size] = options_.sampler;
  Sampler(ends.back(), {.seed = seed + unit + 1, .epoch = epoch}).draw(first, out);
  for (uint64_t& row : out) {
    row += to_row[static_cast<uint64_t>(std::ranges::upper_bound(ends, row) - ends.begin())];
  }
}

std::vector<uint64_t> EpochShard::Impl::group_sizes(uint64_t first, uint64_t last) const {
  std::vector<uint64_t> sizes;
  if (order_.impl_->shuffle != Shuffle::Groups) return sizes;
  for (auto end = std::ranges::upper_bound(unit_ends_, first);
       end != unit_ends_.end() && *end <= last; first = *end++) {
    if (*end > first) sizes.push_back(*end - first);
  }
  return sizes;
}

EpochShard::EpochShard(EpochOrder order, EpochOptions options)
    : impl_(std::make_shared<const Impl>(std::move(order), std::move(options))) {}

uint64_t EpochShard::rows() const noexcept {
  return impl_->rows();
}

uint64_t EpochShard::batches() const noexcept {
  return impl_->batches();
}

uint64_t EpochShard::batch_end(uint64_t batches) const noexcept {
  return impl_->batch_end(batches);
}

void EpochShard::draw(uint64_t position, std::span<uint64_t> out) const {
  impl_->draw(position, out);
}

std::vector<uint64_t> EpochShard::group_sizes(uint64_t first, uint64_t last) const {
  return impl_->group_sizes(first, last);
}

}  // namespace heron::inline v0

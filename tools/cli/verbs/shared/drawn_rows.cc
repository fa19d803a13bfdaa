#include "verbs/shared/drawn_rows.h"

#include <algorithm>

#include "base/fail.h"
#include "heron/error.h"
#include "parsing/options.h"

namespace heron::cli {
namespace {

// The maximum number of drawn rows that one search finds. Most morsels of a table then have a drawn
// row: the more rows a search finds, the fewer morsels are filtered twice.
constexpr uint64_t kMatchesAtOnce = uint64_t{1} << 20;

ShuffleOptions shuffle_of(const OrderOptions& order, bool by_group) {
  if (by_group && !order.shuffle.empty() && order.shuffle != "groups") {
    fail(ErrorKind::Argument, {}, "--by-group cannot be combined with --shuffle ", order.shuffle);
  }
  const Shuffle shuffle = by_group || order.shuffle == "groups" ? Shuffle::Groups
                          : order.shuffle == "blocks"           ? Shuffle::Blocks
                                                                : Shuffle::Rows;
  return {.shuffle = shuffle, .locality = order.locality.value_or(1)};
}

}  // namespace

void require_groups(const Table& table) {
  if (table.group_count() == 0) {
    fail(ErrorKind::Argument, {}, "table \"", table.name(), "\" has no groups of rows");
  }
}

DrawnRows::DrawnRows(Session& session, const Projection& columns,
                     const std::optional<Predicate>& where)
    : session_(session) {
  const auto& requested = session.get<DrawOptions>();
  const ShuffleOptions shuffle = shuffle_of(session.get<OrderOptions>(), requested.by_group);
  const bool by_group = shuffle.shuffle == Shuffle::Groups;
  if (!requested.count) fail(ErrorKind::Argument, {}, "sample: -n is missing");
  if (where && shuffle.shuffle != Shuffle::Rows) {
    fail(ErrorKind::Argument, {},
         "--where cannot be combined with --by-group or --shuffle blocks or groups");
  }
  count_ = *requested.count;
  const Table& table = *columns.table();
  if (by_group) require_groups(table);
  if (where) selection_.emplace(session.counted(*where), session.context());
  const uint64_t units = where      ? selection_->size()
                         : by_group ? table.group_count()
                                    : table.rows();
  check_count(units, where ? "rows that match" : by_group ? "groups" : "rows");
  if (count_ == 0) return;
  EpochOptions epoch{.sampler = {.seed = session.seed(), .replace = requested.replace}};
  if (shuffle.shuffle != Shuffle::Blocks) epoch.draws = count_;
  shard_.emplace(where ? EpochOrder(units)
                       : EpochOrder(columns.table(), shuffle, session.context()),
                 epoch);
  if (by_group) count_ = shard_->rows();
  session.report_seed();
}

void DrawnRows::check_count(uint64_t units, const char* name) const {
  if (count_ <= units || session_.get<DrawOptions>().replace) return;
  fail(ErrorKind::Argument, {}, "a sample of ", count_, " is more than the ", units, ' ', name,
       "; --replace draws them more than once");
}

void DrawnRows::draw(uint64_t position, std::span<uint64_t> rows) const {
  if (selection_) return draw_selected(position, rows);
  shard_->draw(position, rows);
}

void DrawnRows::draw_selected(uint64_t position, std::span<uint64_t> rows) const {
  const std::scoped_lock lock(mutex_);
  for (uint64_t done = 0; done < rows.size();) {
    const uint64_t at = position + done;
    if (at < found_position_ || at - found_position_ >= found_.size()) {
      std::vector<uint64_t> positions(std::min(count_ - at, kMatchesAtOnce));
      shard_->draw(at, positions);
      found_ = selection_->rows(positions, session_.context());
      found_position_ = at;
    }
    const uint64_t from = at - found_position_;
    const uint64_t some = std::min(rows.size() - done, found_.size() - from);
    std::copy_n(found_.begin() + static_cast<ptrdiff_t>(from), some,
                rows.begin() + static_cast<ptrdiff_t>(done));
    done += some;
  }
}

}  // namespace heron::cli

#include "drawn_rows.h"

#include <algorithm>

#include "heron/error.h"
#include "options.h"
#include "units.h"

namespace heron::cli {
namespace {

// At this number, most morsels of a table have a drawn row: more rows at once filter fewer morsels
// twice.
constexpr uint64_t kMatchesAtOnce = uint64_t{1} << 20;

}  // namespace

DrawnRows::DrawnRows(Session& session, const Projection& columns,
                     const std::optional<Predicate>& where)
    : session_(session) {
  const auto& asked = session.get<DrawOptions>();
  if (!asked.count) fail(ErrorKind::Argument, {}, "sample: -n is missing");
  if (where && asked.by_group) {
    fail(ErrorKind::Argument, {}, "--where is not for --by-group");
  }
  count_ = *asked.count;
  uint64_t units = 0;
  if (where) {
    selection_.emplace(*where, session.context());
    units = selection_->size();
    check_count(units, "rows that match");
  } else {
    const Units all(*columns.table(), asked.by_group);
    units = all.size();
    check_count(units, asked.by_group ? "groups" : "rows");
  }
  if (count_ == 0) return;
  sampler_.emplace(units, SamplerOptions{.seed = session.seed(), .replace = asked.replace});
  session.report_seed();
  if (asked.by_group) draw_groups(columns);
}

void DrawnRows::check_count(uint64_t units, const char* name) const {
  if (count_ <= units || session_.get<DrawOptions>().replace) return;
  fail(ErrorKind::Argument, {}, "a sample of ", count_, " is more than the ", units, ' ', name,
       "; --replace draws them more than once");
}

void DrawnRows::draw_groups(const Projection& columns) {
  std::vector<uint64_t> drawn(count_);
  sampler_->draw(0, drawn);
  groups_.reserve(count_);
  count_ = 0;
  for (const uint64_t group : drawn) {
    session_.context().check_cancelled();
    const RowRange rows = columns.table()->group(group);
    groups_.push_back({count_, rows.first});
    count_ += rows.rows();
  }
}

void DrawnRows::draw(uint64_t position, std::span<uint64_t> rows) const {
  if (!groups_.empty()) return draw_of_groups(position, rows);
  if (selection_) return draw_selected(position, rows);
  sampler_->draw(position, rows);
}

void DrawnRows::draw_of_groups(uint64_t position, std::span<uint64_t> rows) const {
  auto group = std::upper_bound(groups_.begin(), groups_.end(), position,
                                [](uint64_t row, const Group& one) { return row < one.before; }) -
               1;
  for (uint64_t& row : rows) {
    while (group + 1 != groups_.end() && (group + 1)->before <= position) ++group;
    row = group->first_row + (position++ - group->before);
  }
}

void DrawnRows::draw_selected(uint64_t position, std::span<uint64_t> rows) const {
  const std::scoped_lock lock(mutex_);
  for (uint64_t done = 0; done < rows.size();) {
    const uint64_t at = position + done;
    if (at < found_position_ || at - found_position_ >= found_.size()) {
      std::vector<uint64_t> places(std::min(count_ - at, kMatchesAtOnce));
      sampler_->draw(at, places);
      found_ = selection_->rows(places, session_.context());
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

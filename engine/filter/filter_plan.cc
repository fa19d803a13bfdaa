#include "filter/filter_plan.h"

#include <algorithm>

#include "cache/block_column.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// No morsel covers a zone of more rows, so such a zone never gets statistics.
constexpr uint64_t kMaxMorselRows = uint64_t{1} << 20;

// Copies made for a test should stay in the nearest caches.
constexpr uint64_t kCopiedBytes = uint64_t{256} << 10;
constexpr uint64_t kReadRows = 8192;

uint64_t rows_at_once(const Column& column) {
  if (const BlockColumn* blocks = blocks_behind(column)) return blocks->block_rows();
  const std::optional<FlatCells> flat = column.flat();
  if (!flat || flat->kind != FlatCells::Kind::Fixed) return kReadRows;
  if (flat->packed() && flat->cells.data() != nullptr) return kMaxMorselRows;
  return std::clamp<uint64_t>(kCopiedBytes / flat->cell_bytes, kReadRows, kZoneRows);
}

// Returns the rows per morsel that suit zones of these sizes best: whole zones, if all are alike.
uint64_t rows_that_fit(std::span<const uint64_t> zone_rows) {
  if (zone_rows.empty()) return kZoneRows;
  const auto [least, most] = std::minmax_element(zone_rows.begin(), zone_rows.end());
  if (*most > kMaxMorselRows) return kZoneRows;
  return *least == *most ? *most * std::max<uint64_t>(1, kZoneRows / *most)
                         : std::max(kZoneRows, *most);
}

uint64_t column_of(const BoundPredicate& leaf) {
  if (const auto* set = std::get_if<InSet>(&leaf)) return set->column;
  if (const auto* is_null = std::get_if<IsNull>(&leaf)) return is_null->column;
  return std::get<IsLike>(leaf).column;
}

std::unique_ptr<const ColumnPredicate> predicate_of(const BoundPredicate& leaf,
                                                    const Column& column, const Context& context) {
  if (const auto* set = std::get_if<InSet>(&leaf)) return make_predicate(*set, column, context);
  if (const auto* is_null = std::get_if<IsNull>(&leaf)) {
    return make_predicate(*is_null, column, context);
  }
  return make_predicate(std::get<IsLike>(leaf), column, context);
}

// Returns the approximate cost per row.
int cost_of(const BoundPredicate& predicate) {
  constexpr int kNumber = 1, kText = 4, kLike = 16, kComputed = 64;
  if (std::holds_alternative<Holds>(predicate)) return kComputed;
  if (std::holds_alternative<IsLike>(predicate)) return kLike;
  const auto* set = std::get_if<InSet>(&predicate);
  return set != nullptr && std::holds_alternative<std::vector<TextInterval>>(set->set.intervals)
             ? kText
             : kNumber;
}

}  // namespace

FilterNode::FilterNode(const BoundPredicate& of, const SourceText& source,
                       std::vector<const BoundPredicate*>& leaves)
    : predicate(&of) {
  const auto add_all = [&](const std::vector<BoundPredicate>& predicates) {
    for (const BoundPredicate& one : predicates)
      cost += parts.emplace_back(one, source, leaves).cost;
    std::stable_sort(parts.begin(), parts.end(),
                     [](const FilterNode& a, const FilterNode& b) { return a.cost < b.cost; });
  };
  if (const auto* all = std::get_if<AllOf>(&of)) {
    add_all(all->parts);
  } else if (const auto* any = std::get_if<AnyOf>(&of)) {
    add_all(any->parts);
  } else if (const auto* none = std::get_if<NoneOf>(&of)) {
    add_all(none->part);
  } else if (!std::holds_alternative<Always>(of)) {
    cost = cost_of(of);
    const auto* holds = std::get_if<Holds>(&of);
    if (holds != nullptr) program = std::make_unique<const Program>(holds->expression, source);
    is_leaf = holds == nullptr;
  }
  if (!is_leaf) return;
  leaf = leaves.size();
  leaves.push_back(&of);
}

FilterFragment::FilterFragment(const Table& table, const std::vector<const BoundPredicate*>& leaves,
                               const Context& context)
    : table_(table), predicates_(leaves) {
  std::vector<uint64_t> zone_rows;
  for (const BoundPredicate* leaf : leaves) {
    const uint64_t index = column_of(*leaf);
    const Column& column = internals(table).column(index);
    ColumnZones& zones = ZoneMap::of(table, context).of_column(index, context);
    leaves_.push_back({&column, index, &zones, rows_at_once(column), nullptr});
    if (zones.size() != 0) zone_rows.push_back(zones.zone_rows());
  }
  morsel_rows_ = rows_that_fit(zone_rows);
}

uint64_t FilterFragment::zones_in(RowRange rows) const noexcept {
  if (rows.rows() == 0) return 0;
  uint64_t zones = 0;
  for (const Leaf& leaf : leaves_) {
    if (leaf.zones->size() == 0) continue;
    const uint64_t zone_rows = leaf.zones->zone_rows();
    zones += (rows.last - 1) / zone_rows - rows.first / zone_rows + 1;
  }
  return zones;
}

const std::vector<FilterFragment::Leaf>& FilterFragment::leaves(const Context& context) {
  ready_.run([&] {
    for (uint64_t i = 0; i < leaves_.size(); ++i) {
      leaves_[i].predicate = predicate_of(*predicates_[i], *leaves_[i].column, context);
    }
  });
  return leaves_;
}

const KeyResults* FilterFragment::key_results(const Program& program) {
  if (program.columns().size() != 1) return nullptr;
  const Column& input = internals(table_).column(program.columns().front());
  const std::scoped_lock lock(results_mutex_);
  return &results_.try_emplace(&program, program, input).first->second;
}

}  // namespace heron::inline v0

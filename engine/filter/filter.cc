#include "filter/filter.h"

#include <algorithm>
#include <new>
#include <tuple>

#include "dataset/blocks.h"
#include "dataset/many_files.h"
#include "dataset/skip_damaged.h"
#include "dataset/whole_read.h"
#include "filter/filter_plan.h"
#include "filter/key_range.h"
#include "filter/row_bits.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kComputedRows = 8192;  // what is computed for a test stays in the nearest caches

}  // namespace

// One call of select().
class Filter::Selecting final : public ColumnReader {
 public:
  Selecting(const Filter& filter, const FilterUnit& unit, FilterRoom& room)
      : filter_(filter),
        part_(*filter.parts_[unit.part]),
        leaves_(part_.leaves(room.context_)),
        rows_(unit.rows),
        room_(room) {}

  void run() {
    set_first_bits(room_.bits_, rows_.rows());
    if (!filter_.root_->parts.empty()) narrow_by_zones(*filter_.root_, room_.bits_);
    narrow(*filter_.root_, room_.bits_);
    room_.count_ = count_bits(room_.bits_);
    count_up();
  }

  uint64_t count() {
    if (!filter_.root_->is_leaf) {
      run();
      return room_.count_;
    }
    room_.count_ = 0;
    const FilterPart::Leaf& leaf = leaves_[filter_.root_->leaf];
    uint64_t& sum = room_.count_;
    each_zone(leaf, [&](RowRange rows, uint64_t at) { sum += count_zone(leaf, rows, at); });
    count_up();
    return room_.count_;
  }

 private:
  using Bits = std::vector<uint64_t>;

  // A bitmap of its own while a part of the condition needs one.
  class Spare {
   public:
    Spare(FilterRoom& room, const Bits& like) : room_(room) {
      if (!room.spare_.empty()) {
        bits.swap(room.spare_.back());
        room.spare_.pop_back();
      }
      bits = like;
    }
    ~Spare() {
      try {
        room_.spare_.push_back(std::move(bits));
      } catch (const std::bad_alloc&) {  // there will be another one when one is needed
      }
    }
    Spare(const Spare&) = delete;
    Spare& operator=(const Spare&) = delete;
    Bits bits;

   private:
    FilterRoom& room_;
  };

  static bool any(const Bits& bits) {
    return std::any_of(bits.begin(), bits.end(), [](uint64_t word) { return word != 0; });
  }

  // The rows for which one of the parts may be true, `narrowed(part, bits)` telling of each.
  template <class Narrow>
  void narrow_any(const FilterNode& node, Bits& bits, Narrow narrowed) {
    Spare open(room_, bits);  // for which none has been
    for (const FilterNode& part : node.parts) {
      if (!any(open.bits)) return;
      Spare found(room_, open.bits);
      narrowed(part, found.bits);
      for (uint64_t i = 0; i < bits.size(); ++i) open.bits[i] &= ~found.bits[i];
    }
    for (uint64_t i = 0; i < bits.size(); ++i) bits[i] &= ~open.bits[i];
  }

  // Clears what zones rule out, so that no column is read for rows that another rules out.
  void narrow_by_zones(const FilterNode& node, Bits& bits) {
    if (std::holds_alternative<AnyOf>(*node.condition)) {
      narrow_any(node, bits,
                 [this](const FilterNode& part, Bits& some) { narrow_by_zones(part, some); });
    } else if (std::holds_alternative<AllOf>(*node.condition)) {
      for (const FilterNode& part : node.parts) narrow_by_zones(part, bits);
    } else if (node.is_leaf) {
      const FilterPart::Leaf& leaf = leaves_[node.leaf];
      each_zone(leaf, [&](RowRange rows, uint64_t zone) {
        const Zone* known = find_zone(leaf, zone);
        if (known != nullptr && outcome(leaf, zone, *known) == Outcome::None) {
          clear_bits(bits, rows.first - rows_.first, rows.last - rows_.first);
        }
      });
    }
  }

  void narrow(const FilterNode& node, Bits& bits) {
    if (const auto* always = std::get_if<Always>(node.condition)) {
      if (!always->is_true) std::fill(bits.begin(), bits.end(), 0);
    } else if (std::holds_alternative<AllOf>(*node.condition)) {
      for (const FilterNode& part : node.parts) narrow(part, bits);
    } else if (std::holds_alternative<AnyOf>(*node.condition)) {
      narrow_any(node, bits, [this](const FilterNode& part, Bits& some) { narrow(part, some); });
    } else if (std::holds_alternative<NoneOf>(*node.condition)) {
      Spare found(room_, bits);
      narrow(node.parts.front(), found.bits);
      for (uint64_t i = 0; i < bits.size(); ++i) bits[i] &= ~found.bits[i];
    } else if (node.is_leaf) {
      const FilterPart::Leaf& leaf = leaves_[node.leaf];
      each_zone(leaf, [&](RowRange rows, uint64_t zone) { narrow_zone(leaf, rows, zone, bits); });
    } else {
      narrow_computed(*node.condition, bits);
    }
  }

  // work(rows of the unit, zone) for each zone with some; a column without zones is one.
  template <class Work>
  void each_zone(const FilterPart::Leaf& leaf, Work work) {
    const uint64_t zone_rows =
        leaf.zones->size() == 0 ? part_.table().rows() : leaf.zones->zone_rows();
    for (RowRange rows = rows_; rows.first < rows_.last; rows.first = rows.last) {
      const uint64_t zone = rows.first / zone_rows;
      rows.last =
          rows.first + std::min(zone_rows - rows.first % zone_rows, rows_.last - rows.first);
      work(rows, zone);
    }
  }
  static const Zone* find_zone(const FilterPart::Leaf& leaf, uint64_t zone) {
    return leaf.zones->size() == 0 ? nullptr : leaf.zones->find(zone);
  }
  static Outcome outcome(const FilterPart::Leaf& leaf, uint64_t zone, const Zone& known) {
    return leaf.test->outcome(known, leaf.zones->rows_of(zone).rows());
  }

  void narrow_zone(const FilterPart::Leaf& leaf, RowRange rows, uint64_t zone, Bits& bits) {
    read_zone(
        leaf, rows, zone, [&](RowRange at) { return any_bits(bits, at.first, at.last); },
        [&](RowRange at, bool all) {
          if (!all) clear_bits(bits, at.first, at.last);
        },
        [&](const ColumnChunk& chunk, RowRange at) {
          narrow_bits(bits, at,
                      [&](uint64_t* words) { leaf.test->narrow(chunk, words, room_.context_); });
        });
  }

  // Of a condition that is a single test.
  uint64_t count_zone(const FilterPart::Leaf& leaf, RowRange rows, uint64_t zone) {
    uint64_t found = 0;
    read_zone(
        leaf, rows, zone, [](RowRange) { return true; },
        [&](RowRange at, bool all) { found += all ? at.rows() : 0; },
        [&](const ColumnChunk& chunk, RowRange at) {
          if (const auto count = leaf.test->count(chunk, room_.context_)) {
            found += *count;
            return;
          }
          set_first_bits(room_.chunk_bits_, at.rows());
          leaf.test->narrow(chunk, room_.chunk_bits_.data(), room_.context_);
          found += count_bits(room_.chunk_bits_);
        });
    return found;
  }

  // Of some rows of a zone, given as places in the unit: asks is_open(rows) whether anybody wants
  // to know, tells decided(rows, all) if the zone does, else test(chunk, rows) of a chunk at a
  // time. A zone that is seen whole is kept; for that alone nothing is read.
  template <class IsOpen, class Decided, class Test>
  void read_zone(const FilterPart::Leaf& leaf, RowRange rows, uint64_t zone, IsOpen is_open,
                 Decided decided, Test test) {
    if (!is_open(places(rows))) return;
    const Zone* known = find_zone(leaf, zone);
    const Outcome told = known == nullptr ? Outcome::Some : outcome(leaf, zone, *known);
    if (told != Outcome::Some) return decided(places(rows), told == Outcome::All);
    ++zones_read_;
    const bool whole = leaf.zones->size() != 0 && rows.rows() == leaf.zones->rows_of(zone).rows();
    bool is_new = known == nullptr && whole;
    Zone seen;
    filter_.mark_read(leaf.index);
    for (RowRange some = rows; some.first < rows.last; some.first = some.last) {
      const uint64_t most = leaf.rows_at_once - some.first % leaf.rows_at_once;
      some.last = some.first + std::min(most, rows.last - some.first);
      if (!is_open(places(some))) {
        is_new = false;
        continue;
      }
      room_.context_.check_cancelled();
      room_.arena_.reset();
      ColumnChunk chunk = read_chunk(*leaf.column, some, room_.arena_, room_.context_);
      values_ += some.rows();
      bytes_ += chunk.bytes;
      if (is_new) seen.merge(zone_of(chunk));
      const Zone* told_by = is_new ? &seen : known;
      if (told_by != nullptr && leaf.has_codes()) {
        chunk.largest_code = told_by->has_bounds() ? told_by->high : 0;
      }
      test(chunk, places(some));
    }
    if (is_new) leaf.zones->set(zone, seen);
  }
  RowRange places(RowRange rows) const noexcept {
    return {rows.first - rows_.first, rows.last - rows_.first};
  }

  void narrow_computed(const Condition& condition, Bits& bits) {
    for (RowRange some = rows_; some.first < rows_.last; some.first = some.last) {
      some.last = some.first + std::min(kComputedRows, rows_.last - some.first);
      const RowRange at{some.first - rows_.first, some.last - rows_.first};
      if (!any_bits(bits, at.first, at.last)) continue;
      room_.context_.check_cancelled();
      room_.arena_.reset();
      values_read_.clear();
      narrow_bits(bits, at, [&](uint64_t* words) {
        if (const auto* compares = std::get_if<Compares>(&condition)) {
          heron::narrow(*compares, some, words, *this, room_.arena_, room_.context_);
        } else {
          heron::narrow(std::get<OperandIs>(condition), some, words, *this, room_.arena_,
                        room_.context_);
        }
      });
    }
  }

  // work(words) with the bits of some rows, from the first bit of a word on and nothing behind
  // them.
  template <class Work>
  void narrow_bits(Bits& bits, RowRange at, Work work) {
    const bool in_place = at.first % 64 == 0 && (at.last % 64 == 0 || at.last == rows_.rows());
    if (in_place) return work(bits.data() + at.first / 64);
    extract_bits(bits, at.first, at.last, room_.chunk_bits_);
    work(room_.chunk_bits_.data());
    replace_bits(bits, at.first, at.last, room_.chunk_bits_);
  }

  // Of a computed condition: each column once for the rows at hand.
  const Values& read(uint64_t column, RowRange range) override {
    for (const auto& [index, first, values] : values_read_) {
      if (index == column && first == range.first && values->rows == range.rows()) return *values;
    }
    filter_.mark_read(column);
    auto values = std::make_unique<Values>(
        part_.table().column(column).read(range, room_.arena_, room_.context_));
    values_ += range.rows();
    bytes_ += range.rows() * values->type.width();
    return *std::get<2>(values_read_.emplace_back(column, range.first, std::move(values)));
  }

  void count_up() const {
    if (filter_.counters_ == nullptr) return;
    QueryCounters& counters = *filter_.counters_;
    const auto add = [](std::atomic<uint64_t>& counter, uint64_t more) {
      counter.fetch_add(more, std::memory_order_relaxed);
    };
    const uint64_t zones = part_.zones_in(rows_);
    add(counters.zones, zones);
    add(counters.zones_skipped, zones - std::min(zones, zones_read_));
    add(counters.values_tested, values_);
    add(counters.bytes_tested, bytes_);
    add(counters.rows_kept, room_.count_);
  }

  const Filter& filter_;
  FilterPart& part_;
  const std::vector<FilterPart::Leaf>& leaves_;
  const RowRange rows_;
  FilterRoom& room_;
  std::vector<std::tuple<uint64_t, uint64_t, std::unique_ptr<Values>>> values_read_;
  uint64_t zones_read_ = 0, values_ = 0, bytes_ = 0;
};

FilterRoom::FilterRoom(const Context& context) : arena_(context.memory) {
  context_.cancel = context.cancel;
  context_.memory = context.memory;
  context_.skip_damaged = context.skip_damaged;
}

void FilterRoom::append_rows(const FilterUnit& unit, std::vector<uint64_t>& rows) const {
  uint64_t at = rows.size();
  rows.resize(at + count_);
  for (uint64_t i = 0; i < bits_.size(); ++i) {
    const uint64_t first = unit.first_row + i * 64;
    for (uint64_t word = bits_[i]; word != 0; word &= word - 1) {
      rows[at++] = first + static_cast<uint64_t>(std::countr_zero(word));
    }
  }
}

Filter::Filter(const Predicate& predicate, RowRange range, const Context& context,
               QueryCounters* counters)
    : predicate_(predicate),
      counters_(counters),
      first_units_{0},
      has_read_(std::make_unique<std::atomic<bool>[]>(predicate.columns().size())) {
  const Table& table = *predicate.table();
  root_ = std::make_unique<const FilterNode>(predicate.condition(), leaves_);
  const auto columns = predicate.columns();
  const bool as_one = std::any_of(columns.begin(), columns.end(),
                                  [&](uint64_t column) { return counts_on(table, column); });
  if (as_one || table.parts().empty()) {
    add_part(table, 0, range, context);
    return;
  }
  for (const TablePart& part : table.parts()) {
    const uint64_t last = part.first_row + part.table->rows();
    add_part(*part.table, part.first_row,
             {std::clamp(range.first, part.first_row, last) - part.first_row,
              std::clamp(range.last, part.first_row, last) - part.first_row},
             context);
  }
}

Filter::~Filter() = default;

void Filter::add_part(const Table& table, uint64_t first_row, RowRange range,
                      const Context& context) {
  FilterPart& part =
      *parts_.emplace_back(std::make_unique<FilterPart>(table, first_row, leaves_, context));
  const bool trusts_keys = context.skip_damaged == nullptr;
  const RowRange open =
      trusts_keys ? key_range(table, predicate_.condition(), range, context) : range;
  part.set_range(open);
  check_stored(table, predicate_.columns(), open.rows());
  first_units_.push_back(first_units_.back() + part.unit_count());
  if (counters_ == nullptr) return;
  const uint64_t ruled_out = part.zones_in(range) - part.zones_in(open);
  counters_->zones += ruled_out;
  counters_->zones_skipped += ruled_out;
}

FilterUnit Filter::unit(uint64_t i) const noexcept {
  const auto after = std::upper_bound(first_units_.begin(), first_units_.end(), i);
  const auto part = static_cast<uint64_t>(after - first_units_.begin()) - 1;
  const RowRange rows = parts_[part]->unit(i - first_units_[part]);
  return {part, rows, parts_[part]->first_row() + rows.first};
}

const Table& Filter::table_of(const FilterUnit& unit) const noexcept {
  return parts_[unit.part]->table();
}

uint64_t Filter::count(const FilterUnit& unit, FilterRoom& room) const {
  if (room.context_.skip_damaged == nullptr) return Selecting(*this, unit, room).count();
  select(unit, room);
  return room.count();
}

void Filter::select(const FilterUnit& unit, FilterRoom& room) const {
  SkippedRows* const skipped = room.context_.skip_damaged;
  try {
    unless_changed(*table_of(unit).bytes(), [&] { Selecting(*this, unit, room).run(); });
    if (skipped != nullptr) skipped->found_readable();
  } catch (const Error& error) {
    if (skipped == nullptr || error.kind() != ErrorKind::Corrupt) throw;
    select_by_block(unit, room);
  }
}

void Filter::select_by_block(const FilterUnit& unit, FilterRoom& room) const {
  const uint64_t block_rows = block_rows_of(table_of(unit), predicate_.columns());
  std::vector<uint64_t> found(bit_words(unit.rows.rows()));
  for_blocks(unit.rows, block_rows, [&](RowRange rows) {
    const uint64_t at = rows.first - unit.rows.first;
    const FilterUnit block{unit.part, rows, unit.first_row + at};
    const bool readable = unless_damaged(rows.rows(), *table_of(unit).bytes(), room.context_,
                                         [&] { Selecting(*this, block, room).run(); });
    if (readable) replace_bits(found, at, at + rows.rows(), room.bits_);
  });
  room.bits_.swap(found);
  room.count_ = count_bits(room.bits_);
}

void Filter::mark_read(uint64_t column) const {
  const auto columns = predicate_.columns();
  const auto at = std::lower_bound(columns.begin(), columns.end(), column);
  std::atomic<bool>& has_read = has_read_[at - columns.begin()];
  if (has_read.load(std::memory_order_relaxed)) return;
  if (!has_read.exchange(true, std::memory_order_relaxed) && counters_ != nullptr) {
    ++counters_->columns;
  }
}

}  // namespace heron::inline v0

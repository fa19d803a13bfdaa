#include "filter/filter.h"

#include <algorithm>
#include <new>
#include <utility>

#include "columns/row_bits.h"
#include "expression/column_vector.h"
#include "expression/computed_column.h"
#include "expression/evaluator.h"
#include "filter/few_rows.h"
#include "filter/filter_plan.h"
#include "filter/key_range.h"
#include "table/internals.h"
#include "table/many_files.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kComputedRows = 8192;  // computed values stay in the nearest caches

}  // namespace

// The work of one call of select() or count().
class Filter::Selecting final : public ColumnReader {
 public:
  Selecting(const Filter& filter, const Morsel& morsel, FilterState& state)
      : filter_(filter),
        fragment_(*filter.fragments_[morsel.fragment]),
        leaves_(fragment_.leaves(state.context_)),
        rows_(morsel.rows),
        state_(state) {}

  void run() {
    set_first_bits(state_.bits_, rows_.rows());
    if (!filter_.root_->parts.empty()) narrow_by_zones(*filter_.root_, state_.bits_);
    narrow(*filter_.root_, state_.bits_);
    state_.count_ = count_bits(state_.bits_);
    count_up();
  }

  uint64_t count() {
    if (!filter_.root_->is_leaf) {
      run();
      return state_.count_;
    }
    state_.count_ = 0;
    const FilterFragment::Leaf& leaf = leaves_[filter_.root_->leaf];
    uint64_t& sum = state_.count_;
    each_zone(leaf, [&](RowRange rows, uint64_t at) { sum += count_zone(leaf, rows, at); });
    count_up();
    return state_.count_;
  }

 private:
  using Bits = std::vector<uint64_t>;

  static bool any(const Bits& bits) {
    return std::any_of(bits.begin(), bits.end(), [](uint64_t word) { return word != 0; });
  }

  // Selects the rows that pass one of the parts; `narrowed(part, bits)` filters by a part.
  template <class Narrow>
  void narrow_any(const FilterNode& node, Bits& bits, Narrow narrowed) {
    Bits open = bits;  // rows that have not passed any part yet
    for (const FilterNode& part : node.parts) {
      if (!any(open)) return;
      Bits found = open;
      narrowed(part, found);
      for (uint64_t i = 0; i < bits.size(); ++i) open[i] &= ~found[i];
    }
    for (uint64_t i = 0; i < bits.size(); ++i) bits[i] &= ~open[i];
  }

  // Clears rows that zones exclude, so that no column is read for rows that another excludes.
  void narrow_by_zones(const FilterNode& node, Bits& bits) {
    if (std::holds_alternative<AnyOf>(*node.predicate)) {
      narrow_any(node, bits,
                 [this](const FilterNode& part, Bits& some) { narrow_by_zones(part, some); });
    } else if (std::holds_alternative<AllOf>(*node.predicate)) {
      for (const FilterNode& part : node.parts) narrow_by_zones(part, bits);
    } else if (node.is_leaf) {
      const FilterFragment::Leaf& leaf = leaves_[node.leaf];
      each_zone(leaf, [&](RowRange rows, uint64_t zone) {
        const Zone* known = find_zone(leaf, zone);
        if (known != nullptr && prune(leaf, zone, *known) == PruneResult::None) {
          clear_bits(bits, rows.first - rows_.first, rows.last - rows_.first);
        }
      });
    }
  }

  void narrow(const FilterNode& node, Bits& bits) {
    if (const auto* always = std::get_if<Always>(node.predicate)) {
      if (!always->is_true) std::fill(bits.begin(), bits.end(), 0);
    } else if (std::holds_alternative<AllOf>(*node.predicate)) {
      for (const FilterNode& part : node.parts) narrow(part, bits);
    } else if (std::holds_alternative<AnyOf>(*node.predicate)) {
      narrow_any(node, bits, [this](const FilterNode& part, Bits& some) { narrow(part, some); });
    } else if (std::holds_alternative<NoneOf>(*node.predicate)) {
      Bits found = bits;
      narrow(node.parts.front(), found);
      for (uint64_t i = 0; i < bits.size(); ++i) bits[i] &= ~found[i];
    } else if (node.is_leaf) {
      const FilterFragment::Leaf& leaf = leaves_[node.leaf];
      each_zone(leaf, [&](RowRange rows, uint64_t zone) { narrow_zone(leaf, rows, zone, bits); });
    } else {
      narrow_computed(node, bits);
    }
  }

  // Calls work(rows of the morsel, zone) for each zone with some of them; a column without zones
  // counts as one zone.
  template <class Work>
  void each_zone(const FilterFragment::Leaf& leaf, Work work) {
    const uint64_t zone_rows =
        leaf.zones->size() == 0 ? fragment_.table().rows() : leaf.zones->zone_rows();
    for (RowRange rows = rows_; rows.first < rows_.last; rows.first = rows.last) {
      const uint64_t zone = rows.first / zone_rows;
      rows.last =
          rows.first + std::min(zone_rows - rows.first % zone_rows, rows_.last - rows.first);
      work(rows, zone);
    }
  }
  static const Zone* find_zone(const FilterFragment::Leaf& leaf, uint64_t zone) {
    return leaf.zones->size() == 0 ? nullptr : leaf.zones->find(zone);
  }
  static PruneResult prune(const FilterFragment::Leaf& leaf, uint64_t zone, const Zone& known) {
    return leaf.predicate->prune(known, leaf.zones->rows_of(zone).rows());
  }

  void narrow_zone(const FilterFragment::Leaf& leaf, RowRange rows, uint64_t zone, Bits& bits) {
    const Zone* known = find_zone(leaf, zone);
    if (known == nullptr || prune(leaf, zone, *known) == PruneResult::Some) {
      const auto few = filter_few(leaf, fragment_.table(), rows, rows_.first, bits, state_.arena_,
                                  state_.context_, state_.readahead_);
      if (few) {
        filter_.mark_read(leaf.index);
        zones_read_ += few->values != 0;
        values_ += few->values;
        bytes_ += few->bytes;
        return;
      }
    }
    read_zone(
        leaf, rows, zone, [&](RowRange at) { return any_bits(bits, at.first, at.last); },
        [&](RowRange at, bool all) {
          if (!all) clear_bits(bits, at.first, at.last);
        },
        [&](const ColumnChunk& chunk, RowRange at) {
          narrow_bits(bits, at, [&](uint64_t* words) {
            leaf.predicate->filter(chunk, words, state_.context_);
          });
        });
  }

  // Counts rows for a predicate that is a single test.
  uint64_t count_zone(const FilterFragment::Leaf& leaf, RowRange rows, uint64_t zone) {
    const Zone* known = find_zone(leaf, zone);
    if (known != nullptr && rows.rows() == leaf.zones->rows_of(zone).rows()) {
      if (const auto count = leaf.predicate->known_count(*known, rows.rows())) return *count;
    }
    uint64_t found = 0;
    read_zone(
        leaf, rows, zone, [](RowRange) { return true; },
        [&](RowRange at, bool all) { found += all ? at.rows() : 0; },
        [&](const ColumnChunk& chunk, RowRange at) {
          if (const auto count = leaf.predicate->count(chunk, state_.context_)) {
            found += *count;
            return;
          }
          set_first_bits(state_.chunk_bits_, at.rows());
          leaf.predicate->filter(chunk, state_.chunk_bits_.data(), state_.context_);
          found += count_bits(state_.chunk_bits_);
        });
    return found;
  }

  // Tests some rows of a zone: calls is_open(rows), whether they are still needed, then
  // decided(rows, all) if the zone decides, otherwise test(chunk, rows) for each chunk. Rows are
  // relative to the morsel. Stores the statistics of a zone read as a whole; reads nothing just for
  // them.
  template <class IsOpen, class Decided, class Test>
  void read_zone(const FilterFragment::Leaf& leaf, RowRange rows, uint64_t zone, IsOpen is_open,
                 Decided decided, Test test) {
    if (!is_open(in_morsel(rows))) return;
    const Zone* known = find_zone(leaf, zone);
    const PruneResult pruned = known == nullptr ? PruneResult::Some : prune(leaf, zone, *known);
    if (pruned != PruneResult::Some) return decided(in_morsel(rows), pruned == PruneResult::All);
    ++zones_read_;
    const bool whole = leaf.zones->size() != 0 && rows.rows() == leaf.zones->rows_of(zone).rows();
    bool is_new = known == nullptr && whole;
    Zone seen;
    filter_.mark_read(leaf.index);
    for (RowRange some = rows; some.first < rows.last; some.first = some.last) {
      const uint64_t most = leaf.rows_at_once - some.first % leaf.rows_at_once;
      some.last = some.first + std::min(most, rows.last - some.first);
      if (!is_open(in_morsel(some))) {
        is_new = false;
        continue;
      }
      state_.context_.check_cancelled();
      state_.arena_.reset();
      ColumnChunk chunk = leaf.predicate->read(*leaf.column, some, state_.arena_, state_.context_);
      values_ += some.rows();
      bytes_ += chunk.bytes;
      if (is_new) seen.merge(zone_of(chunk));
      const Zone* bounds = is_new ? &seen : known;
      if (bounds != nullptr && leaf.has_codes()) {
        chunk.largest_code = bounds->has_bounds() ? bounds->high : 0;
      }
      test(chunk, in_morsel(some));
    }
    if (is_new) leaf.zones->set(zone, seen);
  }
  RowRange in_morsel(RowRange rows) const noexcept {
    return {rows.first - rows_.first, rows.last - rows_.first};
  }

  void narrow_computed(const FilterNode& node, Bits& bits) {
    const bool expected = std::get<Holds>(*node.predicate).expected;
    const KeyResults* by_key = fragment_.key_results(*node.program);
    Arena vectors(state_.context_.memory);
    Evaluator evaluator(*node.program, *this, vectors, state_.context_);
    each_computed(bits, [&](RowRange some) {
      if (by_key != nullptr && narrow_by_keys(node, *by_key, some, bits)) return;
      chunks_read_.clear();
      evaluator.move_to(some);
      narrow_bits(bits, in_morsel(some), [&](uint64_t* words) {
        for (uint64_t first = 0; first < some.rows(); first += kVectorRows) {
          const uint64_t count = std::min(kVectorRows, some.rows() - first);
          keep_where(evaluator, first, count, expected, words + first / 64);
        }
      });
    });
  }

  // Tests rows by the results of a computed predicate for keys or codes. Returns false, and tests
  // none, if the predicate must be computed for these rows.
  bool narrow_by_keys(const FilterNode& node, const KeyResults& by_key, RowRange some,
                      Bits& bits) {
    const bool expected = std::get<Holds>(*node.predicate).expected;
    filter_.mark_read(node.program->columns().front());
    const auto rows = by_key.read(some, state_.arena_, state_.context_);
    if (!rows) return false;
    values_ += some.rows();
    bytes_ += rows->indices.size_bytes();
    narrow_bits(bits, in_morsel(some), [&](uint64_t* words) {
      keep_rows(some.rows(), words, [&](uint64_t i) {
        const uint32_t index = rows->indices[i];
        return !rows->results.is_null(index) && rows->results.data.bit(index) == expected;
      });
    });
    return true;
  }

  // Calls work(rows of the morsel) for up to kComputedRows rows at a time of which some are still
  // selected, with an empty arena.
  template <class Work>
  void each_computed(const Bits& bits, Work work) {
    for (RowRange some = rows_; some.first < rows_.last; some.first = some.last) {
      some.last = some.first + std::min(kComputedRows, rows_.last - some.first);
      if (!any_bits(bits, some.first - rows_.first, some.last - rows_.first)) continue;
      state_.context_.check_cancelled();
      state_.arena_.reset();
      work(some);
    }
  }

  static void keep_where(Evaluator& evaluator, uint64_t first, uint64_t count, bool expected,
                         uint64_t* words) {
    const uint64_t* const end = words + bit_words(count);
    if (std::all_of<const uint64_t*>(words, end, [](uint64_t word) { return word == 0; })) return;
    const Vector holds = evaluator.evaluate(first, count, words);
    const uint64_t turned = expected ? 0 : UINT64_MAX;
    for (uint64_t i = 0; words + i < end; ++i) {
      words[i] &= (holds.as<uint64_t>()[i] ^ turned) & holds.valid[i];
    }
  }

  // Calls work(words) with the bits of some rows, from the first bit of a word on and without bits
  // of other rows.
  template <class Work>
  void narrow_bits(Bits& bits, RowRange at, Work work) {
    const bool in_place = at.first % 64 == 0 && (at.last % 64 == 0 || at.last == rows_.rows());
    if (in_place) return work(bits.data() + at.first / 64);
    extract_bits(bits, at.first, at.last, state_.chunk_bits_);
    work(state_.chunk_bits_.data());
    replace_bits(bits, at.first, at.last, state_.chunk_bits_);
  }

  // Reads a column of a computed predicate, once for the current rows.
  const ColumnChunk& read(uint64_t column, RowRange range) override {
    for (const auto& [index, chunk] : chunks_read_) {
      if (index == column && chunk->rows.first == range.first) return *chunk;
    }
    filter_.mark_read(column);
    auto chunk = std::make_unique<ColumnChunk>(vector_input(
        internals(fragment_.table()).column(column), range, state_.arena_, state_.context_));
    values_ += range.rows();
    bytes_ += range.rows() * internals(fragment_.table()).column(column).type().width();
    return *chunks_read_.emplace_back(column, std::move(chunk)).second;
  }

  void count_up() const {
    if (filter_.metrics_ == nullptr) return;
    QueryMetrics& metrics = *filter_.metrics_;
    const auto add = [](std::atomic<uint64_t>& counter, uint64_t more) {
      counter.fetch_add(more, std::memory_order_relaxed);
    };
    const uint64_t zones = fragment_.zones_in(rows_);
    add(metrics.zones, zones);
    add(metrics.zones_skipped, zones - std::min(zones, zones_read_));
    add(metrics.values_tested, values_);
    add(metrics.bytes_tested, bytes_);
    add(metrics.rows_selected, state_.count_);
  }

  const Filter& filter_;
  FilterFragment& fragment_;
  const std::vector<FilterFragment::Leaf>& leaves_;
  const RowRange rows_;
  FilterState& state_;
  std::vector<std::pair<uint64_t, std::unique_ptr<ColumnChunk>>> chunks_read_;
  uint64_t zones_read_ = 0, values_ = 0, bytes_ = 0;
};

FilterState::FilterState(const Context& context, const Readahead* readahead)
    : readahead_(readahead), arena_(context.memory) {
  context_.cancel = context.cancel;
  context_.memory = context.memory;
}

Filter::Filter(const Predicate& predicate, RowRange range, const Context& context,
               QueryMetrics* metrics, bool trusts_keys, uint64_t numbered_from)
    : predicate_(predicate),
      metrics_(metrics),
      has_read_(std::make_unique<std::atomic<bool>[]>(predicate.columns().size())) {
  const Table& table = *predicate.table();
  const SourceText source{bytes_of(table).name(), "predicate", predicate.text()};
  root_ = std::make_unique<const FilterNode>(bound_of(predicate), source, leaves_);
  const auto columns = predicate.columns();
  const bool as_one = std::any_of(columns.begin(), columns.end(),
                                  [&](uint64_t column) { return spans_files(table, column); });
  const Fragment whole{&table, 0};
  for (const Fragment& fragment : as_one ? std::span(&whole, 1) : internals(table).fragments()) {
    const uint64_t last = fragment.first_row + fragment.table->rows();
    add_fragment(fragment,
                 {std::clamp(range.first, fragment.first_row, last) - fragment.first_row,
                  std::clamp(range.last, fragment.first_row, last) - fragment.first_row},
                 trusts_keys, numbered_from, context);
  }
}

Filter::~Filter() = default;

void Filter::add_fragment(const Fragment& of, RowRange range, bool trusts_keys,
                          uint64_t numbered_from, const Context& context) {
  const FilterFragment& fragment =
      *fragments_.emplace_back(std::make_unique<FilterFragment>(*of.table, leaves_, context));
  const RowRange open =
      trusts_keys ? key_range(*of.table, bound_of(predicate_), range, context) : range;
  morsels_.add_fragment(numbered_from + of.first_row, open, fragment.morsel_rows());
  if (metrics_ == nullptr) return;
  const uint64_t ruled_out = fragment.zones_in(range) - fragment.zones_in(open);
  metrics_->zones += ruled_out;
  metrics_->zones_skipped += ruled_out;
}

const Table& Filter::table_of(const Morsel& morsel) const noexcept {
  return fragments_[morsel.fragment]->table();
}

uint64_t Filter::count(const Morsel& morsel, FilterState& state) const {
  return Selecting(*this, morsel, state).count();
}

void Filter::select(const Morsel& morsel, FilterState& state) const {
  Selecting(*this, morsel, state).run();
}

void Filter::mark_read(uint64_t column) const {
  const auto columns = predicate_.columns();
  const auto at = std::lower_bound(columns.begin(), columns.end(), column);
  std::atomic<bool>& has_read = has_read_[at - columns.begin()];
  if (has_read.load(std::memory_order_relaxed)) return;
  if (!has_read.exchange(true, std::memory_order_relaxed) && metrics_ != nullptr) {
    ++metrics_->columns;
  }
}

}  // namespace heron::inline v0

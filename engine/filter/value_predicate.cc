#include "filter/value_predicate.h"

#include <algorithm>

#include "columns/row_bits.h"
#include "filter/ranges.h"
#include "filter/zone_ranges.h"
#include "values/cells.h"
#include "values/scalar.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

// Returns the intervals of a type's numbers: int64_t for signed ones, and so on.
template <class T>
const auto& intervals_of(const ValueSet& set) {
  if constexpr (std::is_floating_point_v<T>)
    return std::get<std::vector<Interval<double>>>(set.intervals);
  else if constexpr (std::is_signed_v<T>)
    return std::get<std::vector<Interval<int64_t>>>(set.intervals);
  else
    return std::get<std::vector<Interval<uint64_t>>>(set.intervals);
}

class NeverPredicate final : public ColumnPredicate {
 public:
  PruneResult prune(const Zone&, uint64_t) const override { return PruneResult::None; }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context&) const override {
    keep_none(chunk.rows.rows(), rows);
  }
};

class BoolPredicate final : public ColumnPredicate {
 public:
  explicit BoolPredicate(const ValueSet& set) : zones_(set) {
    for (const auto& [low, high] : intervals_of<uint64_t>(set)) {
      with_false_ |= low == 0;
      with_true_ |= low <= 1 && high >= 1;
    }
  }
  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    return zones_.prune(zone, zone_rows);
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context&) const override {
    const CellSpan cells = cells_of(chunk);
    if (!with_false_) keep_bits(cells.cells, true, cells.rows, rows);
    if (!with_true_) keep_bits(cells.cells, false, cells.rows, rows);
    keep_valid(cells.validity, cells.rows, rows);
  }

 private:
  ZoneRanges zones_;
  bool with_false_ = false, with_true_ = false;
};

// Tests cells that are numbers.
template <class T>
class NumberPredicate final : public ColumnPredicate {
 public:
  explicit NumberPredicate(const ValueSet& set)
      : zones_(set),
        all_(intervals_of<T>(set), set.nan, false),
        but_null_(intervals_of<T>(set), false, true) {}
  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    return zones_.prune(zone, zone_rows);
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context&) const override {
    const CellSpan cells = cells_of(chunk);
    in(cells).keep(cells, rows);
    keep_valid(cells.validity, cells.rows, rows);
  }
  std::optional<uint64_t> count(const ColumnChunk& chunk, const Context&) const override {
    const CellSpan cells = cells_of(chunk);
    return cells.validity == nullptr ? in(cells).count(cells) : std::nullopt;
  }

 private:
  const Ranges<T>& in(const CellSpan& cells) const {
    return cells.can_encode_null() ? but_null_ : all_;
  }

  ZoneRanges zones_;
  Ranges<T> all_;
  Ranges<T> but_null_;  // for cells that encode null
};

UInt128 number_of(const RowId& id) {
  return UInt128{id.high} << 64 | id.low;
}
int64_t number_of(const DateTimeOffset& time) {
  return instant_of(time);
}
bool is_sentinel(const RowId&) {
  return false;
}
bool is_sentinel(const DateTimeOffset& time) {
  return time.ticks == INT64_MIN;
}

// Tests cells of 16 bytes, which are compared as T.
template <class Cell, class T>
class StructPredicate final : public ColumnPredicate {
 public:
  explicit StructPredicate(const ValueSet& set)
      : zones_(set), intervals_(std::get<std::vector<Interval<T>>>(set.intervals)) {}
  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    return zones_.prune(zone, zone_rows);
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context&) const override {
    const CellSpan cells = cells_of(chunk);
    const bool sentinel = cells.nulls == NullEncoding::Sentinel;
    keep_rows(cells.rows, rows, [&](uint64_t i) {
      const auto cell = load_cell<Cell>(cells.cells, i);
      return !(sentinel && is_sentinel(cell)) && contains(number_of(cell));
    });
    keep_valid(cells.validity, cells.rows, rows);
  }

 private:
  bool contains(T number) const {
    const auto at = std::partition_point(
        intervals_.begin(), intervals_.end(),
        [number](const Interval<T>& interval) { return interval.high < number; });
    return at != intervals_.end() && at->low <= number;
  }

  ZoneRanges zones_;
  std::vector<Interval<T>> intervals_;
};

// Tests decimals. One interval is the usual case: its test has no branch.
class DecimalPredicate final : public ColumnPredicate {
 public:
  explicit DecimalPredicate(const ValueSet& set)
      : zones_(set), intervals_(std::get<std::vector<Interval<Int128>>>(set.intervals)) {}
  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    return zones_.prune(zone, zone_rows);
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context&) const override {
    const CellSpan cells = cells_of(chunk);
    if (intervals_.size() == 1) {
      const Interval<Int128> only = intervals_.front();
      dispatch<KeepDecimals>(cells.cells, cells.rows, only.low,
                             static_cast<UInt128>(only.high) - static_cast<UInt128>(only.low),
                             rows);
    } else {
      keep_rows(cells.rows, rows,
                [&](uint64_t i) { return contains(load_cell<Int128>(cells.cells, i)); });
    }
    keep_valid(cells.validity, cells.rows, rows);
  }

 private:
  struct KeepDecimals {
    HERON_INLINE static void run(const std::byte* cells, uint64_t count, Int128 low, UInt128 width,
                                 uint64_t* rows) {
      alignas(64) uint8_t flags[64];
      for (uint64_t first = 0; first < count; first += 64) {
        const uint64_t here = std::min<uint64_t>(64, count - first);
        for (uint64_t i = 0; i < here; ++i) {
          const auto above =
              load_cell<UInt128>(cells, first + i) - static_cast<UInt128>(low);
          flags[i] = static_cast<uint8_t>(-int{above <= width});
        }
        for (uint64_t i = here; i < 64; ++i) flags[i] = 0;
        rows[first / 64] &= pack_flags(flags);
      }
    }
  };
  bool contains(Int128 units) const {
    const auto at = std::partition_point(
        intervals_.begin(), intervals_.end(),
        [units](const Interval<Int128>& interval) { return interval.high < units; });
    return at != intervals_.end() && at->low <= units;
  }

  ZoneRanges zones_;
  std::vector<Interval<Int128>> intervals_;
};

}  // namespace

std::unique_ptr<const ColumnPredicate> make_value_predicate(const ValueSet& set, const Type& type) {
  if (type.is(Type::Null)) return std::make_unique<NeverPredicate>();
  if (type.is(Type::Bool)) return std::make_unique<BoolPredicate>(set);
  if (type.has_bytes())
    return make_text_predicate(std::get<std::vector<TextInterval>>(set.intervals));
  if (type.is(Type::RowId)) return std::make_unique<StructPredicate<RowId, UInt128>>(set);
  if (type.is(Type::Decimal)) return std::make_unique<DecimalPredicate>(set);
  if (type.is(Type::DateTimeOffset)) {
    return std::make_unique<StructPredicate<DateTimeOffset, int64_t>>(set);
  }
  return visit_cell_type(type, [&]<class T>() -> std::unique_ptr<const ColumnPredicate> {
    return std::make_unique<NumberPredicate<T>>(set);
  });
}

}  // namespace heron::inline v0

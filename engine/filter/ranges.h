// A set of numbers, prepared for cells of one type: the cheapest test for its intervals.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <vector>

#include "columns/column_chunk.h"
#include "columns/row_bits.h"
#include "expression/bound_predicate.h"
#include "filter/range_avx2.h"

namespace heron::inline v0 {

// Immutable, thread-safe.
template <class T>
class Ranges {
 public:
  // Takes ascending, disjoint intervals, limited to what T can hold, and without T's minimum if
  // that is no value.
  template <class Wide>
  Ranges(const std::vector<Interval<Wide>>& intervals, bool nan, bool without_least) : nan_(nan) {
    using Limits = std::numeric_limits<T>;
    Wide least = Limits::lowest(), most = Limits::max();
    if constexpr (std::is_floating_point_v<T>) {
      least = -Limits::infinity();
      most = Limits::infinity();
    } else if (without_least) {
      ++least;
    }
    for (const Interval<Wide>& interval : intervals) {
      const Wide low = interval.low < least ? least : interval.low;
      const Wide high = most < interval.high ? most : interval.high;
      if (!(low <= high)) continue;
      lows_.push_back(static_cast<T>(low));
      highs_.push_back(static_cast<T>(high));
    }
    if (lows_.size() <= kMaxCompared) return;
    if constexpr (sizeof(T) <= 2)
      make_table();
    else
      make_hashes();
  }

  // Clears the bits of cells that are not in the set, regardless of nulls.
  void keep(const CellSpan& cells, uint64_t* rows) const {
#if defined(HERON_X86_64_V3)
    if constexpr (std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t>) {
      if (cells.swapped && lows_.size() == 1 && has_x86_64_v3()) {
        return avx2::keep_cells<T, 1, true>(cells.cells, cells.rows, any_of<1>(), rows);
      }
    }
#endif
    for_native_cells(cells, [&](const std::byte* native, uint64_t first, uint64_t count) {
      keep(native, count, rows + first / 64);
    });
  }
  // Returns how many cells are in the set, if counting is faster than keep(); else nullopt.
  std::optional<uint64_t> count([[maybe_unused]] const CellSpan& cells) const {
#if defined(HERON_X86_64_V3)
    if (nan_ || lows_.size() != 1 || !has_x86_64_v3()) return std::nullopt;
    if constexpr (std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t>) {
      if (cells.swapped) return avx2::count_cells<T, true>(cells.cells, cells.rows, any_of<1>());
    }
    return avx2::count_cells<T, false>(cells.cells, cells.rows, any_of<1>());
#else
    return std::nullopt;
#endif
  }
  // Keeps consecutive cells in the machine's byte order.
  void keep(const std::byte* cells, uint64_t count, uint64_t* rows) const {
    if (lows_.size() <= 1) {
      lows_.empty() ? keep_by(InNone(), cells, count, rows)
                    : keep_by(any_of<1>(), cells, count, rows);
    } else if (lows_.size() <= 2) {
      keep_by(any_of<2>(), cells, count, rows);
    } else if (lows_.size() <= kMaxCompared) {
      keep_by(any_of<kMaxCompared>(), cells, count, rows);
    } else if constexpr (sizeof(T) <= 2) {
      keep_by(InTable<T>{table_.get()}, cells, count, rows);
    } else {
      const InSorted<T> sorted{lows_.data(), highs_.data(), lows_.size()};
      if (hashes_.empty()) return keep_by(sorted, cells, count, rows);
      keep_by(InHashes<T>{hashes_.data(), hash_shift_}, cells, count, rows);
      keep_rows(count, rows, [&](uint64_t row) {
        const T value = load_cell<T>(cells, row);
        return sorted(value) || (nan_ && value != value);
      });
    }
  }

 private:
  static constexpr unsigned kMaxCompared = 4;

  // Hashes sets whose intervals have few numbers, into some 64 bits per interval: one in 64 other
  // numbers is searched for.
  void make_hashes() {
    constexpr uint64_t kMaxBits = uint64_t{1} << 22, kMaxValues = 8;
    const auto values_in = [&](size_t i) -> uint64_t {
      if constexpr (std::is_floating_point_v<T>) return lows_[i] == highs_[i] ? 1 : kMaxValues + 1;
      return std::min<uint64_t>(static_cast<uint64_t>(highs_[i]) - static_cast<uint64_t>(lows_[i]),
                                kMaxValues) + 1;
    };
    for (size_t i = 0; i < lows_.size(); ++i) {
      if (values_in(i) > kMaxValues) return;
    }
    const uint64_t bits = std::min(kMaxBits, std::bit_ceil(64 * lows_.size()));
    hashes_.resize(bits / 64);
    hash_shift_ = static_cast<unsigned>(64 - std::countr_zero(bits));
    for (size_t i = 0; i < lows_.size(); ++i) {
      for (uint64_t k = 0; k < values_in(i); ++k) {
        const uint64_t bit = InHashes<T>::hash(static_cast<T>(lows_[i] + static_cast<T>(k)))
                             >> hash_shift_;
        hashes_[bit / 64] |= uint64_t{1} << (bit % 64);
      }
    }
  }

  void make_table() {
    using Unsigned = std::make_unsigned_t<T>;
    table_ = std::make_unique<bool[]>(uint64_t{std::numeric_limits<Unsigned>::max()} + 1);
    for (size_t i = 0; i < lows_.size(); ++i) {
      for (int64_t value = lows_[i]; value <= highs_[i]; ++value) {
        table_[static_cast<Unsigned>(value)] = true;
      }
    }
  }

  // Repeats the last interval for the missing ones.
  template <unsigned kRanges>
  InAnyRange<T, kRanges> any_of() const {
    InAnyRange<T, kRanges> test;
    for (size_t i = 0; i < kRanges; ++i) {
      const size_t of = std::min(i, lows_.size() - 1);
      test.ranges[i] = {lows_[of], highs_[of]};
    }
    return test;
  }

  template <unsigned kRanges>
  void keep_by(InAnyRange<T, kRanges> test, const std::byte* cells, uint64_t count,
               uint64_t* rows) const {
#if defined(HERON_X86_64_V3)
    if (!nan_ && has_x86_64_v3()) return avx2::keep_cells<T>(cells, count, test, rows);
#endif
    keep_any(test, cells, count, rows);
  }
  template <class Test>
  void keep_by(Test test, const std::byte* cells, uint64_t count, uint64_t* rows) const {
    keep_any(test, cells, count, rows);
  }

  template <class Test>
  void keep_any(Test test, const std::byte* cells, uint64_t count, uint64_t* rows) const {
    if constexpr (std::is_floating_point_v<T>) {
      using Either = OrNaN<T, Test>;
      if (nan_) return dispatch<KeepCells<T, Either>>(cells, count, Either{test}, rows);
    }
    dispatch<KeepCells<T, Test>>(cells, count, test, rows);
  }

  std::vector<T> lows_, highs_;
  std::unique_ptr<bool[]> table_;
  std::vector<uint64_t> hashes_;  // bits; empty: unused
  unsigned hash_shift_ = 0;
  bool nan_;
};

}  // namespace heron::inline v0

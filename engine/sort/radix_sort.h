// Sorts entries by eight bytes of their keys, from the highest bits on that differ.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/zeroed_array.h"
#include "heron/values.h"

namespace heron::inline v0 {

// An Entry has a `prefix`, by which entries are ordered first; is_before(a, b) orders entries of
// equal prefixes too. Sorts on the threads of the Context.
template <class Entry, class IsBefore>
class RadixSort {
 public:
  using Entries = ZeroedArray<Entry>;

  RadixSort(IsBefore is_before, const Context& context)
      : is_before_(is_before), context_(context) {}

  // Returns the entries of all parts in order. Needs memory for as many entries once more, and for
  // the longest ranges that differ in a few bits only.
  Entries operator()(std::vector<Entries> parts) const {
    if (is_sorted(parts)) return joined(std::move(parts));
    Entries sorted;
    std::vector<RowRange> ranges = spread(pieces_of(parts), sorted);
    parts.clear();
    Spares spares;
    split_long_ranges(ranges, sorted.data(), spares);
    parallel_for(ranges.size(), context_, [&](uint64_t i, const Context&) {
      spares.use(ranges[i].rows(), [&](Entry* spare) {
        sort(sorted.data() + ranges[i].first, spare, ranges[i].rows(), false);
      });
    });
    return sorted;
  }

 private:
  static constexpr uint64_t kMaxCompared = 64;  // fewer entries are sorted by comparing them
  static constexpr unsigned kMaxBits = 11;      // bits of a digit
  static constexpr uint64_t kPiece = 1 << 16;

  // Some bits of a prefix.
  struct Digit {
    unsigned shift = 0, bits = 0;

    // Returns the highest bits that differ among some entries, as many bits as suit the number of
    // entries.
    Digit(uint64_t differ, uint64_t entries)
        : bits(std::clamp(static_cast<unsigned>(std::bit_width(entries)) - 3, 4U, kMaxBits)) {
      const auto top = static_cast<unsigned>(std::bit_width(differ));
      shift = top - std::min(top, bits);
    }
    uint64_t count() const noexcept { return uint64_t{1} << bits; }
    uint64_t of(const Entry& entry) const noexcept {
      return entry.prefix >> shift & (count() - 1);
    }
  };
  using Counts = std::array<uint64_t, (1 << kMaxBits) + 1>;

  // Memory for one range of each thread at a time.
  class Spares {
   public:
    template <class Use>
    void use(uint64_t entries, Use use) {
      Entries spare;
      if (const std::lock_guard lock(mutex_); !free_.empty()) {
        spare = std::move(free_.back());
        free_.pop_back();
      }
      spare.truncate(0);
      spare.resize_for_overwrite(entries);
      use(spare.data());
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(spare));
    }

   private:
    std::mutex mutex_;
    std::vector<Entries> free_;
  };

  bool is_sorted(const std::vector<Entries>& parts) const {
    const Entry* last = nullptr;
    for (const Entries& part : parts) {
      if (part.empty()) continue;
      if (last != nullptr && is_before_(part[0], *last)) return false;
      if (!std::is_sorted(part.begin(), part.end(), is_before_)) return false;
      last = &part[part.size() - 1];
    }
    return true;
  }
  static Entries joined(std::vector<Entries> parts) {
    if (parts.size() == 1) return std::move(parts[0]);
    Entries all;
    for (const Entries& part : parts) all.append(part.data(), part.size());
    return all;
  }
  static std::vector<std::span<const Entry>> pieces_of(const std::vector<Entries>& parts) {
    std::vector<std::span<const Entry>> pieces;
    for (const Entries& part : parts) {
      for (uint64_t first = 0; first < part.size(); first += kPiece) {
        pieces.emplace_back(part.data() + first, std::min(kPiece, part.size() - first));
      }
    }
    return pieces;
  }
  static uint64_t differing(std::span<const Entry> entries, uint64_t one) noexcept {
    uint64_t differ = 0;
    for (const Entry& entry : entries) differ |= entry.prefix ^ one;
    return differ;
  }

  // Copies the pieces to `sorted`, by their first digit. Returns the ranges of entries of one
  // digit.
  std::vector<RowRange> spread(const std::vector<std::span<const Entry>>& pieces,
                               Entries& sorted) const {
    uint64_t size = 0;
    for (const auto& piece : pieces) size += piece.size();
    const auto for_pieces = [&](auto use) {
      parallel_for(pieces.size(), context_, [&](uint64_t i, const Context&) { use(i); });
    };
    std::vector<uint64_t> differ(pieces.size());
    for_pieces([&](uint64_t i) { differ[i] = differing(pieces[i], pieces[0][0].prefix); });
    const Digit digit(std::reduce(differ.begin(), differ.end(), uint64_t{0}, std::bit_or()), size);
    // starts[i][d] is first the number of entries of piece i with digit d, then the index to which
    // they are copied.
    std::vector<Counts> starts(pieces.size());
    for_pieces([&](uint64_t i) {
      starts[i].fill(0);
      for (const Entry& entry : pieces[i]) ++starts[i][digit.of(entry)];
    });
    std::vector<RowRange> ranges;
    for (uint64_t d = 0, next = 0; d < digit.count(); ++d) {
      const uint64_t first = next;
      for (Counts& of_piece : starts) next += std::exchange(of_piece[d], next);
      if (first != next) ranges.push_back({first, next});
    }
    sorted.resize_for_overwrite(size);
    for_pieces([&](uint64_t i) {
      for (const Entry& entry : pieces[i]) sorted[starts[i][digit.of(entry)]++] = entry;
    });
    return ranges;
  }

  // Splits ranges that would take one of several threads too long.
  void split_long_ranges(std::vector<RowRange>& ranges, Entry* sorted, Spares& spares) const {
    constexpr uint64_t kShares = 4;
    const uint64_t threads = thread_count(context_);
    if (threads == 1) return;
    const uint64_t most = std::max(ranges.back().last / threads / kShares, kMaxCompared);
    for (uint64_t i = 0; i < ranges.size(); ++i) {
      const RowRange range = ranges[i];
      if (range.rows() <= most) continue;
      Entry* const here = sorted + range.first;
      spares.use(range.rows(), [&](Entry* spare) {
        const auto add = [&](uint64_t first, uint64_t last) {
          ranges.push_back({range.first + first, range.first + last});
        };
        if (!split(here, spare, range.rows(), add)) return;
        std::copy(spare, spare + range.rows(), here);
        ranges[i] = {};
      });
    }
  }

  // Moves entries to other memory, by the highest bits in which they differ, and calls
  // use(first, last) for those of each digit. Returns false, and moves nothing, if none differ.
  template <class Use>
  static bool split(const Entry* from, Entry* to, uint64_t entries, Use use) {
    const uint64_t differ = differing({from, entries}, from->prefix);
    if (differ == 0) return false;
    const Digit digit(differ, entries);
    Counts ends;
    std::fill_n(ends.begin(), digit.count() + 1, 0);
    for (uint64_t i = 0; i < entries; ++i) ++ends[digit.of(from[i]) + 1];
    for (uint64_t d = 1; d < digit.count(); ++d) ends[d] += ends[d - 1];
    for (uint64_t i = 0; i < entries; ++i) to[ends[digit.of(from[i])]++] = from[i];
    for (uint64_t d = 0, first = 0; d < digit.count(); first = ends[d++]) {
      if (ends[d] != first) use(first, ends[d]);
    }
    return true;
  }

  // Sorts entries; they end in `other` if ends_in_other.
  void sort(Entry* from, Entry* other, uint64_t entries, bool ends_in_other) const {
    const bool is_split =
        entries > kMaxCompared && split(from, other, entries, [&](uint64_t first, uint64_t last) {
          sort(other + first, from + first, last - first, !ends_in_other);
        });
    if (is_split) return;
    if (!std::is_sorted(from, from + entries, is_before_)) {
      std::sort(from, from + entries, is_before_);
    }
    if (ends_in_other) std::copy(from, from + entries, other);
  }

  const IsBefore is_before_;
  const Context& context_;
};

}  // namespace heron::inline v0

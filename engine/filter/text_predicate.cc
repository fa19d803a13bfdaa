// Tests texts. To find one or some texts, lengths are compared first: that excludes most texts.
#include <algorithm>
#include <bit>
#include <set>
#include <string_view>
#include <vector>

#include "columns/row_bits.h"
#include "expression/functions/like_match.h"
#include "filter/find_text.h"
#include "filter/range_kernels.h"
#include "filter/text_kernels.h"
#include "filter/text_table.h"
#include "filter/value_predicate.h"
#include "filter/zone_ranges.h"
#include "values/text_cells.h"

namespace heron::inline v0 {
namespace {

// Clears the bits of rows whose text does not have this beginning or this ending, of which up to
// eight bytes each are compared. May leave the bits of some such rows.
template <class Offset>
void keep_ends(const TextCells<Offset>& texts, std::string_view beginning, std::string_view ending,
               uint64_t* rows) {
  beginning = beginning.substr(0, kEight);
  if (ending.size() > kEight) ending.remove_prefix(ending.size() - kEight);
  const auto number = [](std::string_view bytes) {
    return first_eight(bytes.data(), bytes.size(), bytes.size());
  };
  const auto shift = static_cast<unsigned>(8 * (kEight - ending.size()));
  if (!are_many_left(texts, rows)) return;
  const RowRange some = readable_rows(texts);
  if (!beginning.empty()) {
    const EightBytes at_start{low_bytes(beginning.size()), number(beginning)};
    dispatch<KeepStart<Offset>>(texts, some, at_start, rows);
  }
  if (!ending.empty()) {
    const EightBytes at_end{UINT64_MAX << shift, number(ending) << shift};
    dispatch<KeepEnd<Offset>>(texts, some, at_end, rows);
  }
}

// Clears the bits of the rows that keep(bits) keeps.
template <class Keep>
void keep_others(uint64_t count, uint64_t* rows, Keep keep) {
  std::vector<uint64_t> found(rows, rows + bit_words(count));
  keep(found.data());
  for (size_t i = 0; i < found.size(); ++i) rows[i] &= ~found[i];
}

// Clears the bits of rows whose text is not `target`.
template <class Offset>
void keep_equal(const TextCells<Offset>& texts, std::string_view target, uint64_t* rows) {
  keep_lengths(texts, target.size(), target.size(), rows);
  if (target.empty()) return;
  keep_ends(texts, target, target.substr(std::min(target.size(), kEight)), rows);
  keep_rows(texts.rows, rows, [&](uint64_t row) { return texts[row] == target; });
}

template <class Offset>
void keep_like(const TextCells<Offset>& texts, const LikeMatch& matches, uint64_t* rows) {
  keep_lengths(texts, matches.least_bytes(), UINT64_MAX, rows);
  keep_ends(texts, matches.beginning(), matches.ending(), rows);
  // If most rows are left, searching all texts at once is faster than each one.
  const std::string_view contained = matches.contained();
  const bool is_at_an_end = contained.data() == matches.beginning().data() ||
                            contained.data() == matches.ending().data();
  const uint64_t left = count_bits({rows, bit_words(texts.rows)});
  if (contained.size() >= 2 && !is_at_an_end && left >= texts.rows / 2) {
    keep_containing(texts, contained, rows);
    if (matches.is_contained_enough()) return;
  }
  keep_rows(texts.rows, rows, [&](uint64_t row) { return matches(texts[row]); });
}

// Returns whether no other text is between `text` and `below`: `below` is `text` and a zero byte.
bool is_only_one(std::string_view text, std::string_view below) {
  return below.size() == text.size() + 1 && below.starts_with(text) && below.back() == '\0';
}

using Texts = std::vector<std::string_view>;

// Returns views of the texts in the intervals if each interval has just one.
std::optional<Texts> only_texts(const std::vector<TextInterval>& intervals) {
  Texts texts;
  for (const TextInterval& interval : intervals) {
    if (!interval.below || !is_only_one(interval.low, *interval.below)) return std::nullopt;
    texts.push_back(interval.low);
  }
  return texts;
}

// Returns views of the texts in none of the intervals if each gap before and between them has one.
std::optional<Texts> texts_left_out(const std::vector<TextInterval>& intervals) {
  Texts texts;
  std::string_view from = "";  // where a gap begins
  for (const TextInterval& interval : intervals) {
    const bool is_at_start = &interval == &intervals.front() && interval.low.empty();
    if (!is_at_start) {
      if (!is_only_one(from, interval.low)) return std::nullopt;
      texts.push_back(from);
    }
    if (!interval.below) return texts;
    from = *interval.below;
  }
  return std::nullopt;
}

// Sets bits for many texts: those of the hashes of their first or last eight bytes, whichever
// differ most.
class HashesOfEnds {
 public:
  explicit HashesOfEnds(const std::vector<std::string_view>& texts) {
    std::set<uint64_t> firsts, lasts;
    bool has_short = false;
    for (const std::string_view text : texts) {
      const TextEnds ends(text, text.size());
      firsts.insert(ends.first);
      lasts.insert(ends.bytes == kEight ? ends.first : ends.last);
      has_short |= ends.bytes < kEight;
    }
    at_end_ = !has_short && lasts.size() > firsts.size();
    const std::set<uint64_t>& eights = at_end_ ? lasts : firsts;
    constexpr uint64_t kBitsAText = 64;
    bits_.resize(std::bit_ceil(eights.size() * kBitsAText) / 64);
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(64 * bits_.size()));
    for (const uint64_t eight : eights) {
      const uint64_t bit = InHashes<uint64_t>::hash(eight) >> shift_;
      bits_[bit / 64] |= uint64_t{1} << (bit % 64);
    }
  }

  // Clears the bits of rows whose text is not among the texts, but may leave some of these. Rows
  // whose bit is set must not have a text that is shorter than all of the texts.
  template <class Offset>
  void keep(const TextCells<Offset>& texts, uint64_t* rows) const {
    if (!are_many_left(texts, rows)) return;
    const InHashes<uint64_t> hashes{bits_.data(), shift_};
    const RowRange some = readable_rows(texts);
    at_end_ ? dispatch<KeepHashes<Offset, true>>(texts, some, hashes, rows)
            : dispatch<KeepHashes<Offset, false>>(texts, some, hashes, rows);
  }

 private:
  bool at_end_ = false;
  std::vector<uint64_t> bits_;
  unsigned shift_ = 0;
};

// Tests whether a text is one of some texts, or none of them; `intervals` holds the texts that
// pass.
class EqualTexts final : public ColumnPredicate {
 public:
  EqualTexts(const std::vector<TextInterval>& intervals, Texts texts, bool others)
      : zones_({intervals, false}),
        texts_(std::move(texts)),
        others_(others),
        hashes_(texts_),
        table_(texts_) {
    for (const std::string_view text : texts_) {
      least_ = std::min<uint64_t>(least_, text.size());
      most_ = std::max<uint64_t>(most_, text.size());
    }
  }
  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    return zones_.prune(zone, zone_rows);
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context&) const override {
    keep_valid(chunk.values.validity.data, chunk.values.rows, rows);
    with_texts(chunk.values, [&](const auto& texts) {
      others_ ? keep_others(texts.rows, rows, [&](uint64_t* found) { keep(texts, found); })
              : keep(texts, rows);
    });
  }

 private:
  template <class Offset>
  void keep(const TextCells<Offset>& texts, uint64_t* rows) const {
    if (texts_.size() == 1) return keep_equal(texts, texts_.front(), rows);
    keep_lengths(texts, least_, most_, rows);
    hashes_.keep(texts, rows);
    keep_rows(texts.rows, rows,
              [&](uint64_t row) { return table_.contains(texts[row], texts.ends(row)); });
  }

  ZoneRanges zones_;
  Texts texts_;
  bool others_;
  HashesOfEnds hashes_;
  TextTable table_;
  uint64_t least_ = UINT64_MAX, most_ = 0;
};

// Tests for one interval. The first eight bytes decide for nearly all texts.
class TextRange final : public ColumnPredicate {
 public:
  explicit TextRange(const TextInterval& interval)
      : zones_({std::vector{interval}, false}), low_(interval.low), below_(interval.below) {
    between_ = {in_order(low_), below_ ? in_order(*below_) : UINT64_MAX};
  }
  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    return zones_.prune(zone, zone_rows);
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context&) const override {
    keep_valid(chunk.values.validity.data, chunk.values.rows, rows);
    with_texts(chunk.values, [&]<class Offset>(const TextCells<Offset>& texts) {
      const uint64_t first = texts.rows_before(kEight) / 64 * 64;
      std::vector<uint64_t> undecided(bit_words(texts.rows));
      dispatch<KeepBetween<Offset>>(texts, first, between_, rows, undecided.data());
      // The last texts are too near the end of memory to read eight bytes of each.
      std::copy(rows + first / 64, rows + bit_words(texts.rows), undecided.begin() + first / 64);
      std::vector<uint64_t> without = undecided;
      keep_rows(texts.rows, undecided.data(), [&](uint64_t row) {
        return low_ <= texts[row] && (!below_ || texts[row] < *below_);
      });
      for (size_t i = 0; i < without.size(); ++i) rows[i] &= ~(without[i] & ~undecided[i]);
    });
  }

 private:
  ZoneRanges zones_;
  std::string_view low_;
  std::optional<std::string_view> below_;
  Interval<uint64_t> between_;  // interval of the first eight bytes, big-endian
};

class TextRanges final : public ColumnPredicate {
 public:
  explicit TextRanges(const std::vector<TextInterval>& intervals)
      : zones_({intervals, false}), intervals_(intervals) {}
  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    return zones_.prune(zone, zone_rows);
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context&) const override {
    keep_valid(chunk.values.validity.data, chunk.values.rows, rows);
    with_texts(chunk.values, [&](const auto& texts) {
      keep_rows(texts.rows, rows, [&](uint64_t row) { return contains(texts[row]); });
    });
  }

 private:
  bool contains(std::string_view text) const {
    const auto at = std::partition_point(
        intervals_.begin(), intervals_.end(), [text](const TextInterval& interval) {
          return interval.below && std::string_view(*interval.below) <= text;
        });
    return at != intervals_.end() && std::string_view(at->low) <= text;
  }

  ZoneRanges zones_;
  const std::vector<TextInterval>& intervals_;
};

class LikePredicate final : public ColumnPredicate {
 public:
  LikePredicate(const LikePattern& pattern, bool negated)
      : matches_(pattern), negated_(negated), beginning_(of_beginning(pattern)) {}
  // If the pattern fixes the first bytes, a zone's bounds can show that none matches.
  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    if (zone.null_count == zone_rows) return PruneResult::None;
    if (beginning_.prune(zone, zone_rows) != PruneResult::None) return PruneResult::Some;
    if (!negated_) return PruneResult::None;
    return zone.null_count == 0 ? PruneResult::All : PruneResult::Some;
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context&) const override {
    keep_valid(chunk.values.validity.data, chunk.values.rows, rows);
    with_texts(chunk.values, [&](const auto& texts) {
      if (!negated_) return keep_like(texts, matches_, rows);
      keep_others(texts.rows, rows, [&](uint64_t* found) { keep_like(texts, matches_, found); });
    });
  }

 private:
  // Returns the range of all texts with the fixed first bytes of the pattern.
  static ZoneRanges of_beginning(const LikePattern& pattern) {
    std::string low;
    if (!pattern.pieces.empty() && pattern.pieces.front().kind == LikePattern::Piece::Kind::Text) {
      low = pattern.pieces.front().text;
    }
    std::string below = low;
    while (!below.empty() && below.back() == '\xff') below.pop_back();
    if (below.empty()) return ZoneRanges({std::vector<TextInterval>{{low, {}}}, false});
    below.back() = static_cast<char>(below.back() + 1);
    return ZoneRanges({std::vector<TextInterval>{{low, below}}, false});
  }

  LikeMatch matches_;
  bool negated_;
  ZoneRanges beginning_;
};

}  // namespace

std::unique_ptr<const ColumnPredicate> make_text_predicate(
    const std::vector<TextInterval>& intervals) {
  if (auto texts = only_texts(intervals); texts && !texts->empty()) {
    return std::make_unique<EqualTexts>(intervals, *std::move(texts), false);
  }
  if (auto texts = texts_left_out(intervals); texts && !texts->empty()) {
    return std::make_unique<EqualTexts>(intervals, *std::move(texts), true);
  }
  if (intervals.size() == 1) return std::make_unique<TextRange>(intervals.front());
  return std::make_unique<TextRanges>(intervals);
}

std::unique_ptr<const ColumnPredicate> make_like_predicate(const LikePattern& pattern,
                                                           bool negated) {
  return std::make_unique<LikePredicate>(pattern, negated);
}

}  // namespace heron::inline v0

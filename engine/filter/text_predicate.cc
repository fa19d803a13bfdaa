// Tests of texts. To find one or some texts, lengths are compared first: that excludes most texts.
#include <algorithm>
#include <limits>
#include <string_view>
#include <type_traits>
#include <unordered_set>

#include "filter/like_match.h"
#include "filter/range_kernels.h"
#include "filter/row_bits.h"
#include "filter/value_predicate.h"
#include "filter/zone_ranges.h"

namespace heron::inline v0 {
namespace {

// Clears the bits of rows unless their text has a length from `least` to `least + span`.
template <class Offset>
struct KeepLengths {
  HERON_INLINE static void run(const Offset* offsets, uint64_t count, Offset least, Offset span,
                               uint64_t* rows) {
    using Unsigned = std::make_unsigned_t<Offset>;
    alignas(64) uint8_t flags[64];
    for (uint64_t first = 0; first < count; first += 64) {
      const uint64_t here = count - first < 64 ? count - first : 64;
      const Offset* from = offsets + first;
      for (uint64_t i = 0; i < here; ++i) {
        const auto more = static_cast<Unsigned>(from[i + 1] - from[i] - least);
        flags[i] = static_cast<uint8_t>(-int{more <= static_cast<Unsigned>(span)});
      }
      for (uint64_t i = here; i < 64; ++i) flags[i] = 0;
      rows[first / 64] &= pack_flags(flags);
    }
  }
};

void keep_lengths(const Values& texts, uint64_t least, uint64_t most, uint64_t* rows) {
  const auto keep = [&]<class Offset>() {
    // No text is longer than the largest offset.
    const auto limit = static_cast<uint64_t>(std::numeric_limits<Offset>::max());
    const auto low = static_cast<Offset>(std::min(least, limit));
    const auto high = static_cast<Offset>(std::min(most, limit));
    dispatch<KeepLengths<Offset>>(texts.offsets.as<Offset>(), texts.rows, low,
                                  static_cast<Offset>(high - low), rows);
  };
  texts.type.is(Type::LargeText) ? keep.template operator()<int64_t>()
                                 : keep.template operator()<int32_t>();
}

// Whether an interval is a single text: the only one below itself with a zero byte added.
bool is_one_text(const TextInterval& interval) {
  const std::string_view low = interval.low;
  return interval.below && interval.below->size() == low.size() + 1 &&
         interval.below->starts_with(low) && interval.below->back() == '\0';
}

class EqualTexts final : public ColumnPredicate {
 public:
  explicit EqualTexts(const std::vector<TextInterval>& intervals) : zones_({intervals, false}) {
    for (const TextInterval& interval : intervals) {
      texts_.insert(interval.low);
      least_ = std::min<uint64_t>(least_, interval.low.size());
      most_ = std::max<uint64_t>(most_, interval.low.size());
    }
  }
  PruneResult prune(const Zone& zone, uint64_t zone_rows) const override {
    return zones_.prune(zone, zone_rows);
  }
  void filter(const ColumnChunk& chunk, uint64_t* rows, const Context&) const override {
    const Values& texts = chunk.values;
    keep_valid(texts.validity.data, texts.rows, rows);
    keep_lengths(texts, least_, most_, rows);
    if (texts_.size() == 1) {
      const std::string_view wanted = *texts_.begin();
      keep_rows(texts.rows, rows, [&](uint64_t row) { return texts.text(row) == wanted; });
    } else {
      keep_rows(texts.rows, rows, [&](uint64_t row) { return texts_.contains(texts.text(row)); });
    }
  }

 private:
  ZoneRanges zones_;
  std::unordered_set<std::string_view> texts_;
  uint64_t least_ = UINT64_MAX, most_ = 0;
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
    keep_rows(chunk.values.rows, rows,
              [&](uint64_t row) { return contains(chunk.values.text(row)); });
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
    keep_rows(chunk.values.rows, rows,
              [&](uint64_t row) { return matches_(chunk.values.text(row)) != negated_; });
  }

 private:
  // All texts with the fixed first bytes of the pattern.
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
  if (!intervals.empty() && std::all_of(intervals.begin(), intervals.end(), is_one_text)) {
    return std::make_unique<EqualTexts>(intervals);
  }
  return std::make_unique<TextRanges>(intervals);
}

std::unique_ptr<const ColumnPredicate> make_like_predicate(const LikePattern& pattern,
                                                           bool negated) {
  return std::make_unique<LikePredicate>(pattern, negated);
}

}  // namespace heron::inline v0

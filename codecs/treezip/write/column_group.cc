#include "treezip/write/column_group.h"

#include <algorithm>

#include "treezip/bits.h"
#include "treezip/write/column_batch.h"

namespace heron::inline v0::treezip {
namespace {

void fill_ones(uint64_t* words, uint64_t samples) {
  std::fill_n(words, samples / 64, ~uint64_t{0});
  if (samples % 64 != 0) words[samples / 64] = low_bits(~uint64_t{0}, samples % 64);
}

// Appends the samples `batch` of all columns of `from` to the group `to`, which may be `from`.
template <bool kFast>
HERON_INLINE void append_columns(const ColumnBatch& batch, const Group& from, const Group& to) {
  batch.append<kFast>(StoredColumn{from.column(Group::kLabels)}, to.column(Group::kLabels));
  for (size_t i = 0; i < to.candidates.size(); ++i) {
    batch.append<kFast>(StoredColumn{from.column(from.candidates[i].column)},
                        to.column(to.candidates[i].column));
  }
}

// Recounts the candidates of a group with dense columns.
HERON_INLINE void count_columns(const Group& group) {
  const uint64_t* labels = group.column(Group::kLabels);
  for (Candidate& candidate : group.candidates) {
    const uint64_t* column = group.column(candidate.column);
    uint64_t samples = 0, ones = 0;
    for (uint64_t word = 0; word < group.words; ++word) {
      samples += count_ones(column[word]);
      ones += count_ones(column[word] & labels[word]);
    }
    candidate.samples = samples;
    candidate.ones = ones;
  }
}

// Moves the samples of `from` whose column `by` has the value to the columns of `small`, or only
// counts them if `small` is a leaf.
template <bool kFast>
struct TakeOut {
  HERON_INLINE static void run(const Group* from, const uint64_t* by, bool value,
                               const Group* small) {
    uint64_t* live = from->column(Group::kLive);
    const uint64_t flip = value ? 0 : ~uint64_t{0};
    ColumnBatch batch;
    for (uint64_t word = 0; word < from->words; ++word) {
      const uint64_t mask = live[word] & (by[word] ^ flip);
      if (mask == 0) continue;
      live[word] ^= mask;
      batch.add(word, mask);
      if (batch.full()) flush(batch, *from, *small);
    }
    flush(batch, *from, *small);
    if (!small->is_leaf()) count_columns(*small);
  }

  HERON_INLINE static void flush(ColumnBatch& batch, const Group& from, const Group& small) {
    if (small.is_leaf()) {
      for (size_t i = 0; i < small.candidates.size(); ++i) {
        small.candidates[i].samples +=
            batch.count(StoredColumn{from.column(from.candidates[i].column)});
      }
    } else {
      append_columns<kFast>(batch, from, small);
    }
    batch.clear();
  }
};

// Closes the gaps between the remaining samples of a group.
template <bool kFast>
struct Compact {
  HERON_INLINE static void run(const Group* group) {
    const uint64_t* live = group->column(Group::kLive);
    ColumnBatch batch;
    for (uint64_t word = 0; word < group->words; ++word) {
      if (live[word] == 0) continue;
      batch.add(word, live[word]);
      if (batch.full()) flush(batch, *group);
    }
    flush(batch, *group);
  }

  HERON_INLINE static void flush(ColumnBatch& batch, const Group& group) {
    append_columns<kFast>(batch, group, group);
    batch.clear();
  }
};

void compact(Group& group) {
  dispatch_bits<Compact>(static_cast<const Group*>(&group));
  group.words = words_of(group.samples);
  fill_ones(group.column(Group::kLive), group.samples);
}

}  // namespace

void Group::drop_constants() noexcept {
  const auto end = std::remove_if(candidates.begin(), candidates.end(), [&](const Candidate& c) {
    return c.samples == 0 || c.samples == samples;
  });
  candidates = candidates.first(static_cast<size_t>(end - candidates.begin()));
}

void GroupStack::push_columns(Group& group) noexcept {
  group.words = group.stride = words_of(group.samples);
  group.columns = push<uint64_t>(group.stride * (Group::kFirstFeature + group.candidates.size()));
  fill_ones(group.column(Group::kLive), group.samples);
  uint32_t column = Group::kFirstFeature;
  for (Candidate& candidate : group.candidates) candidate.column = column++;
}

uint64_t GroupStack::bytes_for(uint64_t samples, unsigned most_candidates,
                               unsigned depth) noexcept {
  // Each step of the path has split off one part. Waiting parts are disjoint parts of the whole,
  // and a part split off one that no longer waits has at most half of the rest: in total they are
  // at most the whole, once more.
  const uint64_t groups = uint64_t{depth} + 2;
  const uint64_t words = 2 * (samples / 64) + groups;
  return (words * (Group::kFirstFeature + most_candidates)) * sizeof(uint64_t) +
         groups * most_candidates * sizeof(Candidate);
}

SmallPart::SmallPart(const Group& group, unsigned chosen) noexcept {
  const Candidate& by = group.candidates[chosen];
  value = by.samples <= group.samples - by.samples;
  samples = value ? by.samples : group.samples - by.samples;
  ones = value ? by.ones : group.ones - by.ones;
}

Group begin_split(Group& group, unsigned chosen, GroupStack& stack) noexcept {
  const SmallPart half(group, chosen);
  const auto rest = std::copy(group.candidates.begin() + chosen + 1, group.candidates.end(),
                              group.candidates.begin() + chosen);
  group.candidates = group.candidates.first(group.candidates.size() - 1);
  Group small;
  small.samples = half.samples;
  small.ones = half.ones;
  small.candidates = {stack.push<Candidate>(group.candidates.size()), group.candidates.size()};
  std::copy(group.candidates.begin(), rest, small.candidates.begin());
  return small;
}

void end_split(Group& group, Group& small) noexcept {
  group.samples -= small.samples;
  group.ones -= small.ones;
  for (size_t i = 0; i < group.candidates.size(); ++i) {
    group.candidates[i].samples -= small.candidates[i].samples;
    group.candidates[i].ones -= small.candidates[i].ones;
  }
  group.drop_constants();
  small.drop_constants();
}

Group split(Group& group, unsigned chosen, GroupStack& stack) {
  const uint64_t* by = group.column(group.candidates[chosen].column);
  const bool value = SmallPart(group, chosen).value;
  Group small = begin_split(group, chosen, stack);
  if (small.is_leaf()) {
    for (Candidate& candidate : small.candidates) candidate.samples = 0;
  } else {
    stack.push_columns(small);
  }
  const Group* from = &group;
  const Group* to = &small;
  dispatch_bits<TakeOut>(from, by, value, to);
  if (small.ones == 0 || small.ones == small.samples) {
    for (Candidate& candidate : small.candidates) {
      candidate.ones = small.ones == 0 ? 0 : candidate.samples;
    }
  }
  end_split(group, small);
  if (!group.is_leaf() && (group.samples <= group.words * 32 || group.samples <= 64)) {
    compact(group);
  }
  return small;
}

}  // namespace heron::inline v0::treezip

#include "treezip/write/payload_columns.h"

#include <vector>

#include "treezip/write/column_batch.h"
#include "treezip/write/payload_words.h"

namespace heron::inline v0::treezip {
namespace {

// The number of words between checks for cancellation.
constexpr uint64_t kPassWords = uint64_t{1} << 16;

// Narrows the masks of the words from `begin` on by one step of a path.
struct Narrow {
  std::span<uint64_t> masks;
  uint64_t begin;
  bool value;

  template <class Column>
  HERON_INLINE void operator()(const Column& column) const {
    const uint64_t flip = value ? 0 : ~uint64_t{0};
    for (size_t i = 0; i < masks.size(); ++i) masks[i] &= column(begin + i) ^ flip;
  }
};

struct Tally {
  const ColumnBatch& batch;
  const uint64_t* labels;  // labels of the batch's samples
  Candidate& candidate;

  template <class Column>
  HERON_INLINE void operator()(const Column& column) const {
    uint64_t samples = 0, ones = 0;
    for (unsigned i = 0; i < batch.size(); ++i) {
      const uint64_t bits = column(batch.word(i));
      samples += count_ones(bits & batch.mask(i));
      ones += count_ones(bits & labels[i]);
    }
    candidate.samples += samples;
    candidate.ones += ones;
  }
};

template <bool kFast>
struct Append {
  const ColumnBatch& batch;
  uint64_t* to;

  template <class Column>
  HERON_INLINE void operator()(const Column& column) const {
    batch.append<kFast>(column, to);
  }
};

// The words from `begin` to `end` that a path selects, and the group and batch to which they
// belong.
struct Piece {
  PayloadWords words;
  std::span<const TreePath::Step> path;
  uint64_t begin, end;
  const Group* group;
  ColumnBatch* batch;
};

template <class Flush>
HERON_INLINE void select(const Piece& piece) {
  std::array<uint64_t, ColumnBatch::kMaximum> masks;
  for (uint64_t begin = piece.begin; begin < piece.end; begin += masks.size()) {
    const auto count = std::min<uint64_t>(masks.size(), piece.end - begin);
    for (uint64_t i = 0; i < count; ++i) masks[i] = piece.words.samples(begin + i);
    for (const TreePath::Step step : piece.path) {
      piece.words.with_column(step.feature, Narrow{{masks.data(), count}, begin, step.value});
    }
    for (uint64_t i = 0; i < count; ++i) {
      if (masks[i] == 0) continue;
      piece.batch->add(begin + i, masks[i]);
      if (piece.batch->full()) Flush::run(piece);
    }
  }
  Flush::run(piece);
}

// Adds to the counts of the group's candidates, and to its ones.
template <bool>
struct Count {
  HERON_INLINE static void run(const Piece* piece) { select<Count>(*piece); }
  HERON_INLINE static void run(const Piece& piece) {
    const ColumnBatch& batch = *piece.batch;
    std::array<uint64_t, ColumnBatch::kMaximum> labels;
    for (unsigned i = 0; i < batch.size(); ++i) {
      labels[i] = piece.words.labels(batch.word(i)) & batch.mask(i);
    }
    for (Candidate& candidate : piece.group->candidates) {
      piece.words.with_column(candidate.feature, Tally{batch, labels.data(), candidate});
    }
    piece.batch->clear();
  }
};

template <bool kFast>
struct Extract {
  HERON_INLINE static void run(const Piece* piece) { select<Extract>(*piece); }
  HERON_INLINE static void run(const Piece& piece) {
    const Group& group = *piece.group;
    piece.batch->append<kFast>(piece.words.labels, group.column(Group::kLabels));
    for (const Candidate& candidate : group.candidates) {
      piece.words.with_column(candidate.feature,
                              Append<kFast>{*piece.batch, group.column(candidate.column)});
    }
    piece.batch->clear();
  }
};

}  // namespace

unsigned PayloadColumns::address_features() const noexcept {
  return std::min(shape_.feat_addr, address_bits(payload_.size()));
}

PayloadWords PayloadColumns::words() const noexcept {
  return {{payload_.data(), payload_.size()}, shape_.feat_addr, shape_.feat_prev};
}

template <template <bool> class Kernel>
void PayloadColumns::pass(std::span<const TreePath::Step> path, const Group& group,
                          const Context& context) const {
  ColumnBatch batch;
  Piece piece{words(), path, 0, 0, &group, &batch};
  for (; piece.begin < piece.words.count(); piece.begin = piece.end) {
    context.check_cancelled();
    piece.end = std::min(piece.begin + kPassWords, piece.words.count());
    dispatch_bits<Kernel>(static_cast<const Piece*>(&piece));
  }
}

Group PayloadColumns::all(GroupStack& stack, const Context& context) const {
  Group group;
  group.samples = samples();
  group.candidates = {stack.push<Candidate>(most_candidates()), most_candidates()};
  for (unsigned i = 0; i < most_candidates(); ++i) {
    const unsigned feature = i < address_features() ? i : i - address_features() + shape_.feat_addr;
    group.candidates[i] = {0, 0, feature, 0};
  }
  const PayloadWords words = this->words();
  for (uint64_t word = 0; word < words.count(); ++word) {
    group.ones += count_ones(words.labels(word) & words.samples(word));
  }
  if (!group.is_leaf()) pass<Count>({}, group, context);
  group.drop_constants();
  return group;
}

Group PayloadColumns::split(Group& group, unsigned chosen, const TreePath& path, GroupStack& stack,
                            const Context& context) const {
  std::vector<TreePath::Step> steps(path.steps().begin(), path.steps().end());
  steps.push_back(
      {static_cast<uint16_t>(group.candidates[chosen].feature), SmallPart(group, chosen).value});
  Group small = begin_split(group, chosen, stack);
  for (Candidate& candidate : small.candidates) candidate.samples = candidate.ones = 0;
  pass<Count>(steps, small, context);
  end_split(group, small);
  return small;
}

void PayloadColumns::make_columns(Group& group, const TreePath& path, GroupStack& stack,
                                  const Context& context) const {
  stack.push_columns(group);
  pass<Extract>(path.steps(), group, context);
}

}  // namespace heron::inline v0::treezip

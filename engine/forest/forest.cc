#include "heron/forest.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/arena.h"
#include "base/fail.h"
#include "base/no_such.h"
#include "base/parallel.h"
#include "forest/internals.h"
#include "forest/mapped_walk.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMaxClasses = 256;

std::shared_ptr<const Table> first_forest(const std::shared_ptr<const File>& file) {
  check_given(file, "a file");
  std::shared_ptr<const Table> tree;
  for (const auto& table : file->tables()) {
    const StoredForest* found = internals(*table).source().forest();
    if (found == nullptr) continue;
    if (!found->is_lone_tree()) return table;
    if (tree == nullptr) tree = table;
  }
  if (tree != nullptr) return tree;
  fail(ErrorKind::Unsupported, file->path(), "no forest, and no tree, in a file of format ",
       file->format());
}

// Makes the keys of row-major points, in groups, in the arena.
template <class T>
PointKeys keys_of(const PackedForest& forest, const T* points, uint64_t count, uint64_t features,
                  Arena& arena) {
  PointKeys keys;
  keys.points = count;
  const auto fill = [&]<class Key>(Key) {
    const uint64_t keys_and_more = key_count(count, features);
    auto* to = arena.allocate_array<Key>(keys_and_more);
    for (uint64_t i = 0; i < count; ++i) {
      for (uint64_t f = 0; f < features; ++f) {
        to[key_index(i, f, features)] = point_key<Key>(points[i * features + f]);
      }
    }
    for (uint64_t i = count; i % kGroup != 0; ++i) {
      for (uint64_t f = 0; f < features; ++f) to[key_index(i, f, features)] = 0;
    }
    std::fill(to + keys_and_more - kKeysBehind, to + keys_and_more, Key{0});
    return to;
  };
  if (forest.has_narrow()) keys.narrow = fill(uint32_t{});
  if (forest.has_wide()) keys.wide = fill(uint64_t{});
  return keys;
}

// The keys of one point, on the stack.
struct OnePoint {
  std::array<uint32_t, PackedForest::kOnePointKeys> narrow{};
  std::array<uint64_t, PackedForest::kOnePointKeys> wide{};

  template <class T>
  PointKeys keys_of(const PackedForest& forest, std::span<const T> point) {
    for (uint64_t i = 0; forest.has_narrow() && i < point.size(); ++i)
      narrow[i] = point_key<uint32_t>(point[i]);
    for (uint64_t i = 0; forest.has_wide() && i < point.size(); ++i)
      wide[i] = point_key<uint64_t>(point[i]);
    return {narrow.data(), wide.data(), 1};
  }
};

// Returns how many rows a matrix of `elements` elements has. Throws Error(Argument).
uint64_t rows_of_matrix(const Forest& forest, std::string_view what, uint64_t elements,
                        uint64_t columns) {
  if (columns == 0 ? elements != 0 : elements % columns != 0) {
    fail(ErrorKind::Argument, forest.name(), "expected a row-major matrix of ", columns,
         " columns as ", what, ", got ", elements, " elements");
  }
  return columns == 0 ? 0 : elements / columns;
}

void check_size(const Forest& forest, std::string_view what, uint64_t expected, uint64_t got) {
  if (got == expected) return;
  fail(ErrorKind::Argument, forest.name(), "expected ", expected, ' ', what, ", got ", got);
}

}  // namespace

bool describes_forest(const Table& table) noexcept {
  return internals(table).source().forest() != nullptr;
}

uint8_t label_of(std::span<const uint32_t> votes, std::span<const float> weights) {
  if (!weights.empty() && weights.size() != votes.size()) {
    fail(ErrorKind::Argument, {}, "expected a weight per class (", votes.size(), "), got ",
         weights.size());
  }
  uint64_t best = 0;
  float best_score = 0;
  for (uint64_t i = 0; i < votes.size(); ++i) {
    const auto count = static_cast<float>(votes[i]);
    const float score = weights.empty() ? count : count * weights[i];
    if (score > best_score) {
      best = i;
      best_score = score;
    }
  }
  return static_cast<uint8_t>(best);
}

void check_weights(const Forest& forest, std::span<const float> weights) {
  if (weights.empty()) return;
  check_size(forest, "weights, one per class", forest.class_count(), weights.size());
  for (uint64_t i = 0; i < weights.size(); ++i) {
    if (std::isfinite(weights[i]) && weights[i] >= 0) continue;
    fail(ErrorKind::Argument, forest.name(), "expected a finite weight of at least 0 for class ", i,
         ", got ", std::to_string(weights[i]));
  }
}

Forest::Internals::Internals(std::shared_ptr<const Table> table)
    : table_(std::move(table)), stored_(*heron::internals(*table_).source().forest()) {}

const PackedForest& Forest::Internals::packed(const Context& context) const {
  packed_once_.run([&] {
    packed_owner_ = unless_changed(stored_.bytes(), [&] {
      return std::make_unique<const PackedForest>(stored_, context);
    });
    packed_.store(packed_owner_.get(), std::memory_order_release);
  });
  return *packed_owner_;
}

std::span<const MappedTree> Forest::Internals::mapped() const {
  mapped_once_.run([&] {
    std::vector<MappedTree> trees;
    trees.reserve(stored_.tree_count());
    for (uint64_t i = 0; i < stored_.tree_count(); ++i) {
      trees.push_back(MappedTree::at(stored_.bytes().base(), stored_.tree(i, {})));
    }
    mapped_ = std::move(trees);
  });
  return mapped_;
}

bool Forest::Internals::is_packing_worthwhile(uint64_t points) const noexcept {
  // Walking a point down a tree in the map costs about as much as repacking this many of its nodes.
  constexpr uint64_t kNodesAWalk = 64;
  if (packed_already() != nullptr || stored_.bytes().base() == nullptr) return true;
  return points > stored_.node_count() / kNodesAWalk / std::max<uint64_t>(stored_.tree_count(), 1);
}

uint64_t Forest::Internals::points_at_once(uint64_t points, uint64_t threads) const noexcept {
  constexpr uint64_t kMin = 256, kMax = 32'768, kMaxOfMany = 8192, kMaxKeys = 1 << 20;
  const uint64_t features = std::max<uint64_t>(stored_.feature_count(), 1);
  const uint64_t max = std::clamp(kMaxKeys / features, kMaxOfMany, kMax);
  // Each thread has the same number of blocks, at least two: a thread that is held up delays one.
  const uint64_t rounds = std::max<uint64_t>(points / (max * threads) + 1, threads == 1 ? 1 : 2);
  return std::clamp(points / (rounds * threads) + 1, kMin, max);
}

template <class T>
void Forest::Internals::walk(const T* point, uint32_t* votes) const {
  std::fill_n(votes, stored_.class_count(), 0);
  static constexpr T kNoFeatures[1] = {};
  if (stored_.feature_count() == 0) point = kNoFeatures;
  const auto vote = [&](uint8_t label) { ++votes[label]; };
  unless_changed(stored_.bytes(), [&] {
    if (stored_.order() == std::endian::native) {
      walk_trees<false>(stored_, mapped(), point, vote);
    } else {
      walk_trees<true>(stored_, mapped(), point, vote);
    }
  });
  stored_.bytes().check_recently();
}

Forest::Forest(const std::shared_ptr<const File>& file) : Forest(first_forest(file)) {}

Forest::Forest(std::shared_ptr<const Table> table) {
  check_given(table, "a table");
  if (!describes_forest(*table)) {
    fail(ErrorKind::Unsupported, bytes_of(*table).name(), "table \"", table->name(),
         "\" describes no forest and no tree");
  }
  internals_ = std::make_shared<const Internals>(std::move(table));
}

const std::string& Forest::name() const noexcept { return internals_->stored().bytes().name(); }
uint64_t Forest::tree_count() const noexcept { return internals_->stored().tree_count(); }
uint32_t Forest::class_count() const noexcept { return internals_->stored().class_count(); }
uint32_t Forest::feature_count() const noexcept { return internals_->stored().feature_count(); }
uint64_t Forest::packed_bytes() const noexcept {
  const PackedForest* packed = internals_->packed_already();
  return packed == nullptr ? 0 : packed->bytes();
}

void Forest::pack(const Context& context) const { internals_->packed(context); }

template <class T>
void Forest::votes_one(std::span<const T> point, std::span<uint32_t> votes) const {
  check_size(*this, "features", feature_count(), point.size());
  check_size(*this, "votes, one per class", class_count(), votes.size());
  if (!internals_->is_packing_worthwhile(1)) return internals_->walk(point.data(), votes.data());
  const PackedForest& packed = internals_->packed({});
  std::fill(votes.begin(), votes.end(), 0);
  OnePoint one;
  packed.vote_one(one.keys_of(packed, point), votes.data());
}

template <class T>
uint8_t Forest::predict_one(std::span<const T> point, std::span<const float> weights) const {
  check_weights(*this, weights);
  std::array<uint32_t, kMaxClasses> room;
  const auto votes = std::span(room).first(class_count());
  votes_one(point, votes);
  return label_of(votes, weights);
}

namespace {

// Calls take(first, count, votes) for blocks of consecutive points, on the Context's threads.
template <class T, class Take>
void classify(const Forest& forest, std::span<const T> points, uint64_t count,
              const Context& context, const Take& take) {
  const Forest::Internals& inside = internals(forest);
  const uint64_t features = forest.feature_count(), classes = forest.class_count();
  if (count == 0) return;
  if (!inside.is_packing_worthwhile(count)) {
    std::array<uint32_t, kMaxClasses> votes;
    for (uint64_t i = 0; i < count; ++i) {
      context.check_cancelled();
      inside.walk(points.data() + i * features, votes.data());
      take(i, 1, votes.data());
    }
    return;
  }
  const PackedForest& packed = inside.packed(context);
  const uint64_t at_once = inside.points_at_once(count, thread_count(context));
  const uint64_t blocks = count / at_once + (count % at_once != 0);
  parallel_for(blocks, context, [&](uint64_t block, const Context& one_thread) {
    one_thread.step(0, at_once);
    const uint64_t first = block * at_once, some = std::min(at_once, count - first);
    Arena arena(one_thread.memory);
    auto* votes = arena.allocate_array<uint32_t>(some * classes);
    std::fill_n(votes, some * classes, 0);
    const T* from = points.data() + first * features;
    packed.vote(keys_of(packed, from, some, features, arena), classes, votes);
    take(first, some, votes);
    one_thread.step(at_once, at_once);
  });
}

}  // namespace

template <class T>
void Forest::votes(std::span<const T> points, std::span<uint32_t> votes,
                   const Context& context) const {
  const uint64_t features = feature_count(), classes = class_count();
  const uint64_t rows = features != 0 ? rows_of_matrix(*this, "points", points.size(), features)
                                      : rows_of_matrix(*this, "votes", votes.size(), classes);
  if (features == 0) check_size(*this, "features", 0, points.size());
  check_size(*this, "votes, one per point and class", rows * classes, votes.size());
  classify(*this, points, rows, context,
           [&](uint64_t first, uint64_t count, const uint32_t* found) {
             std::copy_n(found, count * classes, votes.data() + first * classes);
           });
}

template <class T>
void Forest::predict(std::span<const T> points, std::span<uint8_t> labels,
                     std::span<const float> weights, const Context& context) const {
  check_weights(*this, weights);
  const uint64_t features = feature_count(), classes = class_count();
  check_size(*this, "features, one per point and feature", labels.size() * features,
             points.size());
  classify(*this, points, labels.size(), context,
           [&](uint64_t first, uint64_t count, const uint32_t* found) {
             const std::span votes(found, count * classes);
             for (uint64_t i = 0; i < count; ++i) {
               labels[first + i] = label_of(votes.subspan(i * classes, classes), weights);
             }
           });
}

#define HERON_FOREST_OF(T)                                                                         \
  template uint8_t Forest::predict_one(std::span<const T>, std::span<const float>) const;          \
  template void Forest::votes_one(std::span<const T>, std::span<uint32_t>) const;                  \
  template void Forest::predict(std::span<const T>, std::span<uint8_t>, std::span<const float>,    \
                                const Context&) const;                                             \
  template void Forest::votes(std::span<const T>, std::span<uint32_t>, const Context&) const;
HERON_FOREST_OF(float)
HERON_FOREST_OF(double)
#undef HERON_FOREST_OF

}  // namespace heron::inline v0

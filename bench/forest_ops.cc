// The ops on files of forests: open must find every tree and read none of its nodes; points are
// classified one by one and many at once.
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "bench.h"

namespace heron::bench {
namespace {

// Touches the page where each tree starts, in which the previous one ends.
struct BoundOpen {
  const ForestFile& file;
  std::optional<PlainMap> map = {};
  uint64_t trees = 0;

  void run(uint64_t) {
    map.emplace(file.path);
    trees = 0;
    for (const uint64_t offset : file.tree_offsets) {
      trees += std::memcmp(map->base() + offset, "tree", 4) == 0;
    }
  }
  double check() {
    map.reset();
    return static_cast<double>(trees);
  }
};

constexpr uint64_t kLargeBatch = 100'000, kSmallBatch = 256;

// Draws features from a normal distribution, as heron-forest draws split values.
std::vector<float> draw_points(Bench<ForestFile>& bench, uint64_t points) {
  std::normal_distribution<float> value;
  std::vector<float> all(points * bench.file.forest.feature_count());
  for (float& one : all) one = value(bench.random);
  return all;
}

// Returns a sum that differs if a label differs, but for rare cases.
double sum_of_labels(std::span<const uint8_t> labels) {
  double sum = 0;
  for (uint64_t i = 0; i < labels.size(); ++i) sum += static_cast<double>(labels[i] * (i % 97 + 1));
  return sum;
}

struct HeronPoint {
  const ForestFile& file;
  std::span<const float> points;
  uint8_t label = 0;

  void run(uint64_t input) {
    const uint64_t features = file.plain.features;
    label = file.forest.predict_one(points.subspan(input * features, features));
  }
  double check() { return label; }
};

struct BoundPoint {
  const ForestFile& file;
  std::span<const float> points;
  uint8_t label = 0;

  void run(uint64_t input) {
    label = label_of_point(file.plain, points.data() + input * file.plain.features);
  }
  double check() { return label; }
};

// Classifies one point per label in a run.
struct HeronPoints {
  const ForestFile& file;
  std::span<const float> points;
  std::vector<uint8_t> labels;
  unsigned threads = 1;

  void run(uint64_t input) {
    const uint64_t values = labels.size() * file.plain.features;
    file.forest.predict(points.subspan(input * values, values), std::span(labels), {},
                        on_threads(threads));
  }
  double check() { return sum_of_labels(labels); }
};

struct BoundPoints {
  const ForestFile& file;
  std::span<const float> points;
  std::vector<uint8_t> labels;
  std::vector<uint32_t> votes = {};

  void run(uint64_t input) {
    const uint64_t values = labels.size() * file.plain.features;
    labels_of_points(file.plain, points.subspan(input * values, values), labels, votes);
  }
  double check() { return sum_of_labels(labels); }
};

}  // namespace

bool open_file(Bench<ForestFile>& bench) {
  return bench.measure({.name = "open_file", .runs = 200}, HeronOpenFile{bench.file},
                       BoundOpen{bench.file});
}

bool predict_1(Bench<ForestFile>& bench) {
  constexpr uint64_t kInputs = 2000;
  if (bench.file.plain.trees.empty()) return true;
  const auto points = draw_points(bench, kInputs);
  return bench.measure({.name = "predict_1", .max_ratio = 1.1, .inputs = kInputs},
                       HeronPoint{bench.file, points}, BoundPoint{bench.file, points});
}

bool predict_256(Bench<ForestFile>& bench) {
  constexpr uint64_t kInputs = 40;
  if (bench.file.plain.trees.empty()) return true;
  const auto points = draw_points(bench, kInputs * kSmallBatch);
  const std::vector<uint8_t> labels(kSmallBatch);
  return bench.measure(
      {.name = "predict_256", .max_ratio = 1.1, .amount = kSmallBatch, .inputs = kInputs},
      HeronPoints{bench.file, points, labels}, BoundPoints{bench.file, points, labels});
}

bool predict_100k(Bench<ForestFile>& bench) {
  if (bench.file.plain.trees.empty()) return true;
  const auto points = draw_points(bench, kLargeBatch);
  const std::vector<uint8_t> labels(kLargeBatch);
  return bench.measure(
      {.name = "predict_100k", .min_rate = 500'000, .amount = kLargeBatch, .runs = 5},
      HeronPoints{bench.file, points, labels}, BoundPoints{bench.file, points, labels});
}

bool predict_100k_2t(Bench<ForestFile>& bench) {
  const auto points = draw_points(bench, kLargeBatch);
  const std::vector<uint8_t> labels(kLargeBatch);
  return bench.measure(
      {.name = "predict_100k_2t", .max_ratio = 0.556, .amount = kLargeBatch, .runs = 5},
      HeronPoints{bench.file, points, labels, 2}, HeronPoints{bench.file, points, labels, 1});
}

}  // namespace heron::bench

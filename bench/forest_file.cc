#include "forest_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heron::bench {

namespace {

// Returns the tree at an offset, whose heads have the lengths that the format's own writer gives.
PlainTree plain_tree(const std::byte* tree, uint64_t nodes) {
  constexpr uint64_t kHead = 150, kBetween = 80;  // the end of an array and the head of the next
  const std::byte* left = tree + kHead;
  const std::byte* right = left + nodes * sizeof(uint32_t) + kBetween;
  const std::byte* feature = right + nodes * sizeof(uint32_t) + kBetween;
  const std::byte* split = feature + nodes + kBetween;
  return {left, right, feature, split, split + nodes * sizeof(float) + kBetween};
}

}  // namespace

ForestFile::ForestFile(std::string file_path, const OpenOptions& open_options)
    : MeasuredFile(std::move(file_path), open_options), forest(opened) {
  const std::vector<std::string> columns = {"offset", "nodes", "value_type"};
  const auto& trees = opened->table("trees");
  const RowBatch batch = read(Projection(trees, columns), {0, trees->rows()});
  plain.features = forest.feature_count();
  plain.classes = forest.class_count();
  for (uint64_t i = 0; i < batch.rows; ++i) {
    tree_offsets.push_back(batch.columns[0].get<uint64_t>(i));
    const auto nodes = batch.columns[1].get<uint32_t>(i);
    if (batch.columns[2].text(i) != "fl32" ||
        std::memcmp(map.base() + 4, "lend", 4) != 0) {
      continue;
    }
    plain.trees.push_back(plain_tree(map.base() + tree_offsets.back(), nodes));
  }
  if (plain.trees.size() != tree_offsets.size()) plain.trees.clear();
}

bool is_forest(const File& file) {
  const auto& tables = file.tables();
  return std::any_of(tables.begin(), tables.end(),
                     [](const auto& table) { return table->name() == "trees"; });
}

}  // namespace heron::bench

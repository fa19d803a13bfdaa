#include "forest_file.h"

#include <algorithm>
#include <utility>

namespace heron::bench {

ForestFile::ForestFile(std::string file_path, const OpenOptions& open_options)
    : File(std::move(file_path), open_options) {
  const std::vector<std::string> offset = {"offset"};
  const auto& trees = dataset->table("trees");
  const RowBatch batch = read(Projection(trees, offset), {0, trees->rows()});
  for (uint64_t i = 0; i < batch.rows; ++i) {
    tree_offsets.push_back(batch.columns[0].get<uint64_t>(i));
  }
}

bool is_forest(const Dataset& dataset) {
  const auto& tables = dataset.tables();
  return std::any_of(tables.begin(), tables.end(),
                     [](const auto& table) { return table->name() == "trees"; });
}

}  // namespace heron::bench

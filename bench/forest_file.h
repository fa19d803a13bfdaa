// A file of a forest: a table of the nodes of all trees, and one of the trees.
#pragma once

#include <cstdint>
#include <vector>

#include "file.h"

namespace heron::bench {

struct ForestFile : File {
  // `file_path` passes is_forest().
  ForestFile(std::string file_path, const OpenOptions& open_options);

  std::vector<uint64_t> tree_offsets;  // in the file
};

bool is_forest(const Dataset& dataset);

}  // namespace heron::bench

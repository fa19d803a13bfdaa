// A file of a forest: a table of the nodes of all trees, and one of the trees.
#pragma once

#include <cstdint>
#include <vector>

#include "file.h"
#include "forest_bound.h"

namespace heron::bench {

struct ForestFile : MeasuredFile {
  // `file_path` passes is_forest().
  ForestFile(std::string file_path, const OpenOptions& open_options);

  std::vector<uint64_t> tree_offsets;  // offsets of the trees in the file
  Forest forest;
  // The nodes in this map, at the offsets of the format's own writer; no trees if split values are
  // not float32 in this machine's byte order.
  PlainForest plain;
};

bool is_forest(const File& file);

}  // namespace heron::bench

// The op on files of forests: open must find every tree and read none of its nodes.
#include <cstring>
#include <optional>

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

}  // namespace

bool open_file(Bench<ForestFile>& bench) {
  return bench.measure({.name = "open_file", .runs = 200}, HeronOpenFile{bench.file},
                       BoundOpen{bench.file});
}

}  // namespace heron::bench

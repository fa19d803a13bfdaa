// Small tables with every kind of column, for the fuzzers of texts that a user writes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string_view>

#include "heron/heron.h"
#include "kit/real_files.h"

namespace heron::inline v0 {

// Returns a table by its number, modulo how many there are.
inline const std::shared_ptr<const Table>& small_table(size_t number) {
  static constexpr std::array kFiles{"jay/types_stats.jay",
                                     "jay/names_odd.jay",
                                     "idv/scalars_all_deflate_rpb16.idv",
                                     "idv/keys_deflate_rpb32.idv",
                                     "idv/vector_shapes_none.idv",
                                     "jforests/types_ranking.bin",
                                     "arrow/decimals_binary.arrow"};
  static const auto opened = [] {
    std::array<std::shared_ptr<const File>, kFiles.size()> files;
    for (size_t i = 0; i < kFiles.size(); ++i) files[i] = open(data_dir() / kFiles[i]);
    return files;
  }();
  return opened[number % kFiles.size()]->table();
}

// Returns whether an error is one that the headers promise for a text, and one line.
inline bool is_promised(const Error& error) {
  const std::string_view text = error.what();
  return text.find('\n') == std::string_view::npos &&
         (error.kind() == ErrorKind::Argument || error.kind() == ErrorKind::Limit ||
          error.kind() == ErrorKind::Unsupported);
}

}  // namespace heron::inline v0

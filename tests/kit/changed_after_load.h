// Queries of a file in which a number changes right after it was loaded: one that loads it once more
// must not believe that it is what it was.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "kit/questions.h"

namespace heron::inline v0 {

// Files of data/ whose cells are read where they lie, and compressed ones: small, so that each number
// is often the one that changes. Two are made of others: a Jay file with a record of more than a page,
// and IDV's keys with values, not compressed.
inline constexpr std::array kChangedFiles{"jay/types_stats.jay",
                                          "jay/arr32_nested.jay",
                                          "idv/c_compression_mixed_0_1.idv",
                                          "idv/keys_deflate_rpb32.idv",
                                          "idv/scalars_all_none_1block.idv",
                                          "jforests/types_ranking.bin",
                                          "jforests/one_query.bin",
                                          "balsa/m-nine-types.balsa",
                                          "balsa/tree-fl32.balsa",
                                          "arrow/views_and_runs_one.arrow",
                                          "arrow/dictionary_deltas_file.arrow",
                                          "arrow/ordered.arrow",
                                          "made/record.jay",
                                          "made/keys.idv"};

class ChangedFile {
 public:
  // Reads or makes a file of kChangedFiles.
  explicit ChangedFile(std::string_view path);

  // Returns the offsets that a question, one of questions(), loads more than once: the unchanged file
  // is traced the first time. Valid as long as this.
  const std::vector<uint32_t>& reloaded(const Question& question);

  // Puts a question while up to four numbers at such offsets change, one at the given offset, after a
  // few loads each: the other offsets, widths, orders and values are random. An Error is ignored. The system must let the program watch bytes (kit/watched_source.h).
  void ask(const Question& question, uint32_t offset, std::mt19937_64& random);

 private:
  std::vector<std::byte> bytes_;
  std::vector<std::vector<uint32_t>> reloaded_;  // of each question; empty: not traced yet, or none
};

}  // namespace heron::inline v0

// A learning-to-rank file: a target, the query of each row, then features.
#pragma once

#include "file.h"
#include "ranking_bound.h"

namespace heron::bench {

struct RankingFile : MeasuredFile {
  // `file_path` passes is_ranking().
  RankingFile(std::string file_path, const OpenOptions& open_options);

  Projection numbers;   // all columns except the query, which has no cells
  Projection features;  // all columns except the query and the target
  Ranking ranking;
  DecodedRanking decoded;
};

// Column numbers.
inline constexpr uint64_t kTarget = 0, kQuery = 1, kFirstFeature = 2;

bool is_ranking(const File& file);

// The columns of RankingFile::numbers.
Projection numbers_of(const std::shared_ptr<const Table>& table);

}  // namespace heron::bench

// Generates a learning-to-rank data set.
//
//   target   float64   0 to 4 in 52, 32, 13, 2 and 1 of 100 rows
//   query    uint32    ascending from 0; 1 to 50 rows each, 20 on average
//   f1 ...   float64   ten kinds in turn; f11 has f1's kind again:
//     f1     one value: 0; of f11 1, of f21 2 ...
//     f2     a flag, set in 1 of 2 rows
//     f3     a flag, set in 1 of 64 rows
//     f4     a small count: 0 in 1 of 2 rows, 1 in 1 of 4, ...
//     f5     a grade, 0 to 99
//     f6     20,000 values from 0 in steps of 1/8
//     f7     standard normal
//     f8     a large count, 0 to 16,777,214: as often from 1,000 to 2,000 as from 10,000 to 20,000
//     f9     0 but in 1 of 20 rows, there 1 to 16
//     f10    0 but in 1 of 20 rows, there up to 1 in steps of 1/4096
#pragma once

#include "generate/preset.h"

namespace heron::generate {

class Ranking final : public Preset {
 public:
  Ranking(uint64_t seed, uint64_t features);

 private:
  void fill_columns(std::span<Values> columns, Arena& arena) override;
  void fill_query(std::span<uint32_t> cells);
  void fill_feature(uint64_t number, std::span<double> cells) const;

  uint32_t query_ = UINT32_MAX;  // query of the last row; max: none yet
  uint64_t query_rows_left_ = 0;
};

}  // namespace heron::generate

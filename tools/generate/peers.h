// The ten columns on which readers of many formats are compared.
//
//   id      int32      ascending in steps of 1 to 4
//   ts      int64      1,600,000,000,000 and more, ascending in steps of 0 to 1,999
//   f0..f3  float32    standard normal
//   d0 d1   float64    standard normal
//   flag    bool       true in 3 of 10 rows
//   s       text       4 to 12 letters a-z
#pragma once

#include "generate/preset.h"

namespace heron::generate {

class Peers final : public Preset {
 public:
  explicit Peers(uint64_t seed);

 private:
  void fill_columns(std::span<Values> columns, Arena& arena) override;
  void fill_id(Values& values, Arena& arena);
  void fill_ts(Values& values, Arena& arena);
  void fill_flag(uint64_t column, Values& values, Arena& arena) const;

  int32_t id_ = 0;
  int64_t ts_ = 1'600'000'000'000;
};

}  // namespace heron::generate

// Ten numbers and a text per row, for benchmarks of rows in compressed blocks.
//
//   f0..f9  float32    standard normal
//   s       text       4 to 12 letters a-z
#pragma once

#include "generate/preset.h"

namespace heron::generate {

class Blocks final : public Preset {
 public:
  explicit Blocks(uint64_t seed);

 private:
  void fill_columns(std::span<Values> columns, Arena& arena) override;
};

}  // namespace heron::generate

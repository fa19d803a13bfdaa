// Columns c0, c1, ... of standard normal float32: a table that every format can hold.
#pragma once

#include "generate/preset.h"

namespace heron::generate {

class Features final : public Preset {
 public:
  Features(uint64_t seed, uint64_t columns);

 private:
  void fill_columns(std::span<Values> columns, Arena& arena) override;
};

}  // namespace heron::generate

// A preset's rows, as a source for files of every format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heron/row_source.h"

namespace heron::generate {

struct Order {
  uint64_t rows = 0;
  std::string preset = "peers";
  uint64_t seed = 0;
  std::optional<uint64_t> features = {};  // how many, for a preset with a variable number
};

// Each stream makes the rows again. Throws Error: Argument (no such preset), Limit (more rows than
// the preset has).
RowSourcePtr made_up_rows(const Order& order);

}  // namespace heron::generate

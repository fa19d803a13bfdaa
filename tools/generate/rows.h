// The rows of a preset, as a source for files of every format.
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
  std::optional<uint64_t> features = {};  // number of features, for a preset in which it varies
};

// Returns a source whose streams each make the rows again. Throws Error: Argument (no such preset),
// Limit (more rows than the preset has).
RowSourcePtr made_up_rows(const Order& order);

}  // namespace heron::generate

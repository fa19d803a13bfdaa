// Writes a file of a preset's rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heron/writer.h"

namespace heron::generate {

struct Order {
  std::string path;  // its ending tells the format
  uint64_t rows = 0;
  std::string preset = "peers";
  uint64_t seed = 0;
  std::optional<uint64_t> features;  // how many, of a preset that leaves it open
  WriteOptions options;              // its rows are those above
};

struct Outcome {
  uint64_t bytes = 0;
  double seconds = 0;  // until all is written; making it durable comes after
};

// The file is durable and has its name when this returns. Throws Error: Argument (no such preset or
// format), Limit (more rows than the preset has), Io, Cancelled.
Outcome generate(const Order& order, const Context& context);

}  // namespace heron::generate

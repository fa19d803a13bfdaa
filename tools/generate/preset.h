// Rows to write files from, made from a seed: the same in every format and on every machine.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "heron/values.h"

namespace heron::generate {

// One thread at a time.
class Preset {
 public:
  virtual ~Preset() = default;
  Preset(const Preset&) = delete;
  Preset& operator=(const Preset&) = delete;

  const std::shared_ptr<const Schema>& schema() const noexcept { return schema_; }
  // How many rows there can be.
  uint64_t most_rows() const noexcept { return most_rows_; }

  // The next `rows` rows; what they hold does not depend on how many are taken at a time. Reuses
  // the batch's memory when no other copy exists.
  virtual void fill(uint64_t rows, RowBatch& batch) = 0;

 protected:
  Preset(Schema schema, uint64_t most_rows)
      : schema_(std::make_shared<const Schema>(std::move(schema))), most_rows_(most_rows) {}

 private:
  std::shared_ptr<const Schema> schema_;
  uint64_t most_rows_;
};

// The names of all presets, with blanks between.
inline constexpr std::string_view kPresets = "peers";

// Throws Error(Argument) if there is no preset of that name.
std::unique_ptr<Preset> make_preset(std::string_view name, uint64_t seed);

}  // namespace heron::generate

// Rows to write files from, made from a seed: the same in every format and on every machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "generate/draws.h"
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
  // the batch's memory when no other copy exists. Throws Error(Limit) behind most_rows().
  void fill(uint64_t rows, RowBatch& batch);

 protected:
  Preset(uint64_t seed, Schema schema, uint64_t most_rows = UINT64_MAX)
      : seed_(seed),
        schema_(std::make_shared<const Schema>(std::move(schema))),
        most_rows_(most_rows) {}

  // Makes the cells from row() on; `columns` know their types and how many rows they are to have.
  virtual void fill_columns(std::span<Values> columns, Arena& arena) = 0;

  uint64_t row() const noexcept { return row_; }
  // A column's own random numbers; numbers behind the last column's are free for other uses.
  Draws draws(uint64_t column) const noexcept { return {seed_, column}; }

 private:
  uint64_t seed_;
  std::shared_ptr<const Schema> schema_;
  uint64_t most_rows_;
  uint64_t row_ = 0;  // the next one
};

// The names of all presets, with blanks between.
inline constexpr std::string_view kPresets = "peers features ranking blocks";

// With so many features, if that is told and the preset's number of them is free. Throws
// Error(Argument) if there is no preset of that name, or not with that many.
std::unique_ptr<Preset> make_preset(std::string_view name, uint64_t seed,
                                    std::optional<uint64_t> features = {});

}  // namespace heron::generate

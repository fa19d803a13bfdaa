// Generated rows, made from a seed: they are equal in every format and on every machine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "generate/draws.h"
#include "heron/values.h"

namespace heron::generate {

// Makes rows in order. One thread at a time.
class Preset {
 public:
  virtual ~Preset() = default;
  Preset(const Preset&) = delete;
  Preset& operator=(const Preset&) = delete;

  const std::shared_ptr<const Schema>& schema() const noexcept { return schema_; }
  // The maximum number of rows.
  uint64_t max_rows() const noexcept { return max_rows_; }

  // Makes the next `rows` rows; their values do not depend on `rows`. Reuses the batch's memory if
  // no other copy exists. Throws Error(Limit) past max_rows().
  void fill(uint64_t rows, RowBatch& batch);

 protected:
  Preset(uint64_t seed, Schema schema, uint64_t max_rows = UINT64_MAX)
      : seed_(seed),
        schema_(std::make_shared<const Schema>(std::move(schema))),
        max_rows_(max_rows) {}

  // Makes the cells from row() on; `columns` have their types and numbers of rows set.
  virtual void fill_columns(std::span<Values> columns, Arena& arena) = 0;

  uint64_t row() const noexcept { return row_; }
  // Returns a column's own random numbers; numbers past the last column are free for other uses.
  Draws draws(uint64_t column) const noexcept { return {seed_, column}; }

 private:
  uint64_t seed_;
  std::shared_ptr<const Schema> schema_;
  uint64_t max_rows_;
  uint64_t row_ = 0;  // the next row
};

// The names of all presets, separated by blanks.
inline constexpr std::string_view kPresets = "peers features ranking blocks";

// Makes a preset with `features` features, if given and supported by the preset. Throws
// Error(Argument) for an unknown preset or an unsupported number.
std::unique_ptr<Preset> make_preset(std::string_view name, uint64_t seed,
                                    std::optional<uint64_t> features = {});

}  // namespace heron::generate

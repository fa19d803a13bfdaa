// Spills rows to an unnamed file that is removed with its last user.
#pragma once

#include <functional>
#include <memory>

#include "heron/dataset.h"
#include "heron/values.h"

namespace heron::inline v0 {

// One thread at a time.
class Spill {
 public:
  virtual ~Spill() = default;
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  virtual void write(const RowBatch& batch) = 0;
  // Call it after the last row. Returns a table of the rows, which outlives the spill. The columns
  // have the names of the schema.
  virtual std::shared_ptr<const Table> finish() = 0;

 protected:
  Spill() = default;
};

// For rows of that schema.
using MakeSpill = std::function<std::unique_ptr<Spill>(const Schema&)>;

}  // namespace heron::inline v0

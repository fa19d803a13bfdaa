// Rows that are put away for a while, in a file without a name that is gone with its last user.
#pragma once

#include <functional>
#include <memory>

#include "heron/dataset.h"
#include "heron/values.h"

namespace heron::inline v0 {

// One thread at a time.
class Spool {
 public:
  virtual ~Spool() = default;
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  virtual void write(const RowBatch& batch) = 0;
  // After the last row: a table of them, which lives on without the spool. The column names are
  // those of the schema.
  virtual std::shared_ptr<const Table> finish() = 0;

 protected:
  Spool() = default;
};

// For rows of that schema.
using MakeSpool = std::function<std::unique_ptr<Spool>(const Schema&)>;

}  // namespace heron::inline v0

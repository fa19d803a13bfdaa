// Batches that are not read from a table (rows/batch.h begins those). Code that assembles values
// makes their batch here, so that values of a mapped file keep their file.
#pragma once

#include <memory>
#include <utility>

#include "base/arena.h"
#include "heron/context.h"
#include "heron/values.h"

namespace heron::inline v0 {

// A batch without rows for values of `from`: it keeps all that these may point into, the memory and
// the file.
inline RowBatch batch_like(const RowBatch& from, const Context& context) {
  RowBatch batch;
  batch.schema = from.schema;
  batch.source = from.source;
  batch.memory = std::make_shared<Arena>(context.memory);
  batch.memory->keep(from.memory);
  return batch;
}

// A batch without rows for values that all lie in its own memory.
inline RowBatch own_batch(std::shared_ptr<const Schema> schema, std::shared_ptr<Arena> memory) {
  RowBatch batch;
  batch.schema = std::move(schema);
  batch.memory = std::move(memory);
  return batch;
}

}  // namespace heron::inline v0

// A batch's values as Arrow arrays: most values have Arrow's layout already.
#pragma once

#include <memory>
#include <string>

#include "arrow/structs.h"
#include "base/arena.h"
#include "heron/values.h"

namespace heron::inline v0::arrow {

// The memory that all arrays of a batch share: the batch's own, and what the export allocated.
struct ExportedMemory {
  ExportedMemory(const RowBatch& batch, std::shared_ptr<MemoryBudget> budget)
      : batch_memory(batch.memory), source(batch.source), made(std::move(budget)) {}

  std::shared_ptr<Arena> batch_memory;
  std::shared_ptr<const ByteSource> source;
  Arena made;
};

// Exports the values of one batch. One thread at a time; options and context must outlive it.
class ArrayExporter {
 public:
  ArrayExporter(const RowBatch& batch, const ArrowOptions& options, const Context& context)
      : options_(options),
        context_(context),
        texts_(options.texts),
        memory_(std::make_shared<ExportedMemory>(batch, context.memory)),
        made_(memory_->made) {}

  // `column` is the name in errors.
  Owned<ArrowArray> column(const Values& values, const std::string& column) {
    column_ = column;
    return array(values);
  }
  // Returns a struct of the columns, which schema_of() with the same batch describes.
  Owned<ArrowArray> all_columns(const RowBatch& batch);

 private:
  Owned<ArrowArray> array(const Values& values);
  Owned<ArrowArray> texts(const Values& values);
  Owned<ArrowArray> times(const Values& values);
  Owned<ArrowArray> local_times(const Values& values);
  Owned<ArrowArray> keys(const Values& values);
  Owned<ArrowArray> vectors(const Values& values);

  ArrayParts parts(const Values& values) const;
  Owned<ArrowArray> make(ArrayParts parts) const { return make_array(std::move(parts)); }
  template <class T, class Convert>
  const std::byte* converted(const Values& values, Convert convert);
  const std::byte* in_arrow_units(const Values& values, int64_t zero);
  [[noreturn]] void fail_time(const Values& values, uint64_t row) const;

  const ArrowOptions& options_;
  const Context& context_;
  ArrowTexts texts_;
  std::shared_ptr<ExportedMemory> memory_;
  Arena& made_;
  std::string column_;
};

}  // namespace heron::inline v0::arrow

// Arrow arrays as values: views, if they have Heron's layout.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "arrow/import_schema.h"
#include "arrow/owned.h"
#include "base/arena.h"
#include "heron/context.h"
#include "heron/schema.h"
#include "heron/values.h"

namespace heron::inline v0::arrow {

class ArrayImporter {
 public:
  // New memory comes from the arena; views point into the arrays.
  explicit ArrayImporter(Arena& arena) : arena_(arena) {}

  // Imports these rows of an array, below its length; adds the array's own offset. Throws what
  // import_batch() throws.
  Values values(const ArrayPlan& plan, const ArrowArray& array, RowRange rows);

 private:
  // Rows of an array, from row `first` of its buffers on.
  struct Part {
    const ArrayPlan& plan;
    const ArrowArray& array;
    uint64_t first;
    uint64_t rows;

    const std::byte* buffer(int64_t i) const noexcept {
      return static_cast<const std::byte*>(array.buffers[i]);
    }
  };

  Values layout(const Part& part);
  void add_validity(const Part& part, Values& values);
  Values bits(const Part& part);
  Values numbers(const Part& part);
  Values halves(const Part& part);
  Values texts(const Part& part);
  Values views(const Part& part);
  Values fixed_binary(const Part& part);
  Values lists(const Part& part);
  Values fixed_lists(const Part& part);
  Values local_times(const Part& part);
  Values codes(const Part& part);
  Values stored_codes(const Part& part);
  Values keys(const Part& part, const Values& dictionary);
  Values decoded(const Part& part, const Values& dictionary);

  // Returns `count` cells of `width` bytes, copied if the array's are not at an aligned address.
  Buffer cells(const Part& part, int64_t buffer, uint64_t width, uint64_t first, uint64_t count);
  template <class Offset>
  RowRange offsets(const Part& part, Values& values, bool rebase);
  Values large_lists(const Type& items, uint64_t rows);
  void check_keys(const Part& part, const Values& values);

  Arena& arena_;
};

// Throws Error(Argument) for a struct that cannot be the rows of the schema, Error(Unsupported) if
// a row is null.
void check_root(const ImportedSchema& schema, const ArrowArray& array);

// Fills the batch with rows of these columns of a struct, or of an array that is the only column.
// `owner` keeps the array alive.
void import_rows(const ImportedSchema& schema, std::span<const uint64_t> columns,
                 const std::shared_ptr<const Owned<ArrowArray>>& owner, RowRange rows,
                 RowBatch& batch, const Context& context);

}  // namespace heron::inline v0::arrow

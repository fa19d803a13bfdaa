// How the rows of a block of vectors are stored (FORMAT section 6.5), found from the front of it:
//
//   rows          i32
//   length        i32: of every row; 0: each has its own
//   length        i32 a row, if they differ
//   count         i32 a row: of stored items, -1: all
//   indices       i32: how many
//   index         i32 each: where the items of rows go that do not store all, ascending in a row
//   items         of all rows, as one block of the items' codec
#pragma once

#include "columns/sparse_list_column.h"
#include "idv/block_place.h"

namespace heron::inline v0::idv {

// How many items the rows store together, and whether each row stores all it has.
struct StoredItems {
  uint64_t total = 0;
  bool all_dense = true;
};

struct VectorShape {
  // Reads the three numbers. Throws Error(Corrupt) unless they fit the type, the rows and the
  // block's bytes.
  VectorShape(const Type& type, uint64_t rows, const ByteView& block, const BlockPlace& place,
              const Context& context);

  // Reads counts and lengths; those that cannot be are left to the column to find.
  StoredItems count_items(const Context& context) const;
  // All rows store all items, equally many: where a row's are needs no looking up.
  bool all_alike(const StoredItems& stored) const noexcept {
    return length != 0 && indices.bytes == 0 && stored.all_dense;
  }
  // What the engine's column needs to know.
  SparseCells cells(const StoredItems& stored) const;

  uint64_t rows;
  uint64_t length = 0;  // 0: `lengths`
  ByteView lengths = {};
  ByteView counts = {};
  ByteView indices = {};
  ByteView items = {};
};

}  // namespace heron::inline v0::idv

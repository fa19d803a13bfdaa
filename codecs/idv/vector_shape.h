// The head of a block of vectors, which says how its rows are stored (FORMAT section 6.5):
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
#include "idv/block_position.h"

namespace heron::inline v0::idv {

// The number of stored items of all rows, and whether each row stores all of its items.
struct StoredItems {
  uint64_t total = 0;
  bool all_dense = true;
};

struct VectorShape {
  // Reads rows, length and number of indices. Throws Error(Corrupt) unless they match the type, the
  // rows and the block's size.
  VectorShape(const Type& type, uint64_t rows, const ByteView& block, const BlockPosition& position,
              const Context& context);

  // Reads counts and lengths; the column's constructor reports invalid ones.
  StoredItems count_items(const Context& context) const;
  // Returns whether all rows store all items and have the same length: then a row's items need no
  // lookup.
  bool all_alike(const StoredItems& stored) const noexcept {
    return length != 0 && indices.bytes == 0 && stored.all_dense;
  }
  // Returns the input of the engine's column.
  SparseCells cells(const StoredItems& stored) const;

  uint64_t rows;
  uint64_t length = 0;  // 0: each row has its own in `lengths`
  ByteView lengths = {};
  ByteView counts = {};
  ByteView indices = {};
  ByteView items = {};
};

}  // namespace heron::inline v0::idv

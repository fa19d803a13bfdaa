// The table sources of a file. The bytes must outlive them.
#pragma once

#include "balsa/forest.h"
#include "format/table_source.h"

namespace heron::inline v0::balsa {

// `table[k]`: columns c0, c1 ... stored row by row.
std::unique_ptr<const TableSource> cell_table(const ByteSource& bytes, std::endian order,
                                              const CellTable& table);
// `nodes`: a row per node of a forest. `tree[k]`: a row per node of a lone tree, without the column
// `tree`.
std::unique_ptr<const TableSource> node_table(std::shared_ptr<const Forest> forest);
// `trees`: a row per tree of a forest.
std::unique_ptr<const TableSource> tree_table(std::shared_ptr<const Forest> forest);

}  // namespace heron::inline v0::balsa

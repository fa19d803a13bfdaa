// Makes a forest of rows that are the nodes of trees. Their columns are
//   tree     the tree's number; ascends. Without this column all rows are of one tree
//   node     from 0 on, by one, in each tree
//   left, right, feature, label    as in TreeNodes
//   value    floats
// in any order, and no others. Integers are of any type, as other formats store them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "format/checked_forest_writer.h"
#include "heron/row_source.h"

namespace heron::inline v0 {

bool has_forest_columns(const Schema& schema);

// The counts in the metadata "class_count" of the labels and "feature_count" of the features; 0
// where there is none. Throws Error(Argument) for metadata that is no number of at most 255.
ForestShape forest_shape(const RowSource& rows);

// Returns the rows of each file, if `rows` are all rows and default columns of a table of many
// files; else `rows`. A forest needs this, because its trees are numbered from 0 in each file.
std::vector<RowSourcePtr> rows_by_file(const RowSourcePtr& rows);

// Appends the trees of the rows, which have the columns of a forest, and returns the number of
// nodes. Values are stored as floats if the column has floats, or if the metadata "float32_trees"
// of the values, such as "0,3-7", names the tree. A null among the values is NaN. Takes the memory
// of one tree. Throws Error(Argument) that names the rows' file, tree and node: numbers out of
// range or null, rows that are no whole trees, and what CheckedForestWriter::add() throws; and what
// reading throws.
uint64_t add_trees(const RowSource& rows, CheckedForestWriter& forest, const Context& context);

}  // namespace heron::inline v0

// Answers as lines of JSON in their raw form, or as plain numbers, so that they can be compared
// with golden ones and each other.
#pragma once

#include <string>
#include <vector>

#include "heron/row_view.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Returns one object a row, keys in column order, as `scan -o jsonl --raw` prints it, but for
// float32, which is the double that it equals, and for keys of a file that was not opened with
// stored_keys, which are their values.
std::vector<std::string> json_rows(const RowBatch& batch);
// Returns the current row of the view, keys as numbers.
std::string json_row(const RowView& view, const Schema& schema);
// Returns the cells of columns of numbers and bools, row after row, as a matrix<T> has them.
template <class T>
std::vector<T> number_rows(const RowBatch& batch);
// Returns a line of JSON in the spelling of json_rows() and json_row().
std::string normal_json(const std::string& line);

}  // namespace heron::inline v0

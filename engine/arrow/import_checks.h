// Whether an array is built as its schema says.
#pragma once

#include "arrow/import_schema.h"
#include "heron/row_range.h"

namespace heron::inline v0::arrow {

template <class... Got>
[[noreturn]] void fail_array(const ArrayPlan& plan, const Got&... got) {
  fail(ErrorKind::Argument, {}, "Arrow column \"", plan.path, "\": ", got...);
}

// Lengths, counts of buffers and children, pointers to them, and that those rows are there. What
// buffers hold is looked at where it is used.
void check_array(const ArrayPlan& plan, const ArrowArray* array, RowRange rows);

// Of any array: lengths and offsets that can be, and pointers to as many things as are said.
void check_node(const ArrowArray* array, std::string_view path);

}  // namespace heron::inline v0::arrow

// Checks that an array has the structure of its schema.
#pragma once

#include "arrow/import_schema.h"
#include "base/fail.h"
#include "heron/values.h"

namespace heron::inline v0::arrow {

template <class... Got>
[[noreturn]] void fail_array(const ArrayPlan& plan, const Got&... got) {
  fail(ErrorKind::Argument, {}, "Arrow column \"", plan.path, "\": ", got...);
}

// Checks lengths, numbers of buffers and children, pointers to them, and that the array has those
// rows. The content of buffers is checked where it is used.
void check_array(const ArrayPlan& plan, const ArrowArray* array, RowRange rows);

// Checks that an array's length and offset are valid, and that pointers for all buffers and
// children exist.
void check_node(const ArrowArray* array, std::string_view path);

}  // namespace heron::inline v0::arrow

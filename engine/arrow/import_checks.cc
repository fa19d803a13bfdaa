#include "arrow/import_checks.h"

#include "base/fail.h"

namespace heron::inline v0::arrow {
namespace {

using Layout = ArrayPlan::Layout;

constexpr int64_t kMaxRows = int64_t{1} << 56;  // so that 64 bits can count their bytes

// Returns the number of buffers of a layout; -1: it varies, n_buffers of the array has it.
int64_t buffers_of(Layout layout) noexcept {
  switch (layout) {
    case Layout::Null: return 0;
    case Layout::FixedList:
    case Layout::LocalTimes: return 1;
    case Layout::Text: return 3;
    case Layout::Views: return -1;
    default: return 2;
  }
}

}  // namespace

void check_node(const ArrowArray* array, std::string_view path) {
  const auto refuse = [&](const auto&... got) {
    fail(ErrorKind::Argument, {}, "Arrow column \"", path, "\": ", got...);
  };
  if (array == nullptr) refuse("expected an array, got a null pointer");
  if (array->release == nullptr) refuse("the array was released or moved away already");
  if (array->length < 0 || array->length > kMaxRows) {
    refuse("expected a length from 0 to ", kMaxRows, ", got ", array->length);
  }
  if (array->offset < 0 || array->offset > kMaxRows) {
    refuse("expected an offset from 0 to ", kMaxRows, ", got ", array->offset);
  }
  if (array->null_count < -1 || array->null_count > array->length) {
    refuse("expected from -1 to ", array->length, " nulls, got ", array->null_count);
  }
  if (array->n_buffers < 0 || (array->n_buffers > 0 && array->buffers == nullptr)) {
    refuse("expected buffers, got ", array->n_buffers, " behind ",
           array->buffers == nullptr ? "a null pointer" : "a pointer");
  }
  if (array->n_children < 0 || (array->n_children > 0 && array->children == nullptr)) {
    refuse("expected children, got ", array->n_children, " behind ",
           array->children == nullptr ? "a null pointer" : "a pointer");
  }
}

void check_array(const ArrayPlan& plan, const ArrowArray* array, RowRange rows) {
  check_node(array, plan.path);
  const auto length = static_cast<uint64_t>(array->length);
  if (rows.last > length) fail_array(plan, "expected ", rows.last, " rows or more, got ", length);

  const int64_t buffers = buffers_of(plan.layout);
  const bool right_buffers = buffers == -1 ? array->n_buffers >= 3 : array->n_buffers == buffers;
  // Programs older than the final specification give a null array a validity bitmap.
  const bool old_null = plan.layout == Layout::Null && array->n_buffers == 1;
  if (!right_buffers && !old_null) {
    fail_array(plan, "expected ", buffers == -1 ? 3 : buffers, " buffers of \"", plan.format,
               "\", got ", array->n_buffers);
  }
  const bool has_dictionary = plan.layout == Layout::Codes;
  if (has_dictionary != (array->dictionary != nullptr)) {
    fail_array(plan, has_dictionary ? "expected a dictionary, got a null pointer"
                                    : "expected no dictionary, got one");
  }
  const uint64_t children = has_dictionary ? 0 : plan.children.size();
  if (static_cast<uint64_t>(array->n_children) != children) {
    fail_array(plan, "expected ", children, children == 1 ? " child, got " : " children, got ",
               array->n_children);
  }
  if (plan.layout == Layout::Null || length == 0) return;
  if (array->null_count > 0 && array->buffers[0] == nullptr) {
    fail_array(plan, "expected a validity bitmap for ", array->null_count,
               " nulls, got a null pointer");
  }
}

}  // namespace heron::inline v0::arrow

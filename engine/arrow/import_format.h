// Arrow's format strings.
#pragma once

#include <string_view>

#include "arrow/import_schema.h"

namespace heron::inline v0::arrow {

// Sets plan's layout and type by plan.format, of types without children. Throws
// Error(Unsupported), also for formats that nobody has defined.
void read_format(ArrayPlan& plan);

// The digits behind "w:" or "+w:". Throws Error(Argument).
uint64_t width_in(std::string_view format, const ArrayPlan& plan);

// The time zone of a timestamp; empty: none.
std::string_view zone_in(std::string_view format) noexcept;

// Makes of a plan what the column was before it was exported, if "heron.type" says so and the
// format can be its. `has_dictionary`: whether that, too, is in the schema.
void apply_type_entry(ArrayPlan& plan, std::string_view type, bool has_dictionary);

[[noreturn]] void fail_unsupported(const ArrayPlan& plan);

}  // namespace heron::inline v0::arrow

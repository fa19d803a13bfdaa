// Parses Arrow format strings.
#pragma once

#include <string_view>

#include "arrow/import_schema.h"

namespace heron::inline v0::arrow {

// Sets the plan's layout and type from plan.format, for types without children. Throws
// Error(Unsupported), also for undefined formats.
void read_format(ArrayPlan& plan);

// Returns the number after "w:" or "+w:". Throws Error(Argument).
uint64_t width_in(std::string_view format, const ArrayPlan& plan);

// Restores the type that a column had before export, if "heron.type" names it and the format can
// hold it. `has_dictionary`: whether the schema has a dictionary.
void apply_type_entry(ArrayPlan& plan, std::string_view type, bool has_dictionary);

[[noreturn]] void fail_unsupported(const ArrayPlan& plan);

}  // namespace heron::inline v0::arrow

// The options of NumPy files.
#pragma once

#include "format/format_options.h"
#include "heron/writer.h"

namespace heron::inline v0::npy {

inline constexpr std::string_view kStructured = "structured";

inline constexpr FormatOption kOptions[] = {
    {.name = kStructured,
     .kind = FormatOption::Kind::Switch,
     .what = "write npy as a structured array also of one column, with its name",
     .elsewhere = "record recarray named-fields"},
};

inline bool is_structured(const WriteOptions& options) {
  return switch_option(options.format_options, kStructured);
}

}  // namespace heron::inline v0::npy

// The options of safetensors files.
#pragma once

#include <optional>

#include "format/format_options.h"
#include "heron/writer.h"
#include "values/small_floats.h"

namespace heron::inline v0::safetensors {

inline constexpr std::string_view kFloatType = "float_type";

inline constexpr FormatOption kOptions[] = {
    {.name = kFloatType,
     .kind = FormatOption::Kind::Word,
     .what = "write floats of safetensors in this type, rounded (default: as they are)",
     .value = "TYPE",
     .choices = "f16 bf16"},
};

// Returns the type in which floats are written; nullopt: as they are.
inline std::optional<SmallFloat> float_type(const WriteOptions& options) {
  const std::string_view type = text_option(options.format_options, kFloatType);
  if (type.empty()) return std::nullopt;
  return type == "f16" ? SmallFloat::Half : SmallFloat::BFloat16;
}

}  // namespace heron::inline v0::safetensors

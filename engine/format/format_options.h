// Reads options of a format that have been checked against its table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heron/formats.h"

namespace heron::inline v0 {

inline std::optional<int64_t> number_option(const FormatOptions& options, std::string_view name) {
  const auto* value = options.get<int64_t>(name);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

// Returns whether a switch is on.
inline bool switch_option(const FormatOptions& options, std::string_view name) {
  const auto* value = options.get<bool>(name);
  return value != nullptr && *value;
}

// Returns the text of an option, or the default if it is not set. Valid as long as both texts are.
inline std::string_view text_option(const FormatOptions& options, std::string_view name,
                                    std::string_view otherwise = {}) {
  const auto* value = options.get<std::string>(name);
  return value == nullptr ? otherwise : std::string_view(*value);
}

// Throws Error(Argument) that names `path` if a value is not what its option allows, or if an
// option is of none of these formats; without any, of no format at all.
void check_format_options(const std::string& path, std::span<const std::string_view> formats,
                          FormatOption::Use use, const FormatOptions& options);

}  // namespace heron::inline v0

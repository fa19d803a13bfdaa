// The keys of the pager, for its own help and for the help of the verb.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heron::cli {

// Returns lines of at most 77 characters.
std::span<const std::string_view> view_help_lines();
// Returns the keys as whole lines, for the help of the verb.
std::string view_help_text();

}  // namespace heron::cli

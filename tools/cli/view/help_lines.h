// The keys of the pager, for its own help and for that of the verb.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heron::cli {

// Lines of at most 77 characters.
std::span<const std::string_view> view_help_lines();
// The keys as whole lines, for the help of the verb.
std::string view_help_text();

}  // namespace heron::cli

// Shell completion, generated from the table of verbs.
#pragma once

#include <string>
#include <string_view>

namespace heron::cli {

// `shell` is bash, zsh or fish.
std::string completion_for(std::string_view shell);

}  // namespace heron::cli

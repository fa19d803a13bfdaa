// The manual page heron(1), generated from the table of verbs.
#pragma once

#include <string>

namespace heron::cli {

// As man(7) source.
std::string manual();

}  // namespace heron::cli

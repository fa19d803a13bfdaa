// The version of the library.
#pragma once

#include <string_view>

#include "heron/export.h"

namespace heron::inline v0 {

// The version that the program runs with: "0.1.0".
HERON_EXPORT std::string_view version() noexcept;

}  // namespace heron::inline v0

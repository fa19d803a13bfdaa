// The text of page.html, which the build compiles in.
#pragma once

#include <string_view>

namespace heron::cli::bench {

// The report replaces @REPORT@ in the page.
extern const std::string_view kPage;

}  // namespace heron::cli::bench

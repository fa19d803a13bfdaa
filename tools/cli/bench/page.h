// page.html, which the build makes a text of.
#pragma once

#include <string_view>

namespace heron::cli::bench {

// The report goes where @REPORT@ is.
extern const std::string_view kPage;

}  // namespace heron::cli::bench

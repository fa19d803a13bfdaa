// Checks a schema against a format's type support; every create() uses it.
#pragma once

#include <string>
#include <string_view>

#include "format/format.h"

namespace heron::inline v0 {

// Throws Error(Unsupported) that names all columns of types that the format does not support.
// `format` is its display name.
void check_supported(const std::string& path, std::string_view format,
                     const WriteSupport& write_support, const Schema& schema);

}  // namespace heron::inline v0

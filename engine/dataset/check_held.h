// What every format's create() refuses, by what its capacity says.
#pragma once

#include <string>
#include <string_view>

#include "dataset/format.h"

namespace heron::inline v0 {

// Throws Error(Unsupported) that names all columns of types for which there is no place. `format`
// is how people call it.
void check_held(const std::string& path, std::string_view format, const Capacity& capacity,
                const Schema& schema);

}  // namespace heron::inline v0

// Rows put away as a Jay file without a name.
#pragma once

#include <string>

#include "convert/spool.h"

namespace heron::inline v0 {

// Of files in that folder, which may be full: throws Error(Write) for it. A schema with types that
// Jay does not hold is Error(Unsupported). What is read back is mapped.
MakeSpool spool_in(std::string folder, const Context& context);

}  // namespace heron::inline v0

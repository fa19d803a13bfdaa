// Types as a file tells them: codecs, by name and parameters.
#pragma once

#include "heron/schema.h"
#include "idv/put.h"

namespace heron::inline v0::idv {

// Appends the definition of the codec of a type that kCapacity holds.
void put_definition(Bytes& out, const Type& type);

}  // namespace heron::inline v0::idv

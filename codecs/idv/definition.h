// Types as a file tells them: codecs, by name and parameters.
#pragma once

#include "heron/schema.h"
#include "idv/put.h"

namespace heron::inline v0::idv {

// Whether there is a codec for it.
bool storable(const Type& type);

// Appends the definition of the codec of a type that is storable().
void put_definition(Bytes& out, const Type& type);

}  // namespace heron::inline v0::idv

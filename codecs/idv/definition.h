// Writes types as codecs: name and parameters.
#pragma once

#include "heron/schema.h"
#include "idv/put.h"

namespace heron::inline v0::idv {

// Appends the definition of the codec for a type that kWriteSupport supports.
void put_definition(Bytes& out, const Type& type);

}  // namespace heron::inline v0::idv

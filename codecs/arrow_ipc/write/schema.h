// Makes the schema that is written.
#pragma once

#include "arrow_ipc/write/keys.h"
#include "arrow_ipc_generated.h"
#include "heron/schema.h"

namespace heron::inline v0::arrow_ipc {

// Columns of keys with a dictionary have the types of its values.
flatbuffers::Offset<arrow_fbs::Schema> put_schema(flatbuffers::FlatBufferBuilder& metadata,
                                                  const Schema& schema,
                                                  const KeyDictionaries& keys);

}  // namespace heron::inline v0::arrow_ipc

// Makes the metadata that is written: schemas, batches, the footer.
#pragma once

#include "arrow_ipc_generated.h"
#include "heron/schema.h"

namespace heron::inline v0::arrow_ipc {

flatbuffers::Offset<arrow_fbs::Schema> put_schema(flatbuffers::FlatBufferBuilder& metadata,
                                                  const Schema& schema);

}  // namespace heron::inline v0::arrow_ipc

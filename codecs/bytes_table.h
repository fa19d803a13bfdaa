// Bytes of which no format is known, as a table: what is inside a container, if nothing else.
#pragma once

#include "dataset/format.h"

namespace heron::inline v0 {

// Of format "bytes": the table `bytes` with a row for every byte and the column `byte`, uint8.
// `block_rows` are its natural blocks; 0: none.
std::shared_ptr<const Dataset> open_as_bytes(std::shared_ptr<const ByteSource> bytes,
                                             uint64_t block_rows);

}  // namespace heron::inline v0

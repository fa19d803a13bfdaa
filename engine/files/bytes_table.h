// Bytes of unknown format as a table: the content of a container, if no format matches.
#pragma once

#include "format/format.h"

namespace heron::inline v0 {

// A dataset of format "bytes": the table `bytes` with a row for every byte and the column `byte`,
// uint8. `block_rows` is its block size; 0: none.
std::shared_ptr<const File> open_as_bytes(std::shared_ptr<const ByteSource> bytes,
                                             uint64_t block_rows);

}  // namespace heron::inline v0

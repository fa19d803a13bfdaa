// Limits that tests lower, so that small files reach what otherwise takes many megabytes.
#pragma once

#include "idv/idv.h"

namespace heron::inline v0::idv {

struct WriteLimits {
  // Default rows per block, as in the format's own program.
  uint64_t block_rows = 8192;
  // Maximum bytes before compression of one block of all columns: larger blocks get fewer rows.
  uint64_t block_bytes = uint64_t{80} << 20;
};

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context,
                                      const WriteLimits& limits);

}  // namespace heron::inline v0::idv

// What tests set to reach in a small file what takes many megabytes.
#pragma once

#include "idv/idv.h"

namespace heron::inline v0::idv {

struct WriteLimits {
  // In a block where that is not told, as the format's own program has it.
  uint64_t block_rows = 8192;
  // Of one block of all columns, before compression: it gets fewer rows.
  uint64_t block_bytes = uint64_t{80} << 20;
};

std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                               const WriteOptions& options, const Context& context,
                               const WriteLimits& limits);

}  // namespace heron::inline v0::idv

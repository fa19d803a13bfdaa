// Limits that tests lower, so that small files reach what otherwise takes gigabytes.
#pragma once

#include "jay/jay.h"

namespace heron::inline v0::jay {

struct WriteLimits {
  // Maximum number of characters, items or rows with offsets of 32 bits.
  uint64_t narrow = INT32_MAX;
  // Memory for the buffers of all columns in total, as long as each has kMinChunk.
  uint64_t memory_bytes = uint64_t{64} << 20;
};

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context,
                                      const WriteLimits& limits);

}  // namespace heron::inline v0::jay

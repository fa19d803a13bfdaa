// Structs that Heron exports, and their release: they point into an object behind private_data,
// which the release callback deletes. It releases the children that were not moved out; each child
// has its own object, and all share the batch's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrow/owned.h"

namespace heron::inline v0::arrow {

using Entries = std::vector<std::pair<std::string, std::string>>;

// The C encoding of metadata: int32 counts and lengths in the machine's byte order. Throws
// Error(Limit) for counts and lengths beyond int32.
std::string encode_metadata(const Entries& entries);
// Decodes metadata; null has no entries. Throws Error(Argument) for negative lengths, and if names
// and texts exceed kMaxMetadataBytes in all: the interface does not give the size of metadata.
inline constexpr uint32_t kMaxMetadataBytes = uint32_t{1} << 26;
Entries decode_metadata(const char* metadata);

struct SchemaParts {
  std::string format;
  std::string name;
  bool nullable = true;
  Entries metadata;
  std::vector<Owned<ArrowSchema>> children;
  std::optional<Owned<ArrowSchema>> dictionary;
};
Owned<ArrowSchema> make_schema(SchemaParts parts);

struct ArrayParts {
  uint64_t length = 0;
  uint64_t null_count = 0;
  uint64_t offset = 0;
  std::vector<const void*> buffers;
  std::vector<Owned<ArrowArray>> children;
  std::optional<Owned<ArrowArray>> dictionary;
  std::shared_ptr<const void> memory;  // owns the buffers
};
Owned<ArrowArray> make_array(ArrayParts parts);

}  // namespace heron::inline v0::arrow

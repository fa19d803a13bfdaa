// What a container with many payloads holds: its entries, each with a path.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "bytes/byte_source.h"
#include "heron/file.h"

namespace heron::inline v0 {

// Immutable, thread-safe.
class Archive {
 public:
  virtual ~Archive() = default;

  virtual uint64_t size() const noexcept = 0;
  // Path, sizes and encoding of an entry; its format is unknown.
  virtual ArchiveEntry entry(uint64_t index) const = 0;
  virtual std::optional<uint64_t> find(std::string_view path) const noexcept = 0;
  // Reads the entry's own header, nothing else. Throws Error: Unsupported for an encoding that
  // Heron does not decode, Corrupt, Limit.
  virtual std::shared_ptr<const ByteSource> open(uint64_t index, const Context& context) const = 0;
  // Reads the entry and compares it with its checksum. Throws what open() throws.
  virtual void verify(uint64_t index, const Context& context) const = 0;
};

}  // namespace heron::inline v0

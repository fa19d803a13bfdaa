// The extra fields of a header: an id and a length, of 2 bytes each, and that many bytes.
#pragma once

#include <cstdint>
#include <span>

#include "bytes/on_disk.h"

namespace heron::inline v0::zip {

// Returns the first field with that id; empty if there is none, or if it is cut off. Fields that do
// not add up are common (alignment tools pad with zeros) and end the list.
inline std::span<const std::byte> extra_field(std::span<const std::byte> extra, uint16_t id) {
  constexpr size_t kHead = 4;
  while (extra.size() >= kHead) {
    const uint64_t bytes = load<u16le>(&extra[2]);
    if (bytes > extra.size() - kHead) break;
    if (load<u16le>(extra.data()) == id) return extra.subspan(kHead, bytes);
    extra = extra.subspan(kHead + bytes);
  }
  return {};
}

}  // namespace heron::inline v0::zip

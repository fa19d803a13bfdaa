// Options of TreeZip containers.
#pragma once

#include <optional>

namespace heron::inline v0 {

struct TreezipWrapOptions {
  // How many previous bits are context for a bit, 0 to 255. A file made with 0 is read at any
  // offset without decoding the bytes before it.
  unsigned previous_bits = 0;
  // How many bits of its address are context for a bit, 0 to 255. Default: all of them.
  std::optional<unsigned> address_bits = std::nullopt;

  bool operator==(const TreezipWrapOptions&) const = default;
};

}  // namespace heron::inline v0

// Files inside files: a container holds the bytes of one other file, its payload, in another form.
// open() looks through containers by itself; this is how they are made and undone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heron/dataset.h"

namespace heron::inline v0 {

struct WrapOptions {
  std::string container;  // a container's name; empty: as the ending of the path says
  // Of TreeZip: how many bits before a bit may say what it is, 0 to 255. 0 gives files that are
  // read at any place without what lies before it.
  unsigned previous_bits = 0;
  // Likewise: how many bits of its address may, 0 to 255. Not told: all there are.
  std::optional<unsigned> address_bits = std::nullopt;
  // Whether a file that has the name may be replaced; else it is Error(Write).
  bool replace = false;
};

struct UnwrapOptions {
  bool replace = false;  // as WrapOptions has it
};

// Writes a container with the bytes of the file `in`, of any kind; it appears under the name `out`
// whole or not at all. Returns its bytes. The time and memory that takes are the container's:
// TreeZip takes twice the payload and 1 MB without previous bits, with N of them up to N / 8 + 6
// times the payload and 23 MB. Of `open`, map is looked at. Throws Error: Argument, Io, Write,
// Limit, Cancelled.
uint64_t wrap(const std::string& in, const std::string& out, const WrapOptions& options = {},
              const OpenOptions& open = {}, const Context& context = {});

// Writes the payload of the outermost container of `in` likewise. Throws Error: Argument (no
// container), Limit (more than open.max_decode), and what open() throws.
uint64_t unwrap(const std::string& in, const std::string& out, const UnwrapOptions& options = {},
                const OpenOptions& open = {}, const Context& context = {});

}  // namespace heron::inline v0

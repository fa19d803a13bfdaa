// Files inside files: a container holds the bytes of one other file, its payload, in another form.
// open() reads through containers; wrap() makes them and unwrap() undoes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "heron/dataset.h"

namespace heron::inline v0 {

struct WrapOptions {
  std::string container = {};  // a container's name; empty: by the ending of the path
  // TreeZip only: how many previous bits are context for a bit, 0 to 255. A file made with 0 is
  // read at any place without decoding what lies before it.
  unsigned previous_bits = 0;
  // TreeZip only: how many bits of its address are context for a bit, 0 to 255. Default: all of
  // them.
  std::optional<unsigned> address_bits = std::nullopt;
  // Whether to replace a file of that name; else it is Error(Write).
  bool replace = false;
};

struct UnwrapOptions {
  bool replace = false;  // as in WrapOptions
};

// Writes a container with the bytes of the file `in`, which may be of any kind. The file `out`
// appears whole or not at all. Returns the size of the container in bytes. Time and memory depend
// on the container: TreeZip takes twice the payload and 1 MB without previous bits, with N of them
// up to N / 8 + 6 times the payload and 23 MB. Of `open`, only `map` is used. Throws Error:
// Argument, Io, Write, Limit, Cancelled.
uint64_t wrap(const std::string& in, const std::string& out, const WrapOptions& options = {},
              const OpenOptions& open = {}, const Context& context = {});

// Writes the payload of the outermost container of `in` in the same way. Throws Error: Argument (no
// container), Limit (more than open.max_decode), and what open() throws.
uint64_t unwrap(const std::string& in, const std::string& out, const UnwrapOptions& options = {},
                const OpenOptions& open = {}, const Context& context = {});

}  // namespace heron::inline v0

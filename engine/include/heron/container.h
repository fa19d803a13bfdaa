// Files inside files: a container holds the bytes of one other file, its payload, in another form;
// an archive those of many, its entries. open() reads through them; wrap() makes containers and
// unwrap() undoes both.
#pragma once

#include <cstdint>
#include <string>

#include "heron/dataset.h"
#include "heron/export.h"
#include "heron/format_options.h"

namespace heron::inline v0 {

struct WrapOptions {
  std::string container = {};  // a container's name; empty: chosen by the ending of the path
  // Whether to replace an existing file of that name; otherwise it is Error(Write).
  bool replace = false;
  // Options of the container; those of another are Error(Argument).
  FormatOptions format_options = {};

  void set(std::string_view name, OptionValue value) {
    format_options.set(name, std::move(value));
  }
};

struct UnwrapOptions {
  bool replace = false;  // as in WrapOptions
};

// Writes a container with the bytes of the file `in`, which may be of any kind. The file `out`
// appears whole or not at all. Returns the size of the container in bytes. Time and memory depend
// on the container: TreeZip takes twice the payload and 1 MB without previous bits, with N of them
// up to N / 8 + 6 times the payload and 23 MB. Of `open`, only `map` is used. Throws Error:
// Argument, Io, Write, Limit, Cancelled.
HERON_EXPORT uint64_t wrap(const std::string& in, const std::string& out,
                           const WrapOptions& options = {}, const OpenOptions& open = {},
                           const Context& context = {});

// Writes the payload of the outermost container of `in` to `out`, which appears whole or not at
// all; from an archive, the entry open.entry, which may be empty if there is only one. Throws
// Error: Argument (no container, no such entry), Limit (more than open.max_decode), and what open()
// throws.
HERON_EXPORT uint64_t unwrap(const std::string& in, const std::string& out,
                             const UnwrapOptions& options = {}, const OpenOptions& open = {},
                             const Context& context = {});

}  // namespace heron::inline v0

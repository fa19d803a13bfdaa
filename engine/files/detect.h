// Which format a file is of, by its first bytes and its name.
#pragma once

#include <string>

#include "format/format.h"

namespace heron::inline v0 {

// The first bytes of the file that detection needs: kForeignHeadBytes.
std::string head_of(const ByteSource& bytes, const Context& context);

// Where bytes lie: a container's payload has a name of its own only if the container's ends as
// containers do, an archive's entry always.
enum class Place : uint8_t { File, Payload, Entry };

struct Detected {
  const Format* format = nullptr;  // null: unknown
  bool certain = false;            // no lone Maybe
};

// The one format whose probe says Yes; else the only Maybe; without any, what the bytes resemble by
// their name, or, if they are a file, as text.
Detected detect(const ByteSource& bytes, Place place, const Context& context);

}  // namespace heron::inline v0

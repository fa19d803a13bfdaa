// Detects the format of a file by its first bytes and its name.
#pragma once

#include <string>

#include "format/format.h"

namespace heron::inline v0 {

// Returns the first bytes of the file that detection needs: kForeignHeadBytes.
std::string head_of(const ByteSource& bytes, const Context& context);

// The origin of bytes. A container's payload has a name of its own only if the container's name
// ends as containers' do; an archive's entry always has one.
enum class ByteOrigin : uint8_t { File, Payload, Entry };

struct Detected {
  const Format* format = nullptr;  // null: unknown
  bool certain = false;            // false for a lone Maybe
};

// Returns the one format whose probe says Yes; else the only Maybe; without either, the format that
// the bytes resemble by their name or, if they are a file, as text.
Detected detect(const ByteSource& bytes, ByteOrigin origin, const Context& context);

}  // namespace heron::inline v0

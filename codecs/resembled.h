// Files whose first bytes do not show the format.
#pragma once

#include "dataset/format.h"

namespace heron::inline v0 {

// The file's first bytes, as many as it takes to say what it is: kForeignHeadBytes.
std::string head_of(const ByteSource& bytes, const Context& context);

// The format that the bytes are to be opened as though its probe says No; null: none.
const Format* resembled(const ByteSource& bytes, bool is_payload, const Context& context);

}  // namespace heron::inline v0

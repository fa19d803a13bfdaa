// Which format a file is of, by its first bytes and its name.
#pragma once

#include <string>

#include "dataset/format.h"

namespace heron::inline v0 {

// The first bytes of the file that detection needs: kForeignHeadBytes.
std::string head_of(const ByteSource& bytes, const Context& context);

// The one format whose probe says Yes; else the only Maybe; without any, what the bytes resemble by
// their name, or as text. Null: unknown. `is_payload`: of a container, whose name says less.
const Format* detect(const ByteSource& bytes, bool is_payload, const Context& context);

}  // namespace heron::inline v0

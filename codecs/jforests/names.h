// Names of features as stored: one byte per character.
#pragma once

#include <string>
#include <string_view>

namespace heron::inline v0::jforests {

// Returns the low 8 bits of each UTF-16 unit of a text in UTF-8, of at most kMaxNameBytes units. A
// byte that is not UTF-8 is kept.
std::string stored_name(std::string_view text);

}  // namespace heron::inline v0::jforests

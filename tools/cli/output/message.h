// What is told on stderr.
#pragma once

#include <initializer_list>
#include <string_view>

namespace heron::cli {

// One line, "heron: " and the parts one behind the other, whatever the names in them hold. Nobody
// may be there to read it. Takes no memory if there is none.
void write_message(std::initializer_list<std::string_view> parts) noexcept;

}  // namespace heron::cli

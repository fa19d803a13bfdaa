// Upper and lower case of characters: Unicode's simple mapping, one character for one.
#pragma once

#include <string>
#include <string_view>

namespace heron::inline v0 {

char32_t lower_case(char32_t code) noexcept;
char32_t upper_case(char32_t code) noexcept;

// Writes the text in lower or upper case, at most three bytes for each; returns the end. Bytes that
// are not UTF-8 stay as they are. Up to kMappedSlack bytes behind the end are overwritten, too.
inline constexpr size_t kMappedSlack = 8;
char* write_lower(std::string_view text, char* to) noexcept;
char* write_upper(std::string_view text, char* to) noexcept;

// Writes as many bytes as the text has, in lower or upper case where they are ASCII; returns whether
// all are. As quick as memory is.
bool write_lower_ascii(std::string_view text, char* to) noexcept;
bool write_upper_ascii(std::string_view text, char* to) noexcept;

// Sets `folded` to the text in the form that `ilike` compares: lower case. `text` may not be a view
// of `folded`.
void fold_case(std::string_view text, std::string& folded);

}  // namespace heron::inline v0

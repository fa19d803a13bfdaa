// The grammar of a line, in blanks and tabs:
//
//   LABEL [qid:QUERY] INDEX:VALUE INDEX:VALUE .. [# COMMENT]
//
// Labels and values are decimal numbers, queries and indices integers; indices ascend. Lines that
// are empty or only a comment are no rows.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes/byte_source.h"

namespace heron::inline v0::svmlight {

inline constexpr uint64_t kMaxIndex = (uint64_t{1} << 31) - 2;  // the index of a feature

// Views into a line.
struct Line {
  std::string_view label;
  std::string_view query;    // the text behind qid:
  std::string_view pairs;    // may be empty
  std::string_view comment;  // without the blanks around it
  bool has_query = false;
};

// Returns nullopt for a line that is no row. `text` has no line end.
std::optional<Line> split(std::string_view text) noexcept;

inline bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}
std::string_view trimmed(std::string_view text) noexcept;

// Parses all of the text as an integer or a float. Returns false if it is none, or if an integer
// does not fit T; floats that do not fit are infinite or 0.
bool parse(std::string_view text, int64_t& number) noexcept;
bool parse(std::string_view text, double& number) noexcept;
bool parse(std::string_view text, float& number) noexcept;

// Calls use(line, offset of the line in the text) for each line; a carriage return at its end is
// not part of it.
template <class Use>
void each_line(std::string_view text, Use use) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    use(line, at);
    at = end + 1;
  }
}

// Returns "line 7 (byte 123)" of the line that begins at an offset: counts the lines before it.
std::string line_text(const ByteSource& source, uint64_t offset, const Context& context);

}  // namespace heron::inline v0::svmlight

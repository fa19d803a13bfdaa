#include "svmlight/line.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "base/fail.h"

namespace heron::inline v0::svmlight {
namespace {

// Removes blanks at the start, and returns the text up to the next blank, which is removed.
std::string_view take_word(std::string_view& text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  size_t end = 0;
  while (end < text.size() && !is_blank(text[end])) ++end;
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

// Removes a plus sign, which std::from_chars() does not read, unless a minus sign follows.
std::string_view without_plus(std::string_view text) noexcept {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return text;
}

template <class Integer>
bool parse_whole(std::string_view text, Integer& number) noexcept {
  text = without_plus(text);
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return at == end && error == std::errc() && !text.empty();
}

// Returns whether a decimal number that no float holds is too large, not too small: whether its
// first digit that is not 0 stands before the point once the exponent has moved that.
bool is_large(std::string_view text) noexcept {
  const size_t e = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, e),
                         exponent = text.substr(std::min(e + 1, text.size()));
  const size_t point = std::min(digits.find('.'), digits.size());
  const size_t first = std::min(digits.find_first_of("123456789"), digits.size());
  int64_t power = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  if (exponent.empty()) return power > 0;
  int32_t moved = 0;
  if (!parse_whole(exponent, moved)) return !exponent.starts_with('-');
  power += moved;
  return power > 0;
}

template <class Float>
bool parse_float(std::string_view text, Float& number) noexcept {
  text = without_plus(text);
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (at != end || text.empty()) return false;
  if (error == std::errc()) return text.back() != ')';  // of "nan(7)"
  if (error != std::errc::result_out_of_range) return false;
  const Float size = is_large(text) ? std::numeric_limits<Float>::infinity() : Float{0};
  number = text.front() == '-' ? -size : size;
  return true;
}

}  // namespace

std::string_view trimmed(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<Line> split(std::string_view text) noexcept {
  constexpr std::string_view kQuery = "qid:";
  Line line;
  if (const size_t comment = text.find('#'); comment != text.npos) {
    line.comment = trimmed(text.substr(comment + 1));
    text = text.substr(0, comment);
  }
  line.label = take_word(text);
  if (line.label.empty()) return std::nullopt;
  std::string_view rest = text;
  const std::string_view word = take_word(rest);
  if (word.starts_with(kQuery)) {
    line.query = word.substr(kQuery.size());
    line.has_query = true;
    text = rest;
  }
  line.pairs = trimmed(text);
  return line;
}

bool parse(std::string_view text, int64_t& number) noexcept {
  return parse_whole(text, number);
}

bool parse(std::string_view text, double& number) noexcept {
  return parse_float(text, number);
}

bool parse(std::string_view text, float& number) noexcept {
  return parse_float(text, number);
}

std::string line_text(const ByteSource& source, uint64_t offset, const Context& context) {
  constexpr uint64_t kBytes = uint64_t{1} << 20;
  std::vector<std::byte> bytes(std::min(offset, kBytes));
  uint64_t lines = 1;
  for (uint64_t at = 0; at < offset; at += kBytes) {
    const auto some = std::span(bytes).first(std::min(kBytes, offset - at));
    source.read(at, some, context);
    lines += static_cast<uint64_t>(std::ranges::count(some, std::byte{'\n'}));
  }
  return concat("line ", lines, " (byte ", offset, ")");
}

}  // namespace heron::inline v0::svmlight

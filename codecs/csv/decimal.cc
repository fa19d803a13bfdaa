#include "csv/decimal.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace heron::inline v0::csv {
namespace {

template <class T>
std::optional<T> convert(std::string_view text) noexcept {
  if (text.starts_with('+')) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return value;
}

bool equals_word(std::string_view text, std::string_view word) noexcept {
  if (text.size() != word.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((text[i] | 0x20) != word[i]) return false;
  }
  return true;
}

std::string_view without_zeros_behind(std::string_view digits) noexcept {
  return digits.substr(0, digits.find_last_not_of('0') + 1);
}

}  // namespace

std::optional<double> to_double_of_text(std::string_view text) noexcept {
  return convert<double>(text);
}

// The double nearest to a number lies on the same side of a float's rounding boundary, unless it
// equals that boundary: only then the text decides.
template <>
std::optional<float> to_float<float>(const Decimal& decimal, std::string_view text) noexcept {
  constexpr uint64_t kBehind = (uint64_t{1} << 29) - 1;  // the bits that a float lacks
  constexpr uint64_t kBoundary = uint64_t{1} << 28;
  const auto number = to_float<double>(decimal, text);
  if (!number) return std::nullopt;
  const double magnitude = std::fabs(*number);
  const bool is_normal = magnitude >= double{std::numeric_limits<float>::min()} &&
                         magnitude <= double{std::numeric_limits<float>::max()};
  if (magnitude == 0 || (is_normal && (std::bit_cast<uint64_t>(*number) & kBehind) != kBoundary)) {
    return static_cast<float>(*number);
  }
  if (const auto value = convert<float>(text)) return value;
  if (magnitude > 1) return std::nullopt;
  return decimal.negative ? -0.0F : 0.0F;
}

std::optional<double> number_word(std::string_view text) noexcept {
  if (equals_word(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (!equals_word(text, "inf") && !equals_word(text, "infinity")) return std::nullopt;
  const double infinity = std::numeric_limits<double>::infinity();
  return negative ? -infinity : infinity;
}

bool double_keeps(const Decimal& decimal, std::string_view text) noexcept {
  if (!decimal.is_long && decimal.digits <= digits::kMaxExact) return true;
  const auto number = to_float<double>(decimal, text);
  if (!number) return false;
  char room[32];
  char* const end =
      std::to_chars(room, room + sizeof room, std::fabs(*number), std::chars_format::scientific)
          .ptr;
  std::string shortest(static_cast<const char*>(room), static_cast<const char*>(end));
  shortest.resize(shortest.find('e'));
  std::erase(shortest, '.');
  text.remove_prefix(decimal.negative);
  return without_zeros_behind(shortest) == without_zeros_behind(text);
}

}  // namespace heron::inline v0::csv

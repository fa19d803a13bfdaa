// A field as written, the words that mean null or a bool, and how options read them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpu.h"
#include "csv/decimal.h"
#include "heron/csv.h"

namespace heron::inline v0::csv {

// Removes the outer quotes; those inside stay doubled. The tokenizer has checked that they match.
HERON_INLINE bool take_quotes(std::string_view& field) noexcept {
  if (field.empty() || field.front() != '"') return false;
  field = field.substr(1, field.size() - 2);
  return true;
}

// Copies the content of a quoted field, each pair of quotes as one, to field.size() free bytes.
// Returns the number of bytes written.
inline size_t copy_unquoted(std::string_view field, char* to) noexcept {
  char* next = to;
  while (!field.empty()) {
    const size_t quote = std::min(field.find('"'), field.size() - 1);
    next = std::copy_n(field.data(), quote + 1, next);
    field.remove_prefix(std::min(quote + 2, field.size()));
  }
  return static_cast<size_t>(next - to);
}

// Returns the content of a field.
inline std::string unquoted(std::string_view field) {
  if (!take_quotes(field)) return std::string(field);
  std::string text(field.size(), '\0');
  text.resize(copy_unquoted(field, text.data()));
  return text;
}

// Returns a field for error texts: only the beginning of a long one, without control characters.
inline std::string shown(std::string_view field) {
  constexpr size_t kMaximum = 60;
  std::string text(field.substr(0, kMaximum));
  for (char& c : text) c = static_cast<unsigned char>(c) < 0x20 ? '.' : c;
  if (field.size() <= kMaximum) return text;
  while (!text.empty() && (text.back() & 0x80) != 0) text.pop_back();  // part of a character
  return text + "...";
}

HERON_INLINE std::optional<bool> bool_word(std::string_view text) noexcept {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

// Parses "yes" and "no" in three spellings.
inline std::optional<bool> yes_or_no(std::string_view text) noexcept {
  if (text == "yes" || text == "Yes" || text == "YES") return true;
  if (text == "no" || text == "No" || text == "NO") return false;
  return std::nullopt;
}

constexpr bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}
HERON_INLINE std::string_view without_blanks(std::string_view text) noexcept {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// The words that mean null.
class NullWords {
 public:
  explicit NullWords(const std::vector<std::string>& words) : words_(words) {
    for (const std::string& word : words) {
      if (!word.empty()) begins_[static_cast<unsigned char>(word.front())] = true;
    }
  }

  // Returns whether a field that is not quoted means null.
  HERON_INLINE bool contain(std::string_view field) const noexcept {
    return field.empty() ||
           (begins_[static_cast<unsigned char>(field.front())] && contain_word(field));
  }

 private:
  bool contain_word(std::string_view field) const noexcept {
    return std::ranges::find(words_, field) != words_.end();
  }

  std::vector<std::string> words_;
  std::array<bool, 256> begins_{};
};

// The rules by which fields are read.
struct FieldRules {
  explicit FieldRules(const CsvOptions& options)
      : nulls(options.null_words), trim(options.trim), decimal_comma(options.decimal == ',') {}

  // Returns a field as written, without the blanks around it if `trim` is set.
  HERON_INLINE std::string_view trimmed(std::string_view field) const noexcept {
    return trim ? without_blanks(field) : field;
  }

  NullWords nulls;
  bool trim;
  bool decimal_comma;
};

// Rewrites a number with a decimal comma with a point; a number with a point becomes a text that is
// no number. digits::kReadBehind bytes behind the text can be read.
class CommaNumber {
 public:
  explicit CommaNumber(std::string_view text) : bytes_(text.size()) {
    text_.assign(text.size() + digits::kReadBehind, '\0');
    std::ranges::transform(text, text_.begin(), [](char c) {
      return c == ',' ? '.' : c == '.' ? ',' : c;
    });
  }
  std::string_view text() const noexcept { return {text_.data(), bytes_}; }

 private:
  size_t bytes_;
  std::string text_;
};

}  // namespace heron::inline v0::csv

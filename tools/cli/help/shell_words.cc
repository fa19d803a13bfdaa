#include "help/shell_words.h"

#include <algorithm>

namespace heron::cli {
namespace {

// The characters of COMP_WORDBREAKS that may stand in a word.
constexpr std::string_view kBreaks = "=:@";

bool is_special(char c) {
  constexpr std::string_view kSpecial = " \t\n!\"#$&'()*;<>?[\\]^`{|}~";
  return kSpecial.find(c) != std::string_view::npos;
}

}  // namespace

ShellLine::ShellLine(std::string_view line) : words_(1) {
  bool in_word = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    std::string& word = words_.back();
    if (quote_ != 0 && c == quote_) {
      quote_ = 0;
    } else if (c == '\\' && quote_ != '\'' && i + 1 < line.size()) {
      word += line[++i];
    } else if (quote_ != 0) {
      word += c;
    } else if (c == '\'' || c == '"') {
      quote_ = c;
      in_word = true;
      before_ = word;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (in_word) words_.emplace_back();
      in_word = false;
      before_.clear();
      continue;
    } else {
      word += c;
      if (kBreaks.find(c) != std::string_view::npos) before_ = word;
    }
    in_word = true;
  }
  if (words_.size() == 1) words_.emplace_back();
}

std::string ShellLine::in_place(std::string_view word) const {
  word.remove_prefix(std::min(before_.size(), word.size()));
  std::string out;
  for (const char c : word) {
    const bool is_escaped =
        quote_ == 0 ? is_special(c)
                    : quote_ == '"' && std::string_view("\"\\$`").find(c) != std::string_view::npos;
    if (is_escaped) out += '\\';
    out += quote_ == '\'' && c == '\'' ? "'\\''" : std::string(1, c);
  }
  return out;
}

}  // namespace heron::cli

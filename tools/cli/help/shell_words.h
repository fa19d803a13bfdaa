// Splits a command into words as bash does, and quotes words as they are typed in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heron::cli {

// A command up to the cursor. Quotes and backslashes are removed; nothing is expanded.
class ShellLine {
 public:
  explicit ShellLine(std::string_view line);

  // The last word is unfinished, and may be empty. There are at least two: the program is the
  // first.
  const std::vector<std::string>& words() const noexcept { return words_; }
  // Returns how a word that begins with the unfinished one is typed from where readline begins to
  // replace it: behind the open quote, else behind the last character that is a word break to
  // readline.
  std::string in_place(std::string_view word) const;

 private:
  std::vector<std::string> words_;
  char quote_ = 0;          // the open quote
  std::string before_;      // part of the unfinished word that readline keeps
};

}  // namespace heron::cli

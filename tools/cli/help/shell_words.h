// The words of a command as bash reads them, and words as they are typed in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heron::cli {

// A command up to the cursor. Quotes and backslashes are taken away; nothing is expanded.
class ShellLine {
 public:
  explicit ShellLine(std::string_view line);

  // The last one is unfinished, and may be empty. At least two: the program is the first.
  const std::vector<std::string>& words() const noexcept { return words_; }
  // How a word is typed that begins with the unfinished one, from where readline begins to replace
  // it: behind the quote that is open, else behind the last of the characters that are words to it.
  std::string in_place(std::string_view word) const;

 private:
  std::vector<std::string> words_;
  char quote_ = 0;          // that is open
  std::string before_;      // what readline leaves of the unfinished word
};

}  // namespace heron::cli

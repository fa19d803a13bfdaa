// Shell completion. Shells ask the program what a word may become: their scripts contain no verbs
// and no options, so that they fit whatever version is installed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "output/sink.h"

namespace heron::cli {

// A word that may replace the unfinished one, and its description, if known.
struct Candidate {
  std::string word;
  std::string_view what = {};
};

struct Completion {
  // The paths that the shell itself completes if there are no candidates.
  enum class Paths : uint8_t { None, Files, Folders };
  std::vector<Candidate> candidates = {};
  Paths paths = Paths::None;
  bool is_unfinished = false;  // more follows in the same word: no blank behind it
};

// Completes the last of the words behind "heron": all candidates begin with it. Names of columns,
// tables and entries come from the first file among the words; a file that cannot be read has none.
// Throws nothing but std::bad_alloc.
Completion complete(std::span<const std::string> words);

// Answers `heron __complete ...`, which the scripts call, with a first line "files", "folders" or
// "words", in front of which "unfinished " may stand, and a line for each candidate:
//   words WORD...   the words behind "heron"; lines are the candidate, a tab and what it is
//   bash LINE       the command up to the cursor, as typed; lines are texts that replace what bash
//                   takes for the unfinished word
void print_completion(FileSink& out, std::span<const std::string> request);

// The script that teaches a shell, bash, zsh or fish, to ask.
std::string_view completion_script(std::string_view shell);

}  // namespace heron::cli

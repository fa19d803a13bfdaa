// Regular expressions, compiled for matching many texts. Only regex.cc includes RE2.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "expression/expression.h"
#include "expression/source_text.h"

namespace heron::inline v0 {

// The options that DuckDB's letters choose.
struct RegexOptions {
  bool ignore_case = false;
  bool point_is_newline = false;  // a point matches line breaks, too
  bool literal = false;           // the pattern is no expression but a text
  bool all = false;               // replaces all matches, not the first
};

// A pattern of `like` for all texts that an expression matches.
struct LikeOfRegex {
  // Whether the texts that the pattern matches are matches of the expression.
  enum class Exact : uint8_t {
    Never,
    Lines,  // only texts in ASCII without line breaks are matches
    Always
  };
  LikePattern pattern;  // every match has this pattern; a single Any if nothing is known
  Exact exact = Exact::Never;
};

// Immutable, thread-safe; keeps no reference to the pattern. A text is matched in time in
// proportion to its length, and in memory of about kMaxBytes in all. A byte of a text that is not
// UTF-8 is no character: not even a point matches it. To RE2 a surrogate is a character.
class Regex {
 public:
  static constexpr int64_t kMaxBytes = int64_t{8} << 20;
  static constexpr uint64_t kMaxGroups = 9;  // groups that can be requested

  // Throws Error(Argument) in RE2's words, at `offset` of the source. `whole`: the pattern has to
  // match a text from its beginning to its end.
  Regex(std::string_view pattern, const RegexOptions& options, bool whole, const SourceText& source,
        uint64_t offset);
  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  bool operator()(std::string_view text) const;
  // Returns whether a text that has the pattern of like() matches.
  bool decide(std::string_view text) const;
  // Returns what the group matched in the first match (group 0: all of it), as a view of the text;
  // empty if nothing.
  std::string_view group(std::string_view text, uint64_t group) const;
  // The number of groups of the pattern.
  uint64_t groups() const noexcept;
  // Appends the text with `replacement` instead of the first match, or of all. Stops when `to` has
  // more than `most_bytes`. The replacement must have no fault_of().
  void replace(std::string_view text, std::string_view replacement, uint64_t most_bytes,
               std::string& to) const;
  // Returns what RE2 says against a replacement, where \1 is what group 1 matched; empty if
  // nothing.
  std::string fault_of(std::string_view replacement) const;

  const LikeOfRegex& like() const noexcept;

 private:
  struct Compiled;

  std::unique_ptr<const Compiled> compiled_;
};

// Returns the test of a regex for texts that have the pattern of its like().
Expression of_likely_texts(const Expression& regex_test);

// Returns what is known of the texts that an expression of RE2's syntax matches, somewhere or, if
// `whole`, as a whole.
LikeOfRegex like_of_regex(std::string_view pattern, const RegexOptions& options, bool whole);

}  // namespace heron::inline v0

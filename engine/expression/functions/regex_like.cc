// Derives a pattern of `like` from a regular expression. The expression is read from left to right:
// characters become texts, and all else becomes %, so that the pattern matches no fewer texts than
// the expression; an expression that cannot be read is given up. A point does not become _, whose
// characters are others where bytes are not UTF-8.
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "expression/functions/regex.h"

namespace heron::inline v0 {
namespace {

using Exact = LikeOfRegex::Exact;
using Kind = LikePattern::Piece::Kind;

void add_any(LikePattern& pattern) {
  if (pattern.pieces.empty() || pattern.pieces.back().kind != Kind::Any)
    pattern.pieces.push_back({Kind::Any, {}});
}

class RegexReader {
 public:
  explicit RegexReader(std::string_view pattern) : rest_(pattern) {}

  // Returns false if nothing is known.
  bool read() {
    while (!rest_.empty()) {
      if (!read_one()) return false;
    }
    return true;
  }

  LikeOfRegex like{{}, Exact::Always};
  bool is_at_start = false, is_at_end = false;  // whether it has ^ and $

 private:
  enum class Repeat : uint8_t { Once, MaybeNone, OnceOrMore };

  void lower_to(Exact exact) {
    if (exact < like.exact) like.exact = exact;
  }
  void add_text(std::string_view text) {
    auto& pieces = like.pattern.pieces;
    if (pieces.empty() || pieces.back().kind != Kind::Text) pieces.push_back({Kind::Text, {}});
    pieces.back().text += text;
  }

  bool read_one() {
    const char first = rest_.front();
    if (is_at_end || first == '|') return false;
    if (first == '^') {
      rest_.remove_prefix(1);
      if (!like.pattern.pieces.empty() || is_at_start) return false;
      is_at_start = true;
      return is_single();
    }
    if (first == '$') {
      rest_.remove_prefix(1);
      is_at_end = true;
      return is_single();
    }
    switch (first) {
      case '(': return read_group();
      case '[': return skip_class() && add_other();
      case '\\': return read_escape();
      case '.': rest_.remove_prefix(1); return add_point();
      case '*':
      case '+':
      case '?': return false;
      default: break;
    }
    const CodePoint next = decode_utf8(rest_, 0);
    if (!next.valid) return false;
    const std::string_view character = rest_.substr(0, next.bytes);
    rest_.remove_prefix(next.bytes);
    return add_character(character);
  }

  // Returns whether no repetition follows.
  bool is_single() const {
    return rest_.empty() || std::string_view("*+?{").find(rest_.front()) == std::string_view::npos;
  }

  // Reads the repetition that follows: one of * + ? {2} {2,} {2,3}, greedy or lazy. Gives up on two
  // repetitions in sequence, and on a { that is no repetition.
  bool read_repeat(Repeat& repeat) {
    repeat = Repeat::Once;
    if (is_single()) return true;
    const char sign = rest_.front();
    size_t bytes = 1;
    repeat = sign == '+' ? Repeat::OnceOrMore : Repeat::MaybeNone;
    if (sign == '{') {
      while (bytes < rest_.size() &&
             ((rest_[bytes] >= '0' && rest_[bytes] <= '9') || (rest_[bytes] == ',' && bytes > 1))) {
        ++bytes;
      }
      if (bytes == 1 || bytes == rest_.size() || rest_[bytes] != '}') return false;
      ++bytes;
    }
    rest_.remove_prefix(bytes);
    if (rest_.starts_with('?')) rest_.remove_prefix(1);
    return is_single();
  }

  bool add_character(std::string_view character) {
    Repeat repeat;
    if (!read_repeat(repeat)) return false;
    if (repeat != Repeat::MaybeNone) add_text(character);
    if (repeat != Repeat::Once) {
      add_any(like.pattern);
      lower_to(Exact::Never);
    }
    return true;
  }

  bool add_point() {
    const bool is_any = rest_.starts_with('*');
    Repeat repeat;
    if (!read_repeat(repeat)) return false;
    add_any(like.pattern);
    lower_to(is_any ? Exact::Lines : Exact::Never);
    return true;
  }

  // Adds % for classes and groups, of which nothing is known.
  bool add_other() {
    Repeat repeat;
    if (!read_repeat(repeat)) return false;
    add_any(like.pattern);
    lower_to(Exact::Never);
    return true;
  }

  bool read_escape() {
    if (rest_.size() < 2) return false;
    const char escaped = rest_[1];
    const std::string_view itself = rest_.substr(1, 1);
    rest_.remove_prefix(2);
    if (std::string_view("dDwWsS").find(escaped) != std::string_view::npos) return add_other();
    if (escaped == 'b' || escaped == 'B') {
      lower_to(Exact::Never);
      return is_single();
    }
    const auto code = static_cast<unsigned char>(escaped);
    const bool is_letter = (code | 0x20) >= 'a' && (code | 0x20) <= 'z';
    if (code >= 0x80 || code <= ' ' || code == 0x7F || code == '_' || is_letter ||
        (code >= '0' && code <= '9')) {
      return false;
    }
    return add_character(itself);
  }

  // Skips a class, from its [ to behind the ] that closes it.
  bool skip_class() {
    rest_.remove_prefix(1);
    if (rest_.starts_with('^')) rest_.remove_prefix(1);
    for (bool is_first = true; !rest_.empty(); is_first = false) {
      if (rest_.front() == ']' && !is_first) {
        rest_.remove_prefix(1);
        return true;
      }
      size_t bytes = 1;
      if (rest_.front() == '\\') {
        // \Q, \p{..} and \x{..} are not read.
        if (rest_.size() < 2 || std::string_view("QEpPx").find(rest_[1]) != std::string_view::npos)
          return false;
        bytes = 2;
      } else if (rest_.starts_with("[:")) {
        const size_t end = rest_.find(":]");
        if (end == std::string_view::npos) return false;
        bytes = end + 2;
      }
      rest_.remove_prefix(bytes);
    }
    return false;
  }

  // Reads the content of a group that is neither repeated nor has branches. Gives up on a group
  // with flags, because flags would also hold behind it.
  bool read_group() {
    rest_.remove_prefix(1);
    if (rest_.starts_with("?:"))
      rest_.remove_prefix(2);
    else if (rest_.starts_with('?'))
      return false;
    const std::string_view from_inside = rest_;
    for (uint64_t depth = 1; depth != 0;) {
      if (rest_.empty()) return false;
      const char first = rest_.front();
      if (first == '[') {
        if (!skip_class()) return false;
        continue;
      }
      if (first == '\\' && (rest_.size() < 2 || rest_[1] == 'Q')) return false;
      if (first == '(') ++depth;
      if (first == ')') --depth;
      rest_.remove_prefix(first == '\\' ? 2 : 1);
    }
    RegexReader inside(from_inside.substr(0, from_inside.size() - rest_.size() - 1));
    if (!is_single() || !inside.read() || inside.is_at_start || inside.is_at_end)
      return add_other();
    for (const LikePattern::Piece& piece : inside.like.pattern.pieces) {
      if (piece.kind == Kind::Text)
        add_text(piece.text);
      else
        add_any(like.pattern);
    }
    lower_to(inside.like.exact);
    return true;
  }

  std::string_view rest_;
};

}  // namespace

LikeOfRegex like_of_regex(std::string_view pattern, const RegexOptions& options, bool whole) {
  LikeOfRegex like;
  RegexReader reader(options.literal ? std::string_view() : pattern);
  if (options.ignore_case || !reader.read()) {
    add_any(like.pattern);
    return like;
  }
  like.exact = reader.like.exact;
  if (!whole && !reader.is_at_start) add_any(like.pattern);
  if (options.literal && !pattern.empty())
    like.pattern.pieces.push_back({Kind::Text, std::string(pattern)});
  for (LikePattern::Piece& piece : reader.like.pattern.pieces) {
    if (piece.kind == Kind::Any)
      add_any(like.pattern);
    else
      like.pattern.pieces.push_back(std::move(piece));
  }
  if (!whole && !reader.is_at_end) add_any(like.pattern);
  return like;
}

}  // namespace heron::inline v0

#include "expression/like.h"

#include "base/utf8.h"

namespace heron::inline v0 {
namespace {

using Piece = LikePattern::Piece;

std::string_view escape_of(const Syntax& like, const SourceText& source) {
  if (like.parts.size() < 3) return {};
  const Syntax& escape = like.parts[2];
  uint64_t characters = 0;
  for (const char c : escape.text) characters += continues_utf8(c) ? 0 : 1;
  if (characters != 1) {
    source.fail_at(ErrorKind::Argument, escape.first, "expected one character that escapes");
  }
  return escape.text;
}

void add_text(LikePattern& pattern, std::string_view text) {
  if (pattern.pieces.empty() || pattern.pieces.back().kind != Piece::Kind::Text) {
    pattern.pieces.push_back({Piece::Kind::Text, {}});
  }
  pattern.pieces.back().text += text;
}

}  // namespace

LikePattern parse_pattern(const Syntax& like, const SourceText& source) {
  const std::string_view escape = escape_of(like, source);
  std::string_view rest = like.parts[1].text;
  LikePattern pattern;
  while (!rest.empty()) {
    uint64_t bytes = 1;
    if (!escape.empty() && rest.starts_with(escape)) {
      rest.remove_prefix(escape.size());
      if (rest.starts_with(escape))
        bytes = escape.size();
      else if (!rest.starts_with('%') && !rest.starts_with('_')) {
        source.fail_at(ErrorKind::Argument, like.parts[1].first,
                       "expected %, _ or the escape itself behind each escape");
      }
      add_text(pattern, rest.substr(0, bytes));
    } else if (rest.front() == '_') {
      pattern.pieces.push_back({Piece::Kind::One, {}});
    } else if (rest.front() != '%') {
      add_text(pattern, rest.substr(0, 1));
    } else if (pattern.pieces.empty() || pattern.pieces.back().kind != Piece::Kind::Any) {
      pattern.pieces.push_back({Piece::Kind::Any, {}});
    }
    rest.remove_prefix(bytes);
  }
  return pattern;
}

std::optional<ValueSet> as_set(const LikePattern& pattern) {
  const auto& pieces = pattern.pieces;
  const auto is = [&](size_t i, Piece::Kind kind) { return pieces[i].kind == kind; };
  if (pieces.empty()) return compared(Type::Text, CompareOperator::Equal, std::string());
  if (pieces.size() == 1 && is(0, Piece::Kind::Any)) return starting_with({});
  if (!is(0, Piece::Kind::Text)) return std::nullopt;
  if (pieces.size() == 1) {
    return compared(Type::Text, CompareOperator::Equal, pieces[0].text);
  }
  if (pieces.size() == 2 && is(1, Piece::Kind::Any)) return starting_with(pieces[0].text);
  return std::nullopt;
}

}  // namespace heron::inline v0

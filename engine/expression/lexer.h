// Splits text into the names, numbers and signs of the language (EXPRESSIONS.md), one at a time.
#pragma once

#include "expression/source_text.h"

namespace heron::inline v0 {

struct Token {
  enum class Kind : uint8_t {
    End,
    Name,
    Text,
    Number,
    // Keywords
    And,
    Or,
    Not,
    In,
    Between,
    Like,
    Escape,
    Is,
    Null,
    NaN,
    True,
    False,
    // Signs
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    Bars,
    Open,
    Close,
    Comma,
    Parameter
  };
  Kind kind = Kind::End;
  bool quoted = false;           // for a name: in backticks
  uint64_t first = 0, last = 0;  // the token's bytes in the text
  std::string text;              // names and texts without their quotes, numbers as written
};

// Reads tokens. All functions throw Error(Argument) that shows the position.
class Lexer {
 public:
  // The views in the source must outlive the lexer.
  explicit Lexer(const SourceText& source) : source_(source), next_(lex()) {}

  const SourceText& source() const noexcept { return source_; }
  // The next token.
  const Token& peek() const noexcept { return next_; }
  bool at(Token::Kind kind) const noexcept { return next_.kind == kind; }
  Token take() {
    Token token = std::move(next_);
    next_ = lex();
    return token;
  }
  // Takes the next token if it is of that kind.
  bool accept(Token::Kind kind) {
    if (!at(kind)) return false;
    take();
    return true;
  }
  // `what` completes the error "expected <what>, got a text".
  Token expect(Token::Kind kind, std::string_view what) {
    if (!at(kind)) fail_expected(what);
    return take();
  }
  [[noreturn]] void fail_expected(std::string_view what) const;

  // Returns the name as this language reads it: in backticks if it has several words or is a
  // keyword.
  static std::string quoted_name(std::string_view name);
  // Returns whether names without backticks may have that character.
  static bool in_name(char c) noexcept;

 private:
  Token lex();
  Token sign();
  Token quoted(char quote, Token::Kind kind);
  Token number_or_word();
  Token token(Token::Kind kind, uint64_t bytes);

  SourceText source_;
  uint64_t position_ = 0;
  Token next_;
};

}  // namespace heron::inline v0

// A recursive descent parser, with a function for each rule of the grammar in EXPRESSIONS.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "expression/lexer.h"
#include "expression/syntax.h"

namespace heron::inline v0 {

class Parser {
 public:
  explicit Parser(Lexer tokens, std::span<const QueryParameter> parameters = {})
      : tokens_(std::move(tokens)), parameters_(parameters) {}

  Syntax parse() {
    Syntax predicate = either();
    if (!tokens_.at(Token::Kind::End)) tokens_.fail_expected("and, or, or the end");
    if (bound_ != parameters_.size()) fail_parameters(end_);
    return predicate;
  }
  NamedSyntax parse_named();
  Syntax parse_value() { return either(); }
  // Returns the tokens that were not taken yet.
  const Lexer& tokens() const noexcept { return tokens_; }

 private:
  using Kind = Syntax::Kind;
  // Deeper than anything written by hand, and safe for all code that recurses through the tree.
  static constexpr uint16_t kDeepest = 200;

  // Rules of the grammar.
  Syntax either();
  Syntax both();
  Syntax negation();
  Syntax comparison();
  Syntax joined();
  Syntax sum();
  Syntax product();
  Syntax sign();
  Syntax name();
  Syntax operand();
  Syntax parameter();
  // Rules for what may follow the left value.
  Syntax list(Syntax value);
  Syntax between(Syntax value);
  Syntax like(Syntax value);
  Syntax is(Syntax value);
  // Rules for what may follow a name.
  Syntax call(Token name);
  Syntax cast(const Token& name);
  void take_sizes(std::string& type);
  Syntax choice(uint64_t first);

  // Returns whether the next token is this word, which is a name elsewhere.
  bool at_word(std::string_view word) const { return is_word(tokens_.peek(), word); }
  static bool is_word(const Token& token, std::string_view word);
  bool accept_word(std::string_view word) {
    if (!at_word(word)) return false;
    take();
    return true;
  }
  void expect_word(std::string_view word) {
    if (!accept_word(word)) tokens_.fail_expected(word);
  }

  // Adds a part that starts at `first` and ends with the last token taken.
  Syntax part(Kind kind, uint64_t first, std::vector<Syntax> parts = {});
  Syntax with(Kind kind, Syntax left, Syntax right);
  Token take() {
    Token token = tokens_.take();
    end_ = token.last;
    return token;
  }
  bool accept(Token::Kind kind) {
    if (!tokens_.at(kind)) return false;
    take();
    return true;
  }
  void expect(Token::Kind kind, std::string_view what) {
    if (!accept(kind)) tokens_.fail_expected(what);
  }
  // Throws Error(Argument): the text has more or fewer `?` than parameters.
  [[noreturn]] void fail_parameters(uint64_t offset) const;
  [[noreturn]] void fail_too_deep(uint64_t offset) const {
    tokens_.source().fail_at(ErrorKind::Limit, offset, "more than ", kDeepest,
                             " parts within each other");
  }

  // Counts the depth of a rule that calls itself.
  class Nested {
   public:
    explicit Nested(Parser& parser) : parser_(parser) {
      if (parser.depth_ == kDeepest) parser.fail_too_deep(parser.tokens_.peek().first);
      ++parser.depth_;
    }
    ~Nested() { --parser_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Parser& parser_;
  };

  Lexer tokens_;
  const std::span<const QueryParameter> parameters_;
  uint64_t bound_ = 0;  // number of parameters bound so far
  uint64_t end_ = 0;
  uint64_t count_ = 0;
  uint16_t depth_ = 0;
};

}  // namespace heron::inline v0

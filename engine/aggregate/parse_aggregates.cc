// Parses aggregates, such as count, sum(price * qty) and min(`a name`), with the lexer and the
// parser of expressions.
#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "aggregate/aggregates.h"
#include "aggregate/functions/function.h"
#include "base/fail.h"
#include "bytes/byte_source.h"
#include "expression/lexer.h"
#include "expression/named_columns.h"
#include "expression/syntax.h"
#include "expression/term.h"
#include "table/internals.h"
#include "table/names.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

using Function = Aggregate::Function;

// Words of SQL that Heron leaves to other programs.
constexpr std::array<std::string_view, 10> kWordsOfOthers{
    "group", "order", "over", "join", "having", "partition", "window", "select", "rank", "lag"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string twice_text(std::string_view name) {
  return concat("two columns of the result are named \"", name,
                "\"; `as NAME` behind an aggregate gives it another name");
}

class AggregateParser {
 public:
  AggregateParser(const Table& table, std::string_view text)
      : table_(table), tokens_({bytes_of(table).name(), "aggregates", text}) {}

  std::vector<Aggregate> parse() {
    std::vector<Aggregate> all;
    std::set<std::string, std::less<>> names;
    do {
      const Token first = tokens_.peek();
      all.push_back(one());
      if (!names.insert(all.back().name).second) fail(first, twice_text(all.back().name));
      refuse_words_of_others();
    } while (tokens_.accept(Token::Kind::Comma));
    if (!tokens_.at(Token::Kind::End)) tokens_.fail_expected("a comma or the end");
    return all;
  }

 private:
  Aggregate one() {
    refuse_words_of_others();
    const Token word = tokens_.peek();
    const auto functions = aggregate_functions();
    const std::string name = lower(word.text);
    const auto known = std::find_if(functions.begin(), functions.end(), [&](const auto* f) {
      return name == f->name || (name == f->alias && !name.empty());
    });
    if (word.kind != Token::Kind::Name || word.quoted || known == functions.end()) {
      std::string names;
      for (const AggregateFunction* f : functions) names += concat(f->name, ", ");
      tokens_.fail_expected(names + "avg or median");
    }
    tokens_.take();
    Aggregate aggregate;
    aggregate.function = static_cast<Function>(known - functions.begin());
    uint64_t last = word.last;
    if (aggregate.function != Function::Count || tokens_.at(Token::Kind::Open)) {
      tokens_.expect(Token::Kind::Open, concat("( and a column or an expression behind ", name));
      if (aggregate.function != Function::Count || !tokens_.accept(Token::Kind::Star)) {
        if (aggregate.function == Function::Count && at_distinct()) {
          tokens_.take();
          aggregate.function = Function::Distinct;
        }
        set_argument(aggregate);
      }
      const bool is_median = name == (*known)->alias;
      if (aggregate.function == Function::Quantile && !is_median) aggregate.quantile = quantile();
      last = tokens_.expect(Token::Kind::Close, ")").last;
    }
    if (at_word("filter")) last = set_filter(aggregate);
    aggregate.name = tokens_.source().text.substr(word.first, last - word.first);
    if (at_word("as")) aggregate.name = new_name();
    return aggregate;
  }

  // Takes `as` and the name.
  std::string new_name() {
    tokens_.take();
    constexpr std::string_view kExpected = "a name behind as, in backticks if it is several words";
    Token name = tokens_.expect(Token::Kind::Name, kExpected);
    if (name.text.empty()) fail(name, concat("expected ", kExpected));
    return std::move(name.text);
  }

  bool at_word(std::string_view word) const {
    const Token& token = tokens_.peek();
    return token.kind == Token::Kind::Name && !token.quoted && lower(token.text) == word;
  }

  // Returns whether the next token is the `distinct` of count(distinct x), and no column.
  bool at_distinct() const {
    if (!at_word("distinct")) return false;
    Lexer ahead = tokens_;
    ahead.take();
    return ahead.at(Token::Kind::Name) || ahead.at(Token::Kind::Open) ||
           ahead.at(Token::Kind::Text) || ahead.at(Token::Kind::Number);
  }

  void set_argument(Aggregate& aggregate) {
    if (tokens_.at(Token::Kind::Close) || tokens_.at(Token::Kind::Star)) {
      tokens_.fail_expected("a column or an expression");
    }
    const Syntax value = parse_value(tokens_);
    Type type;
    if (value.kind == Syntax::Kind::Name && table_.find_column(value.text)) {
      aggregate.column = table_.find_column(value.text);
      const Column& column = internals(table_).column(*aggregate.column);
      column.check_readable();
      type = column.type();
    } else {
      NamedColumns columns(table_, tokens_.source());
      type = Terms(columns, tokens_.source()).result(value).type;
      aggregate.expression = text_of(value);
    }
    const std::string why = why_not(aggregate.function, type);
    if (!why.empty()) fail_at(value.first, why);
  }

  // Takes `filter (where ..)`. Returns the offset of its end.
  uint64_t set_filter(Aggregate& aggregate) {
    const Token word = tokens_.take();
    if (const std::string_view why = why_no_filter(aggregate.function); !why.empty()) {
      fail(word, why);
    }
    tokens_.expect(Token::Kind::Open, "(where and a predicate");
    if (!at_word("where")) tokens_.fail_expected("where and a predicate");
    tokens_.take();
    const Syntax predicate = parse_value(tokens_);
    NamedColumns columns(table_, tokens_.source());
    Terms(columns, tokens_.source()).boolean(predicate);
    aggregate.filter = text_of(predicate);
    return tokens_.expect(Token::Kind::Close, "and, or, or )").last;
  }

  std::string text_of(const Syntax& syntax) const {
    return std::string(tokens_.source().text.substr(syntax.first, syntax.last - syntax.first));
  }

  double quantile() {
    constexpr std::string_view kExpected = "a number from 0 to 1, as in quantile(x, 0.9)";
    tokens_.expect(Token::Kind::Comma, concat("a comma and ", kExpected));
    const Token number = tokens_.expect(Token::Kind::Number, kExpected);
    double value = 0;
    const char* end = number.text.data() + number.text.size();
    const auto [at, error] = std::from_chars(number.text.data(), end, value);
    if (error != std::errc() || at != end || !(value >= 0 && value <= 1)) {
      fail(number, concat("expected ", kExpected, ", got ", number.text));
    }
    return value;
  }

  void refuse_words_of_others() {
    const Token& word = tokens_.peek();
    if (word.kind != Token::Kind::Name || word.quoted) return;
    const auto* end = kWordsOfOthers.end();
    if (std::find(kWordsOfOthers.begin(), end, lower(word.text)) == end) return;
    fail(word, concat('"', word.text,
                      "\" is for DuckDB or Polars, which take the rows from here: heron scan FILE "
                      "-o csv | duckdb -c \"select ... from read_csv('/dev/stdin') ...\""));
  }

  [[noreturn]] void fail(const Token& token, std::string_view message) const {
    fail_at(token.first, message);
  }
  [[noreturn]] void fail_at(uint64_t offset, std::string_view message) const {
    tokens_.source().fail_at(ErrorKind::Argument, offset, message);
  }

  const Table& table_;
  Lexer tokens_;
};

}  // namespace

std::string why_not(Aggregate::Function function, const Type& type) {
  const AggregateFunction& known = function_of(function);
  return known.accepts(type) ? "" : concat("values of type ", type.name(), known.lacks);
}

std::vector<Aggregate> with_names(const Table& table, std::span<const uint64_t> keys,
                                  std::span<const Aggregate> aggregates) {
  std::vector<Aggregate> all(aggregates.begin(), aggregates.end());
  std::set<std::string, std::less<>> names;
  const auto add = [&](const std::string& name) {
    if (names.insert(name).second) return;
    fail(ErrorKind::Argument, bytes_of(table).name(), twice_text(name));
  };
  for (const uint64_t key : keys) add(table.column_name(key));
  for (Aggregate& one : all) {
    if (one.name.empty()) {
      one.name = name_without_as(
          one, one.column ? Lexer::quoted_name(table.column_name(*one.column)) : std::string());
    }
    add(one.name);
  }
  return all;
}

std::vector<Aggregate> parse_aggregates(const Table& table, std::string_view text) {
  return unless_changed(bytes_of(table), [&] { return AggregateParser(table, text).parse(); });
}

}  // namespace heron::inline v0

// Uses the lexer of predicates: count, sum(x), min(`a name`) ..
#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "aggregate/aggregates.h"
#include "bytes/byte_source.h"
#include "expression/lexer.h"
#include "table/internals.h"
#include "table/names.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

using Function = Aggregate::Function;

struct FunctionName {
  std::string_view name;
  Function function;
};
constexpr std::array kFunctions{
    FunctionName{"count", Function::Count},
    FunctionName{"sum", Function::Sum},
    FunctionName{"min", Function::Min},
    FunctionName{"max", Function::Max},
    FunctionName{"mean", Function::Mean},
    FunctionName{"distinct", Function::Distinct},
    FunctionName{"avg", Function::Mean},
    FunctionName{"approx_distinct", Function::ApproxDistinct},
    FunctionName{"median", Function::Quantile},
    FunctionName{"quantile", Function::Quantile},
};

// Words of SQL that Heron leaves to other programs.
constexpr std::array<std::string_view, 13> kWordsOfOthers{
    "group",  "order", "over", "join",   "having", "partition", "window",
    "select", "mode",  "var",  "stddev", "rank",   "lag"};

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

// As parse_aggregates() names it without `as`.
std::string default_name(const Table& table, const Aggregate& aggregate) {
  const auto known = std::ranges::find(kFunctions, aggregate.function, &FunctionName::function);
  if (!aggregate.column) return std::string(known->name);
  const std::string column = Lexer::quoted_name(table.column_name(*aggregate.column));
  if (aggregate.function != Function::Quantile) return concat(known->name, '(', column, ')');
  return concat("quantile(", column, ", ", aggregate.quantile, ')');
}

class Parser {
 public:
  Parser(const Table& table, std::string_view text)
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
    const auto known = std::find_if(kFunctions.begin(), kFunctions.end(), [&](const auto& f) {
      return !word.quoted && f.name == lower(word.text);
    });
    if (word.kind != Token::Kind::Name || known == kFunctions.end()) {
      tokens_.fail_expected(
          "count, sum, min, max, mean, distinct, approx_distinct, quantile or median");
    }
    tokens_.take();
    Aggregate aggregate;
    aggregate.function = known->function;
    uint64_t last = word.last;
    if (aggregate.function != Function::Count || tokens_.at(Token::Kind::Open)) {
      tokens_.expect(Token::Kind::Open, concat("( and a column behind ", known->name));
      if (aggregate.function != Function::Count || !tokens_.accept(Token::Kind::Star)) {
        aggregate.column = column(aggregate.function);
      }
      if (known->name == "quantile") aggregate.quantile = quantile();
      last = tokens_.expect(Token::Kind::Close, ")").last;
    }
    aggregate.name = tokens_.source().text.substr(word.first, last - word.first);
    if (at_word("as")) aggregate.name = new_name();
    return aggregate;
  }

  // Takes `as` and the name.
  std::string new_name() {
    tokens_.take();
    constexpr std::string_view kWanted = "a name behind as, in backticks if it is several words";
    Token name = tokens_.expect(Token::Kind::Name, kWanted);
    if (name.text.empty()) fail(name, concat("expected ", kWanted));
    return std::move(name.text);
  }

  bool at_word(std::string_view word) const {
    const Token& token = tokens_.peek();
    return token.kind == Token::Kind::Name && !token.quoted && lower(token.text) == word;
  }

  uint64_t column(Function function) {
    const Token name = tokens_.expect(Token::Kind::Name, "a column");
    const auto column = table_.find_column(name.text);
    if (!column) fail(name, no_column_text(table_, name.text));
    internals(table_).column(*column).check_readable();
    const std::string why = why_not(function, internals(table_).column(*column).type());
    if (!why.empty()) fail(name, why);
    return *column;
  }

  double quantile() {
    constexpr std::string_view kWanted = "a number from 0 to 1, as in quantile(x, 0.9)";
    tokens_.expect(Token::Kind::Comma, concat("a comma and ", kWanted));
    const Token number = tokens_.expect(Token::Kind::Number, kWanted);
    double value = 0;
    const char* end = number.text.data() + number.text.size();
    const auto [at, error] = std::from_chars(number.text.data(), end, value);
    if (error != std::errc() || at != end || !(value >= 0 && value <= 1)) {
      fail(number, concat("expected ", kWanted, ", got ", number.text));
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
    tokens_.source().fail_at(ErrorKind::Argument, token.first, message);
  }

  const Table& table_;
  Lexer tokens_;
};

}  // namespace

std::string why_not(Function function, const Type& type) {
  const bool adds_up = function == Function::Sum || function == Function::Mean;
  const bool is_number = type.is_integer() || type.is_float();
  if (adds_up && !is_number && !type.is(Type::Bool)) {
    return concat("values of type ", type.name(), " have no ",
                  function == Function::Sum ? "sum" : "mean");
  }
  if (function == Function::Quantile) {
    const bool has_quantiles = is_number || type.is(Type::Date32) || type.is(Type::Timestamp) ||
                               type.is(Type::DateTime) || type.is(Type::DateTimeOffset) ||
                               type.is(Type::Duration);
    return has_quantiles ? "" : concat("values of type ", type.name(), " have no quantiles");
  }
  if (function == Function::Count || has_scalars(type)) return {};
  const bool tells_apart = function == Function::Distinct || function == Function::ApproxDistinct;
  return concat("values of type ", type.name(),
                tells_apart ? " are not told from each other" : " have no least and no greatest");
}

std::vector<Aggregate> with_names(const Table& table, std::span<const uint64_t> keys,
                                  std::span<const Aggregate> wanted) {
  std::vector<Aggregate> all(wanted.begin(), wanted.end());
  std::set<std::string, std::less<>> names;
  const auto add = [&](const std::string& name) {
    if (names.insert(name).second) return;
    fail(ErrorKind::Argument, bytes_of(table).name(), twice_text(name));
  };
  for (const uint64_t key : keys) add(table.column_name(key));
  for (Aggregate& one : all) {
    if (one.name.empty()) one.name = default_name(table, one);
    add(one.name);
  }
  return all;
}

Type quantile_type(const Type& type) {
  if (type.is_integer() || type.is_float()) return Type::Float64;
  return type.is(Type::DateTimeOffset) ? Type(Type::DateTime) : type;
}

std::vector<Aggregate> parse_aggregates(const Table& table, std::string_view text) {
  return unless_changed(bytes_of(table), [&] { return Parser(table, text).parse(); });
}

}  // namespace heron::inline v0

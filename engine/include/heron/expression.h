// Expressions over the columns of a table: predicates on rows, and columns that are computed when
// they are read.
//
//   price > 3.5 and city in ('Oslo', 'Rome') and not (x is null)
//   price * 1.2 as gross
//   case when qty > 10 then 'many' else 'few' end as size
//
// engine/expression/EXPRESSIONS.md describes the language and its functions.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "heron/error.h"
#include "heron/export.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct BoundPredicate;  // private to the engine

// The value of a `?` in the text of a predicate, where a literal can stand: it is a literal of its
// type, and never parsed as a part of the text. Dates, times, durations and row ids are texts in
// ISO form, as they are in literals. Bytes of texts are taken as they are.
struct QueryParameter {
  QueryParameter(Scalar of) : value(std::move(of)) {}
  QueryParameter(std::nullptr_t) {}  // null
  template <class Number>
    requires std::is_arithmetic_v<Number>
  QueryParameter(Number number) {
    if constexpr (std::is_same_v<Number, bool>)
      value = number;
    else if constexpr (std::is_floating_point_v<Number>)
      value = static_cast<double>(number);
    else if constexpr (std::is_signed_v<Number>)
      value = static_cast<int64_t>(number);
    else
      value = static_cast<uint64_t>(number);
  }
  template <std::convertible_to<std::string_view> Text>
  QueryParameter(const Text& text) {
    if constexpr (std::convertible_to<const Text&, const char*>)
      value = std::string(text_at(text));
    else
      value = std::string(std::string_view(text));
  }
  // A text without a type, as on a command line: it gets the type that it is compared with: "5" is
  // a number beside numbers and a text beside texts.
  static QueryParameter untyped(std::string text) {
    QueryParameter parameter{Scalar(std::move(text))};
    parameter.is_untyped = true;
    return parameter;
  }

  Scalar value;
  bool is_untyped = false;
};

// A predicate on the rows of one table, checked against its columns. A row passes if the predicate
// is true for it, neither false nor, because of a null, unknown. Keeps the table alive. Immutable,
// thread-safe, cheap to copy.
class HERON_EXPORT Predicate {
 public:
  // Reads no rows, and the values of keys only if their type is not known otherwise. Throws
  // Error(Argument), one line with a caret at the mistake, for a syntax error, an unknown column
  // (with the most similar name) and types that do not match; what an unreadable column throws;
  // Error(Limit) for a predicate of more than 10,000 parts, where all literals of an `in` count as
  // one.
  Predicate(std::shared_ptr<const Table> table, std::string_view text);
  Predicate(std::shared_ptr<const Table> table, const char* text)
      : Predicate(std::move(table), text_at(text)) {}
  // Parses a text with a value for each `?`, in their order: Predicate(table, "price > ? and city =
  // ?", {3.5, "Oslo"}). Throws also Error(Argument) for more or fewer values than `?`.
  Predicate(std::shared_ptr<const Table> table, std::string_view text,
            std::span<const QueryParameter> parameters);
  Predicate(std::shared_ptr<const Table> table, const char* text,
            std::initializer_list<QueryParameter> parameters)
      : Predicate(std::move(table), text_at(text),
                  std::span(parameters.begin(), parameters.size())) {}

  const std::shared_ptr<const Table>& table() const noexcept;
  const std::string& text() const noexcept;
  // The columns that the predicate uses, by number, ascending, each once.
  std::span<const uint64_t> columns() const noexcept;
  // Warnings, one line each: a comparison that can never be true, because no value of the column's
  // type equals the literal or because it compares with null.
  const std::vector<std::string>& notes() const noexcept;

 private:
  friend const BoundPredicate& bound_of(const Predicate& predicate) noexcept;
  friend Predicate predicate_of(std::shared_ptr<const Table> table, uint64_t column,
                                BoundPredicate predicate);
  struct Parts;
  explicit Predicate(std::shared_ptr<const Parts> parts);
  std::shared_ptr<const Parts> parts_;
};

// Returns the columns of `table` followed by computed columns, named by "as", else by their text:
// every query uses them like other columns. The result has the rows, blocks, groups and files of
// `table`, and keeps it alive. Reads no rows. Throws what the constructor of Predicate throws.
// Reading a computed column also throws Error(Argument) for a row without a result, such as an
// integer that its type does not hold.
HERON_EXPORT std::shared_ptr<const Table> with_columns(std::shared_ptr<const Table> table,
                                                       std::span<const std::string> expressions);
inline std::shared_ptr<const Table> with_columns(
    std::shared_ptr<const Table> table, std::initializer_list<std::string_view> expressions) {
  const std::vector<std::string> texts(expressions.begin(), expressions.end());
  return with_columns(std::move(table), texts);
}

// A function of expressions, for help.
struct FunctionHelp {
  std::string_view name;       // "substr"
  std::string_view arguments;  // "text, start [, count]"
  std::string_view text;       // one line
};
// All functions, by family; functions of one name differ in their arguments.
HERON_EXPORT std::span<const FunctionHelp> expression_functions();

}  // namespace heron::inline v0

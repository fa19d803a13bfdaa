// Values of an expression as the checker sees them: literals, columns and computed values.
#pragma once

#include "expression/expression.h"
#include "expression/functions/function.h"
#include "expression/named_columns.h"
#include "expression/value_set.h"

namespace heron::inline v0 {

struct Term {
  enum class Kind : uint8_t {
    Null,  // null in every row
    Number,
    Text,
    Truth,
    Column,
    Computed,  // computed from parts that may be columns, as `value` says
    Predicate
  };
  Kind kind = Kind::Null;
  const Syntax* syntax = nullptr;
  bool is_true = false;  // for Truth
  Expression value{};    // for Number, Text, Column and Computed

  bool is_literal() const noexcept {
    return kind == Kind::Number || kind == Kind::Text || kind == Kind::Truth;
  }
  const Type& type() const noexcept { return value.type; }  // for a Column or Computed
  const std::string& text() const { return std::get<std::string>(value.constant); }  // for a Text
  // Returns the value of a Number.
  ExactNumber number() const {
    const auto* number = std::get_if<double>(&value.constant);
    return number != nullptr ? ExactNumber(*number) : std::get<Int128>(value.constant);
  }
  // Returns whether this is a text literal, which takes the type of the values that it is compared
  // with.
  bool is_untyped() const noexcept { return kind == Kind::Text && syntax->is_untyped; }
  bool is_nan() const noexcept {
    const auto* number = std::get_if<double>(&value.constant);
    return kind == Kind::Number && number != nullptr && *number != *number;
  }
};

// Resolves names and functions, folds constants and plans how to compute the rest. Keeps both
// references. All calls throw Error(Argument).
class Terms {
 public:
  Terms(NamedColumns& columns, const SourceText& source) : columns_(columns), source_(source) {}

  // Returns the term of a syntax, which must outlive it. Does not enter predicates, which become a
  // Predicate.
  Term term(const Syntax& syntax) const;
  // Returns a term as a value of scalars, with its type; predicates become bools. Null literals are
  // of type Null.
  Expression typed(const Term& term) const;
  // Returns a value as a result column holds it: of a type that can be stored.
  Expression result(const Syntax& syntax) const;
  // Returns a predicate as a bool, null where it is null.
  Expression boolean(const Syntax& syntax) const;
  // Returns `left op right` as a bool.
  Expression compared(CompareOperator op, const Term& left, const Term& right) const;

  bool is_number(const Term& term) const;
  // Returns an untyped text that reads as a number as that number, any other term as it is.
  Term as_number(Term term) const;
  // Returns a number as it was written, as a decimal of as many digits; nullopt for other terms, for
  // numbers with an exponent, and for more digits than decimals have.
  static std::optional<Expression> as_decimal_literal(const Term& term);
  // Describes a term for error texts.
  std::string described(const Term& term) const;
  // Returns a literal converted for comparison with values of a Column or Computed. Throws also for
  // a literal that does not match the type, and for lists and vectors.
  Literal literal_for(const Term& value, const Term& literal) const;
  // Returns the values of a Column or Computed for which `value op literal` is true, in the order of
  // the keys where texts in a column have an order of their own. Throws what literal_for() throws,
  // and for a literal that is none of those texts.
  ValueSet set_of(CompareOperator op, const Term& value, const Term& literal) const;
  // Throws if values of the two cannot be compared.
  void expect_alike(const Term& left, const Term& right) const;
  [[noreturn]] void fail_expected(std::string_view what, const Term& got) const;

 private:
  Term column(const Syntax& name) const;
  Term number(const Syntax& syntax, ExactNumber number) const;
  Term arithmetic_of(const Syntax& syntax) const;
  // Returns nullopt if the parts are to be computed as floats.
  std::optional<Term> decimals_of(const Syntax& syntax, std::span<const Term> parts) const;
  Term folded(const Syntax& syntax, std::span<const Term> parts) const;
  // Terms of calls (call_terms.cc).
  Term call(const Syntax& syntax) const;
  Term cast_of(const Syntax& syntax) const;
  Type named_type(const Syntax& syntax) const;
  const Function& function_for(const Syntax& syntax, std::span<const Term> parts) const;
  bool takes(const Function& function, size_t i, const Term& term) const;
  [[noreturn]] void fail_no_function(const Syntax& syntax, std::span<const Term> parts) const;
  Expression argument(const Function& function, size_t i, const Term& term) const;
  // Returns a computed value, or a literal if all its parts are.
  Term computed(const Syntax& syntax, Expression value) const;
  // Terms of choices (choice_terms.cc).
  Term case_of(const Syntax& syntax) const;
  Term nullif(const Syntax& syntax, std::span<const Term> parts) const;
  // Converts values to one type.
  Type unify(std::span<const Term> terms, std::span<Expression> values) const;
  Type number_type_of(std::span<const Expression> values) const;
  // Terms of predicates (boolean_terms.cc).
  Expression many(const Syntax& syntax) const;
  Expression in(const Syntax& syntax) const;
  Expression between(const Syntax& syntax) const;
  Expression like_of(const Syntax& syntax) const;
  Expression nan_of(const Syntax& syntax) const;

  ValueSet set_of_texts(CompareOperator op, const Term& column, const Values& texts,
                        const Term& literal) const;
  std::string expected_beside(const Term& term) const;
  [[noreturn]] void fail_too_large(const Syntax& syntax) const;

  NamedColumns& columns_;
  const SourceText& source_;
};

// Compares exactly; a NaN is unordered.
std::partial_ordering compare(const ExactNumber& a, const ExactNumber& b);

bool is_number_type(const Type& type);
// Returns the type of the finer unit for two timestamps with a time zone, two without, or two
// durations; if the zones differ, it has UTC. Nullopt for other types.
std::optional<Type> common_time_type(const Type& a, const Type& b);
// Return a literal null of a type, and a literal bool.
Expression null_of(const Type& type);
Expression truth_of(bool is_true);

}  // namespace heron::inline v0

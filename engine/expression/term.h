// The two sides of a comparison: literals, columns and computed values.
#pragma once

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
    Computed,  // a number computed from at least one column
    Condition
  };
  Kind kind = Kind::Null;
  const Syntax* syntax = nullptr;
  bool is_true = false;      // for Truth
  Operand operand{};         // for Number, Column and Computed
  Interval<Int128> range{};  // for integers: the range of possible values

  bool is_literal() const noexcept {
    return kind == Kind::Number || kind == Kind::Text || kind == Kind::Truth;
  }
  // For a Number.
  ExactNumber number() const {
    const auto* number = std::get_if<double>(&operand.constant);
    return number != nullptr ? ExactNumber(*number) : std::get<Int128>(operand.constant);
  }
  bool is_nan() const noexcept {
    const auto* number = std::get_if<double>(&operand.constant);
    return kind == Kind::Number && number != nullptr && *number != *number;
  }
};

// Resolves names, folds constants and plans how to compute the rest. Keeps both references.
class Terms {
 public:
  Terms(NamedColumns& columns, const SourceText& source) : columns_(columns), source_(source) {}

  // The syntax must outlive the term. Does not enter predicates. Throws Error(Argument).
  Term term(const Syntax& syntax) const;

  // For a Column.
  const Type& type(const Term& term) const { return columns_.type(term.operand.column); }
  bool is_number(const Term& term) const;
  // For error texts.
  std::string described(const Term& term) const;
  // A literal converted for comparison with the column's values. Throws Error(Argument) for a
  // literal that does not match the column's type, and for a column of lists or vectors.
  Literal literal_for(const Term& column, const Term& literal) const;
  // Throws Error(Argument) if values of the two cannot be compared.
  void expect_alike(const Term& left, const Term& right) const;
  [[noreturn]] void fail_expected(std::string_view wanted, const Term& got) const;

 private:
  Term column(const Syntax& name) const;
  Term number(const Syntax& syntax, ExactNumber number) const;
  Term computed(const Syntax& syntax) const;
  Term folded(const Syntax& syntax, std::span<const Term> parts) const;
  std::string expected_beside(const Term& term) const;
  [[noreturn]] void fail_too_large(const Syntax& syntax) const;

  NamedColumns& columns_;
  const SourceText& source_;
};

// Exact; unordered with a NaN.
std::partial_ordering compare(const ExactNumber& a, const ExactNumber& b);

}  // namespace heron::inline v0

// What stands to the left and right of a comparison: literals, columns and what is computed of
// them.
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
    Computed,  // a number, of at least one column
    Condition
  };
  Kind kind = Kind::Null;
  const Syntax* syntax = nullptr;
  bool is_true = false;      // of Truth
  Operand operand{};         // of Number, Column and Computed
  Interval<Int128> range{};  // of those that are integers: all values they can have

  bool is_literal() const noexcept {
    return kind == Kind::Number || kind == Kind::Text || kind == Kind::Truth;
  }
  // Of a Number.
  ExactNumber number() const {
    const auto* number = std::get_if<double>(&operand.constant);
    return number != nullptr ? ExactNumber(*number) : std::get<Int128>(operand.constant);
  }
  bool is_nan() const noexcept {
    const auto* number = std::get_if<double>(&operand.constant);
    return kind == Kind::Number && number != nullptr && *number != *number;
  }
};

// Resolves names, computes what is known and says of the rest how it is to be computed. Keeps both
// references.
class Terms {
 public:
  Terms(NamedColumns& columns, const SourceText& source) : columns_(columns), source_(source) {}

  // The syntax must stay. A condition's inside is not looked at. Throws Error(Argument).
  Term term(const Syntax& syntax) const;

  // Of a Column.
  const Type& type(const Term& term) const { return columns_.type(term.operand.column); }
  bool is_number(const Term& term) const;
  // In an error text.
  std::string described(const Term& term) const;
  // A literal as the column's values are compared with it. Throws Error(Argument) for one that does
  // not go with the column's type, and for a column of lists or vectors.
  Literal literal_for(const Term& column, const Term& literal) const;
  // Throws Error(Argument) if values of the two are not compared.
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

// Exactly; unordered with a NaN.
std::partial_ordering compare(const ExactNumber& a, const ExactNumber& b);

}  // namespace heron::inline v0

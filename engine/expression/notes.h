// Warnings about a predicate that is never true.
#pragma once

#include "expression/bound_predicate.h"
#include "expression/term.h"

namespace heron::inline v0 {

// Collects warnings, each once. Keeps references to its arguments.
class Notes {
 public:
  Notes(const NamedColumns& columns, const Terms& terms, const SourceText& source)
      : columns_(columns), terms_(terms), source_(source) {}

  void on_comparison(const Syntax& comparison, const Term& left, const Term& right);
  // Warns if an In or Between of a value, which became `tested`, is never true. If `expected`, the
  // value must match, otherwise it must not.
  void on_tested(const Syntax& syntax, const Term& value, bool has_null, bool expected,
                 const BoundPredicate& tested);
  std::vector<std::string> take() { return std::move(notes_); }

 private:
  // Adds "<what> is never true<why>".
  void add(std::string_view what, std::string_view why);
  std::string shown(const Syntax& syntax) const { return source_.shown(syntax.first, syntax.last); }
  void on_literal(const Syntax& comparison, const Term& column, const Term& literal);

  const NamedColumns& columns_;
  const Terms& terms_;
  const SourceText& source_;
  std::vector<std::string> notes_;
};

}  // namespace heron::inline v0

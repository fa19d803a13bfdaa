// What the author of a condition may not expect: that it is never true.
#pragma once

#include "expression/term.h"

namespace heron::inline v0 {

// Lines, each once. Keeps the references.
class Notes {
 public:
  Notes(const NamedColumns& columns, const Terms& terms, const SourceText& source)
      : columns_(columns), terms_(terms), source_(source) {}

  void on_comparison(const Syntax& comparison, const Term& left, const Term& right);
  // `wanted`: what is asked for is a value that is in the list, else one that is not; `never`: no
  // value is.
  void on_list(const Syntax& list, const Term& value, bool has_null, bool wanted, bool never);
  std::vector<std::string> take() { return std::move(notes_); }

 private:
  void add(const Syntax& syntax, std::string_view why);
  void on_literal(const Syntax& comparison, const Term& column, const Term& literal);

  const NamedColumns& columns_;
  const Terms& terms_;
  const SourceText& source_;
  std::vector<std::string> notes_;
};

}  // namespace heron::inline v0

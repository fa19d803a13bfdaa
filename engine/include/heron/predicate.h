// Which rows are meant: conditions such as
//   price > 3.5 and city in ('Oslo', 'Rome') and not (x is null)
// expression/EXPRESSIONS.md is the language.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heron/dataset.h"

namespace heron::inline v0 {

struct Condition;

// A condition on the rows of one table, checked against its columns. A row fulfils it if the
// condition is true for it: neither false nor, because something is null, neither. Keeps the
// table alive. Immutable, thread-safe, cheap to copy.
class Predicate {
 public:
  // Reads no rows, and what keys stand for only if that is the one way to know its type. Throws
  // Error(Argument) for what is not the language, for a column that is not there (with the name
  // most like it) and for types that do not go together, one line that has a caret where it is
  // wrong; what is wrong with a column that cannot be read; Error(Limit) for a condition of more
  // than 10,000 parts, of which the literals of an `in` are one.
  Predicate(std::shared_ptr<const Table> table, std::string_view text);

  const std::shared_ptr<const Table>& table() const noexcept;
  const std::string& text() const noexcept;
  // The columns it asks for, by number, ascending, each once.
  std::span<const uint64_t> columns() const noexcept;
  // What its author may not expect, one line each: a comparison that can never be true, because no
  // value of the column's type is equal to the literal, or because it is with null.
  const std::vector<std::string>& notes() const noexcept;

  // Internal to the engine.
  const Condition& condition() const noexcept;

 private:
  struct Parts;
  std::shared_ptr<const Parts> parts_;
};

}  // namespace heron::inline v0

// Predicates on rows, such as
//   price > 3.5 and city in ('Oslo', 'Rome') and not (x is null)
// engine/expression/EXPRESSIONS.md describes the language.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/dataset.h"
#include "heron/export.h"

namespace heron::inline v0 {

struct Condition;  // the engine's

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

  const std::shared_ptr<const Table>& table() const noexcept;
  const std::string& text() const noexcept;
  // The columns it uses, by number, ascending, each once.
  std::span<const uint64_t> columns() const noexcept;
  // Warnings, one line each: a comparison that can never be true, because no value of the column's
  // type equals the literal or because it compares with null.
  const std::vector<std::string>& notes() const noexcept;

 private:
  friend const Condition& condition_of(const Predicate& predicate) noexcept;
  friend Predicate predicate_of(std::shared_ptr<const Table> table, uint64_t column,
                                Condition condition);
  struct Parts;
  explicit Predicate(std::shared_ptr<const Parts> parts);
  std::shared_ptr<const Parts> parts_;
};

}  // namespace heron::inline v0

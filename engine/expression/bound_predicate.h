// A predicate checked against a table, in the form that a filter executes. There is no "not": it
// was pushed down to the tests, where three-valued logic makes "not a" a test of its own, so each
// part of a predicate is either true for a row or not.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "expression/expression.h"
#include "heron/expression.h"

namespace heron::inline v0 {

struct BoundPredicate;

struct Always {
  bool is_true;
};
struct AllOf {
  std::vector<BoundPredicate> parts;  // two or more
};
struct AnyOf {
  std::vector<BoundPredicate> parts;  // two or more
};
// Selects the rows for which the part is not true, including those where it is null.
struct NoneOf {
  std::vector<BoundPredicate> part;  // one
};
struct InSet {
  uint64_t column;
  ValueSet set;
};
struct IsNull {
  uint64_t column;
  bool negated;  // is not null
};
// Tests a text that is not null.
struct IsLike {
  uint64_t column;
  LikePattern pattern;
  bool negated;
};
// Computes a bool for each row and tests that it equals `expected`; a null never does.
struct Holds {
  Expression expression;  // a bool
  bool expected;
};

struct BoundPredicate : std::variant<Always, AllOf, AnyOf, NoneOf, InSet, IsNull, IsLike, Holds> {
  using variant::variant;
};

// Returns a predicate on a single column, which has no text.
Predicate predicate_of(std::shared_ptr<const Table> table, uint64_t column,
                       BoundPredicate predicate);

// Returns the checked form of a predicate; it lives as long as the predicate.
const BoundPredicate& bound_of(const Predicate& predicate) noexcept;

}  // namespace heron::inline v0

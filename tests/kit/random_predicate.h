// Random predicates that fit a table's columns and values: of each kind and operator of the
// language, nested, with literals that equal values, are next to values, or are far from all of
// them.
#pragma once

#include <cstdint>
#include <memory>

#include "kit/plain_predicate.h"

namespace heron::inline v0 {

// Returns the next predicate at each call; a seed always gives the same ones. Refers to the table.
class RandomPredicates {
 public:
  RandomPredicates(const PlainTable& table, uint64_t seed);
  ~RandomPredicates();
  PlainPredicate next();

 private:
  class Maker;
  std::unique_ptr<Maker> maker_;
};

}  // namespace heron::inline v0

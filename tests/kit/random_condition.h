// Random predicates that fit a table's columns and values: of each kind and operator of the
// language, nested, with literals that are values, next to values and far from all of them.
#pragma once

#include <cstdint>
#include <memory>

#include "kit/plain_condition.h"

namespace heron::inline v0 {

// Gives the next predicate at each call, the same ones for a seed. Refers to the table.
class RandomConditions {
 public:
  RandomConditions(const PlainTable& table, uint64_t seed);
  ~RandomConditions();
  PlainCondition next();

 private:
  class Maker;
  std::unique_ptr<Maker> maker_;
};

}  // namespace heron::inline v0

// Predicates by chance that go together with a table's columns and are about its values: of each
// kind and operator of the language, nested, with literals that are values, next to values and far
// from all of them.
#pragma once

#include <cstdint>
#include <memory>

#include "kit/plain_condition.h"

namespace heron::inline v0 {

// The next one at each call, the same for a seed. Refers to the table.
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

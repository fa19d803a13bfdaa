// Functions of one argument that never fall, or never rise: bisection with the function itself
// finds the arguments for given results.
#pragma once

#include <optional>
#include <vector>

#include "expression/functions/function.h"

namespace heron::inline v0 {

// A set of values of an expression, as intervals in the list of their kind.
struct ValueIntervals {
  std::vector<Interval<Int128>> integers{};
  std::vector<Interval<double>> floats{};
  std::vector<TextInterval> texts{};
  bool nan = false;
  bool is_exact = true;
};

inline bool is_integer(ValueKind kind) {
  return kind == ValueKind::Integer || kind == ValueKind::Wide;
}

// Returns the index of the only part that is not constant; nullopt if several are not, or if a part
// is null.
std::optional<size_t> only_part(const Expression& call);

struct Argument {
  size_t part;
  ValueIntervals values;
};
// Returns the values of an argument for which the call returns one of `results`, which are all
// numbers or times; nullopt if the function is not known to be monotone. If it fails for the first
// arguments of all, these are included if the ones behind them are, and the result is not exact.
std::optional<Argument> monotone_argument(const Expression& call, const ValueIntervals& results,
                                          const SourceText& source);

}  // namespace heron::inline v0

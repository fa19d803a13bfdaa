// Tests of computed values, or of several columns: computes operands for some rows at a time and
// compares them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include "filter/operand_values.h"
#include "filter/range_kernels.h"
#include "filter/row_bits.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

// Calls test(rows, words) for some rows of a range at a time, with their bits, if any bit is set.
template <class Test>
void by_steps(RowRange range, uint64_t* rows, const Context& context, Test&& test) {
  for (uint64_t first = 0; first < range.rows(); first += kOperandRows) {
    context.check_cancelled();
    const uint64_t count = std::min(kOperandRows, range.rows() - first);
    uint64_t* words = rows + first / 64;
    if (std::all_of(words, words + bit_words(count), [](uint64_t word) { return word == 0; })) {
      continue;
    }
    test(RowRange{range.first + first, range.first + first + count}, words);
  }
}

void keep_words(const uint64_t* bits, uint64_t turned, uint64_t count, uint64_t* rows) {
  for (uint64_t i = 0; i < bit_words(count); ++i) rows[i] &= bits[i] ^ turned;
}

// Clears the bits of rows for which holds(i) is not `wanted`.
template <class Holds>
void keep_if(uint64_t count, bool wanted, uint64_t* rows, Holds&& holds) {
  alignas(64) uint8_t flags[64];
  for (uint64_t first = 0; first < count; first += 64) {
    const uint64_t here = std::min<uint64_t>(64, count - first);
    for (uint64_t i = 0; i < here; ++i) {
      flags[i] = static_cast<uint8_t>(-int{holds(first + i) == wanted});
    }
    std::fill(flags + here, flags + 64, uint8_t{0});
    rows[first / 64] &= pack_flags(flags);
  }
}

// Like the other operators, never true for NaNs.
struct Unequal {
  template <class A, class B>
  bool operator()(const A& a, const B& b) const {
    return a < b || a > b;
  }
};

template <class Visit>
void with_operator(Compares::Operator op, Visit&& visit) {
  using Operator = Compares::Operator;
  switch (op) {
    case Operator::Equal: return visit(std::equal_to<>());
    case Operator::NotEqual: return visit(Unequal());
    case Operator::Less: return visit(std::less<>());
    case Operator::LessEqual: return visit(std::less_equal<>());
    case Operator::Greater: return visit(std::greater<>());
    case Operator::GreaterEqual: return visit(std::greater_equal<>());
  }
}

// Whether one is an integer and the other a float.
template <class A, class B>
constexpr bool kMixed = std::is_same_v<A, double> != std::is_same_v<B, double>;
template <class T>
constexpr bool kIsNumber =
    std::is_same_v<T, double> || std::is_same_v<T, int64_t> || std::is_same_v<T, Int128>;

// A number that compares with 0 as an integer does with a float: NaN if they are unordered.
double sign_of(std::partial_ordering order) {
  if (order == std::partial_ordering::unordered) return std::numeric_limits<double>::quiet_NaN();
  return order < 0 ? -1 : order > 0 ? 1 : 0;
}

template <class A, class B>
void compare_values(const Compares& test, const A* left, const B* right, uint64_t count,
                    uint64_t* rows) {
  with_operator(test.op, [&](auto holds) {
    keep_if(count, !test.negated, rows, [&](uint64_t i) -> bool {
      if constexpr (!kIsNumber<A> || !kMixed<A, B>)
        return holds(left[i], right[i]);
      else if constexpr (std::is_same_v<B, double>)
        return holds(sign_of(compare_exactly(left[i], right[i])), 0.0);
      else
        return holds(0.0, sign_of(compare_exactly(right[i], left[i])));
    });
  });
}

}  // namespace

void filter(const Compares& test, RowRange range, uint64_t* rows, ColumnReader& columns,
            Arena& arena, const Context& context) {
  OperandReader operands(columns, arena);
  by_steps(range, rows, context, [&](RowRange some, uint64_t* words) {
    operands.move_to(some);
    const OperandValues left = operands.evaluate(test.left);
    const OperandValues right = operands.evaluate(test.right);
    keep_words(left.valid, 0, some.rows(), words);
    keep_words(right.valid, 0, some.rows(), words);
    std::visit(
        [&](const auto* a, const auto* b) {
          using A = std::remove_cvref_t<decltype(*a)>;
          using B = std::remove_cvref_t<decltype(*b)>;
          if constexpr (std::is_same_v<A, B> || (kIsNumber<A> && kIsNumber<B>)) {
            compare_values(test, a, b, some.rows(), words);
          }
        },
        left.values, right.values);
  });
}

void filter(const OperandIs& test, RowRange range, uint64_t* rows, ColumnReader& columns,
            Arena& arena, const Context& context) {
  using What = OperandIs::What;
  OperandReader operands(columns, arena);
  by_steps(range, rows, context, [&](RowRange some, uint64_t* words) {
    operands.move_to(some);
    const OperandValues operand = operands.evaluate(test.operand);
    const bool nulls = test.what == What::Null;
    keep_words(operand.valid, nulls ? UINT64_MAX : 0, some.rows(), words);
    if (nulls || test.what == What::NotNull) return;
    const auto* floats = std::get_if<const double*>(&operand.values);
    keep_if(some.rows(), test.what == What::NaN, words,
            [&](uint64_t i) { return floats != nullptr && std::isnan((*floats)[i]); });
  });
}

}  // namespace heron::inline v0

#include "expression/functions/decimals.h"

#include <algorithm>
#include <compare>
#include <type_traits>
#include <utility>

#include "values/decimals.h"

namespace heron::inline v0 {
namespace {

bool is_decimal(const Expression& value) {
  return value.type.is(Type::Decimal);
}

uint32_t precision_of(const Type& type) {
  return static_cast<uint32_t>(type.size());
}

// Returns false if the result exceeds 128 bits.
bool compute(Arithmetic op, Int128 a, Int128 b, Int128& result) {
  switch (op) {
    case Arithmetic::Add: return !__builtin_add_overflow(a, b, &result);
    case Arithmetic::Subtract: return !__builtin_sub_overflow(a, b, &result);
    case Arithmetic::Negate: return !__builtin_sub_overflow(Int128{0}, b, &result);
    default: return !__builtin_mul_overflow(a, b, &result);
  }
}

void decimal_arithmetic_kernel(const KernelCall& call) {
  const auto op = static_cast<Arithmetic>(call.expression.option);
  const Type& type = call.expression.type;
  const auto* left = call.argument<Int128>(0);
  const auto* right = call.argument<Int128>(call.arguments.size() - 1);
  auto* to = call.result<Int128>();
  call.each([&](uint64_t i) {
    if (compute(op, left[i], right[i], to[i]) && has_digits(to[i], type.size())) return;
    call.fail("a result has more than ", type.size(), " digits; 1e0 * makes it float64");
  });
}

// Calls use(values) for the values of an argument of numbers.
template <class Use>
void with_numbers(const Vector& vector, Use use) {
  switch (vector.kind) {
    case ValueKind::Integer: return use(vector.as<int64_t>());
    case ValueKind::Float: return use(vector.as<double>());
    default: return use(vector.as<Int128>());
  }
}

// Compares by the scales of the parts, 0 for integers.
void compare_decimals_kernel(const KernelCall& call) {
  const auto op = static_cast<CompareOperator>(call.expression.option);
  const auto scale_of = [&](size_t i) { return call.expression.parts[i].type.scale(); };
  const uint32_t scale_a = scale_of(0), scale_b = scale_of(1);
  with_numbers(call.arguments[0], [&]<class A>(const A* left) {
    with_numbers(call.arguments[1], [&]<class B>(const B* right) {
      call.set_active_bits([&](uint64_t i) {
        if constexpr (std::is_same_v<B, double>) {
          if constexpr (!std::is_same_v<A, double>)
            return holds(op, compare_decimals(Int128{left[i]}, scale_a, right[i]));
          else
            return false;  // one side is a decimal
        } else if constexpr (std::is_same_v<A, double>) {
          return holds(op, 0 <=> compare_decimals(Int128{right[i]}, scale_b, left[i]));
        } else {
          return holds(op, compare_decimals(Int128{left[i]}, scale_a, Int128{right[i]}, scale_b));
        }
      });
    });
  });
}

constexpr Function kDecimalArithmetic{"decimal arithmetic",      {}, {}, 1, 2, Result::Shaped,
                                      decimal_arithmetic_kernel, {}};
constexpr Function kCompareDecimals{"compare decimals",      {}, {}, 2, 2, Result::Bool,
                                    compare_decimals_kernel, {}};

// The type of the result, if `exact` holds it; else of as many digits as decimals have, of which
// rows may have more.
Type limited(uint32_t precision, uint32_t scale) {
  return Type::decimal(std::clamp<uint32_t>(precision, 1, Type::kMaxPrecision), scale);
}

Type with_scale(const Type& type, uint32_t scale) {
  return limited(precision_of(type) - type.scale() + scale, scale);
}

}  // namespace

Type decimal_type_of(const Expression& number) {
  if (is_decimal(number)) return number.type;
  uint32_t digits = 1;
  while (digits < Type::kMaxPrecision &&
         !(has_digits(number.range.low, digits) && has_digits(number.range.high, digits))) {
    ++digits;
  }
  return Type::decimal(digits, 0);
}

Expression as_decimal(Expression number, const Type& type) {
  if (number.type == type) return number;
  const auto* units = std::get_if<Int128>(&number.constant);
  if (number.is_constant() && units != nullptr) {
    if (const auto nearest =
            scaled(*units, number.type.scale(), type.scale()).nearest(type.size())) {
      number.constant = *nearest;
      number.value = ValueKind::Wide;
      number.type = type;
      return number;
    }
  }
  return cast(std::move(number), type, false);
}

std::optional<Expression> decimal_arithmetic(Arithmetic op, std::vector<Expression> parts) {
  const Type left = decimal_type_of(parts.front()), right = decimal_type_of(parts.back());
  const uint32_t scale = std::max(left.scale(), right.scale());
  Type type = left;
  switch (op) {
    case Arithmetic::Negate: break;
    case Arithmetic::Multiply:
      if (left.scale() + right.scale() > Type::kMaxPrecision) return std::nullopt;
      type = limited(precision_of(left) + precision_of(right), left.scale() + right.scale());
      parts[0] = as_decimal(std::move(parts[0]), left);
      parts[1] = as_decimal(std::move(parts[1]), right);
      break;
    case Arithmetic::Add:
    case Arithmetic::Subtract: {
      const Type raised[] = {with_scale(left, scale), with_scale(right, scale)};
      type =
          limited(static_cast<uint32_t>(std::max(raised[0].size(), raised[1].size())) + 1, scale);
      for (size_t i = 0; i < 2; ++i) parts[i] = as_decimal(std::move(parts[i]), raised[i]);
      break;
    }
    default: return std::nullopt;
  }
  Expression call;
  call.kind = Expression::Kind::Call;
  call.function = &kDecimalArithmetic;
  call.option = static_cast<uint8_t>(op);
  call.value = ValueKind::Wide;
  call.type = type;
  call.offset = parts.front().offset;
  call.parts = std::move(parts);
  return call;
}

bool differ_in_scale(const Expression& a, const Expression& b) {
  return (is_decimal(a) || is_decimal(b)) &&
         (is_decimal(a) != is_decimal(b) || a.type.scale() != b.type.scale());
}

Expression compare_decimals(CompareOperator op, Expression a, Expression b) {
  Expression call;
  call.kind = Expression::Kind::Call;
  call.function = &kCompareDecimals;
  call.option = static_cast<uint8_t>(op);
  call.value = ValueKind::Bool;
  call.type = Type::Bool;
  call.offset = a.offset;
  call.parts.push_back(std::move(a));
  call.parts.push_back(std::move(b));
  return call;
}

}  // namespace heron::inline v0

// Computes + - * / % of numbers, and converts between kinds of numbers.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "expression/functions/cell_kernels.h"
#include "expression/functions/function.h"
#include "expression/functions/integer_text.h"
#include "values/decimals.h"

namespace heron::inline v0 {
namespace {

// Integers wrap: only rows that are null, or that nobody needs, are larger than the checker allows.
template <class T>
using Wrapping = std::conditional_t<std::is_same_v<T, int64_t>, uint64_t,
                                    std::conditional_t<std::is_same_v<T, Int128>, UInt128, T>>;

// Calls work(T()) for the C++ type of a kind of numbers.
template <class Work>
void with_number(ValueKind kind, Work&& work) {
  switch (kind) {
    case ValueKind::Float: return work(double());
    case ValueKind::Wide: return work(Int128());
    default: return work(int64_t());
  }
}

template <class T>
T remainder_of(T dividend, T divisor) {
  if constexpr (std::is_same_v<T, double>)
    return std::fmod(dividend, divisor);
  else
    return divisor == 0 || divisor == -1 ? 0 : static_cast<T>(dividend % divisor);
}

template <class T, class Operation>
void compute_each(const KernelCall& call, Operation operation) {
  using Sum = Wrapping<T>;
  const auto each = [operation](T a, T b) {
    return static_cast<T>(operation(static_cast<Sum>(a), static_cast<Sum>(b)));
  };
  const T *left = call.argument<T>(0), *right = call.argument<T>(call.arguments.size() - 1);
  if constexpr (std::is_same_v<T, double>) {
    call.vector.has_no_nan = !map_to_floats(each, call.rows, call.result<T>(), left, right);
  } else {
    map_each(each, call.rows, call.result<T>(), left, right);
  }
}

template <class T>
void compute_remainder(const KernelCall& call) {
  const T* left = call.argument<T>(0);
  const T* right = call.argument<T>(1);
  T* to = call.result<T>();
  for (uint64_t i = 0; i < call.rows; ++i) to[i] = remainder_of(left[i], right[i]);
  if constexpr (!std::is_same_v<T, double>) {
    keep_rows(call.rows, call.valid, [&](uint64_t i) { return right[i] != 0; });
  }
}

// Returns whether 32 bits hold both factors in rows that are not null.
bool is_narrow_product(const KernelCall& call) {
  const Expression& product = call.expression;
  if (product.value != ValueKind::Integer || product.parts.size() != 2 ||
      static_cast<Arithmetic>(product.option) != Arithmetic::Multiply) {
    return false;
  }
  return std::all_of(product.parts.begin(), product.parts.end(), [](const Expression& part) {
    return part.value == ValueKind::Integer && part.range.low >= INT32_MIN &&
           part.range.high <= INT32_MAX;
  });
}

void arithmetic_kernel(const KernelCall& call) {
  if (is_narrow_product(call)) {
    return multiply_narrow(call.argument<int64_t>(0), call.argument<int64_t>(1), call.rows,
                           call.result<int64_t>());
  }
  with_number(call.arguments[0].kind, [&]<class T>(T) {
    using Sum = Wrapping<T>;
    switch (static_cast<Arithmetic>(call.expression.option)) {
      case Arithmetic::Negate: return compute_each<T>(call, [](Sum a, Sum) { return Sum{} - a; });
      case Arithmetic::Add: return compute_each<T>(call, [](Sum a, Sum b) { return a + b; });
      case Arithmetic::Subtract: return compute_each<T>(call, [](Sum a, Sum b) { return a - b; });
      case Arithmetic::Multiply: return compute_each<T>(call, [](Sum a, Sum b) { return a * b; });
      case Arithmetic::Remainder: return compute_remainder<T>(call);
      case Arithmetic::Divide:
        if constexpr (std::is_same_v<T, double>) {
          compute_each<T>(call, [](T a, T b) { return a / b; });
        }
    }
  });
}

// Negates floats: 0.0 becomes -0.0, which 0 - x does not give.
void negate_float_kernel(const KernelCall& call) {
  call.vector.has_no_nan = !map_to_floats([](double x) { return -x; }, call.rows,
                                          call.result<double>(), call.argument<double>(0));
}

void convert_kernel(const KernelCall& call) {
  with_number(call.arguments[0].kind, [&]<class From>(From) {
    with_number(call.expression.value, [&]<class To>(To) {
      if constexpr (!std::is_same_v<From, double> || std::is_same_v<To, double>) {
        map_each([](From x) { return static_cast<To>(x); }, call.rows, call.result<To>(),
                 call.argument<From>(0));
      }
    });
  });
}

void narrow_kernel(const KernelCall& call) {
  const Interval<Int128> range = integer_range(call.expression.type);
  with_number(call.arguments[0].kind, [&]<class From>(From) {
    with_number(call.expression.value, [&]<class To>(To) {
      if constexpr (!std::is_same_v<From, double> && !std::is_same_v<To, double>) {
        const From* from = call.argument<From>(0);
        To* to = call.result<To>();
        call.each([&](uint64_t i) {
          if (from[i] < range.low || from[i] > range.high) {
            call.fail("type ", call.expression.type.name(), " does not hold the result ",
                      integer_text(from[i]));
          }
          to[i] = static_cast<To>(from[i]);
        });
      }
    });
  });
}

constexpr Function kArithmetic{"arithmetic", {}, {}, 1, 2, Result::Shaped, arithmetic_kernel, {}};
constexpr Function kNegateFloat{"negate", {}, {}, 1, 1, Result::Shaped, negate_float_kernel, {}};
constexpr Function kConvert{"convert", {}, {}, 1, 1, Result::Shaped, convert_kernel, {}};
constexpr Function kNarrow{"narrow", {}, {}, 1, 1, Result::Shaped, narrow_kernel, {}};

Expression call_of(const Function& function, std::vector<Expression> parts) {
  Expression call;
  call.kind = Expression::Kind::Call;
  call.function = &function;
  call.value = parts.front().value;
  call.type = parts.front().type;
  call.range = parts.front().range;
  call.offset = parts.front().offset;
  call.parts = std::move(parts);
  return call;
}

}  // namespace

Expression arithmetic(Arithmetic op, ValueKind computed_in, std::vector<Expression> parts) {
  for (Expression& part : parts) part = converted(std::move(part), computed_in);
  const bool negates_float = op == Arithmetic::Negate && computed_in == ValueKind::Float;
  Expression call = call_of(negates_float ? kNegateFloat : kArithmetic, std::move(parts));
  call.option = static_cast<uint8_t>(op);
  call.type = computed_in == ValueKind::Float  ? Type::Float64
              : computed_in == ValueKind::Wide ? Type::Int128
                                               : Type::Int64;
  return call;
}

Expression converted(Expression number, ValueKind to) {
  if (number.value == to) return number;
  if (number.type.is(Type::Decimal)) {
    const auto* units = std::get_if<Int128>(&number.constant);
    if (units == nullptr) return cast(std::move(number), Type::Float64, false);
    number.constant = as_double(*units, number.type.scale());
    number.value = ValueKind::Float;
    number.type = Type::Float64;
    return number;
  }
  Expression call;
  if (number.is_constant()) {
    call = std::move(number);
    const auto* whole = std::get_if<Int128>(&call.constant);
    if (whole != nullptr && to == ValueKind::Float) call.constant = static_cast<double>(*whole);
  } else {
    std::vector<Expression> parts;
    parts.push_back(std::move(number));
    call = call_of(kConvert, std::move(parts));
  }
  call.value = to;
  call.type = to == ValueKind::Float  ? Type::Float64
              : to == ValueKind::Wide ? Type::Int128
                                      : Type::Int64;
  return call;
}

Expression narrowed(Expression integer, const Type& type) {
  const Interval<Int128> range = integer_range(type);
  if (integer.range.low >= range.low && integer.range.high <= range.high) {
    Expression same = converted(std::move(integer), kind_of(type));
    same.type = type;
    return same;
  }
  std::vector<Expression> parts;
  parts.push_back(std::move(integer));
  Expression call = call_of(kNarrow, std::move(parts));
  call.value = kind_of(type);
  call.type = type;
  call.range = {std::max(call.range.low, range.low), std::min(call.range.high, range.high)};
  return call;
}

}  // namespace heron::inline v0

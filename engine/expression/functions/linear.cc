#include "expression/functions/linear.h"

#include "expression/functions/function.h"

namespace heron::inline v0 {
namespace {

constexpr Int128 kMaxMagnitude = Int128{1} << 63;

// The form factor * x + offset; without a column, the factor is 0.
struct Form {
  std::optional<uint64_t> column;
  Int128 factor = 0, offset = 0;
};

std::optional<Form> form_of(const Expression& part);

std::optional<Form> arithmetic_form(const Expression& call) {
  std::optional<Form> left = form_of(call.parts[0]);
  if (!left) return std::nullopt;
  const auto op = static_cast<Arithmetic>(call.option);
  if (op == Arithmetic::Negate) return Form{left->column, -left->factor, -left->offset};
  const std::optional<Form> right = form_of(call.parts[1]);
  if (!right) return std::nullopt;
  if (left->column && right->column && *left->column != *right->column) return std::nullopt;
  const auto column = left->column ? left->column : right->column;
  switch (op) {
    case Arithmetic::Add:
      return Form{column, left->factor + right->factor, left->offset + right->offset};
    case Arithmetic::Subtract:
      return Form{column, left->factor - right->factor, left->offset - right->offset};
    case Arithmetic::Multiply: {
      if (left->column && right->column) return std::nullopt;
      const Form& linear = left->column ? *left : *right;
      const Int128 times = (left->column ? *right : *left).offset;
      Form product{column};
      if (__builtin_mul_overflow(linear.factor, times, &product.factor) ||
          __builtin_mul_overflow(linear.offset, times, &product.offset)) {
        return std::nullopt;
      }
      return product;
    }
    default: return std::nullopt;
  }
}

// Forms are kept small enough that adding two of them cannot overflow.
std::optional<Form> form_of(const Expression& part) {
  const auto is_small = [](Int128 number) {
    return number >= -kMaxMagnitude && number <= kMaxMagnitude;
  };
  std::optional<Form> form;
  switch (part.kind) {
    case Expression::Kind::Column:
      if (part.type.is_integer()) form = Form{part.column, 1, 0};
      break;
    case Expression::Kind::Constant:
      if (const auto* whole = std::get_if<Int128>(&part.constant)) form = Form{{}, 0, *whole};
      break;
    case Expression::Kind::Call:
      if (part.value == ValueKind::Float) break;
      if (part.function->name == "arithmetic") form = arithmetic_form(part);
      if (part.function->name == "convert") form = form_of(part.parts[0]);
      break;
    default: break;
  }
  if (form && !(is_small(form->factor) && is_small(form->offset))) form.reset();
  return form;
}

}  // namespace

std::optional<LinearForm> linear_form(const Expression& result) {
  const bool is_narrowed = result.kind == Expression::Kind::Call &&
                           result.function->name == "narrow" && result.type.is(Type::Int64);
  const std::optional<Form> form = form_of(is_narrowed ? result.parts[0] : result);
  if (!form || !form->column || form->factor == 0) return std::nullopt;
  return LinearForm{*form->column, form->factor, form->offset, !is_narrowed};
}

}  // namespace heron::inline v0

#include "filter/operand_values.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "filter/row_bits.h"
#include "values/cells.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

using Kind = Operand::Kind;
using Value = Operand::Value;

// Which row of `children` has the value of a key; row i itself for other types.
struct ValueRows {
  const Values* values;
  const uint64_t* at = nullptr;  // null: row i is row i
  uint64_t operator[](uint64_t i) const { return at == nullptr ? i : at[i]; }
};

// Numbers, times, bools and keys without values.
template <class T>
void copy_numbers(const ValueRows& from, uint64_t rows, T* to) {
  const Values& values = *from.values;
  if (values.type.is(Type::Bool)) {
    for (uint64_t i = 0; i < rows; ++i) to[i] = static_cast<T>(values.get_bool(from[i]));
  } else if (values.type.is(Type::DateTimeOffset)) {
    for (uint64_t i = 0; i < rows; ++i) {
      to[i] = static_cast<T>(instant_of(cell_of<DateTimeOffset>(values, from[i])));
    }
  } else {
    visit_cell_type(values.type, [&]<class Cell>() {
      for (uint64_t i = 0; i < rows; ++i) {
        const Cell cell = load_cell<Cell>(values.data.data, from[i]);
        // The content under a null may be a number that T does not hold.
        if constexpr (std::is_floating_point_v<Cell> && !std::is_floating_point_v<T>)
          to[i] = 0;
        else
          to[i] = static_cast<T>(cell);
      }
    });
  }
}

// Integers wrap: only under a null are they larger than the checker allows.
template <class T>
using Wrapping = std::conditional_t<std::is_same_v<T, int64_t>, uint64_t,
                                    std::conditional_t<std::is_same_v<T, Int128>, UInt128, T>>;

template <class T>
T remainder_of(T dividend, T divisor) {
  if constexpr (std::is_same_v<T, double>)
    return std::fmod(dividend, divisor);
  else
    return divisor == -1 ? 0 : static_cast<T>(dividend % divisor);
}

}  // namespace

template <class T>
T* OperandReader::room() {
  static_assert(sizeof(T) <= 16);
  if (used_ == rooms_.size()) rooms_.push_back(arena_.allocate(kOperandRows * 16));
  return reinterpret_cast<T*>(rooms_[used_++]);
}

uint64_t* OperandReader::all_valid() {
  auto* valid = room<uint64_t>();
  set_first_bits(valid, rows_.rows());
  return valid;
}

template <class T>
const T* OperandReader::as(const OperandValues& operand) {
  if (const auto* same = std::get_if<const T*>(&operand.values)) return *same;
  T* converted = room<T>();
  std::visit(
      [&](const auto* values) {
        using From = std::remove_cvref_t<decltype(*values)>;
        if constexpr (!std::is_same_v<From, std::string_view>) {
          for (uint64_t i = 0; i < rows_.rows(); ++i) converted[i] = static_cast<T>(values[i]);
        }
      },
      operand.values);
  return converted;
}

OperandValues OperandReader::evaluate(const Operand& operand) {
  switch (operand.kind) {
    case Kind::Column: return of_column(operand);
    case Kind::Constant: return of_constant(operand);
    default: return computed(operand);
  }
}

OperandValues OperandReader::of_column(const Operand& operand) {
  const uint64_t rows = rows_.rows();
  const Values& values = columns_.read(operand.column, rows_);
  uint64_t* valid = all_valid();
  keep_valid(values.validity.data, rows, valid);
  ValueRows from{&values};
  if (values.type.is(Type::Key) && !values.children.empty()) {
    from.values = &values.children[0];
    if (from.values->rows == 0) {  // all keys are null, so there is nothing to read
      OperandValues nothing = of_constant({Kind::Constant, operand.value, 0, Int128{0}, {}});
      nothing.valid = valid;
      return nothing;
    }
    auto* at = room<uint64_t>();
    copy_numbers({&values}, rows, at);
    for (uint64_t i = 0; i < rows; ++i) at[i] = at[i] == 0 ? 0 : at[i] - 1;
    keep_rows(rows, valid, [&](uint64_t i) { return !from.values->is_null(at[i]); });
    from.at = at;
  }
  const auto numbers = [&]<class T>(T* to) -> OperandValues {
    copy_numbers(from, rows, to);
    return {to, valid};
  };
  switch (operand.value) {
    case Value::Integer: return numbers(room<int64_t>());
    case Value::Wide: return numbers(room<Int128>());
    case Value::Float: return numbers(room<double>());
    case Value::Text: {
      auto* texts = room<std::string_view>();
      for (uint64_t i = 0; i < rows; ++i) texts[i] = from.values->text(from[i]);
      return {texts, valid};
    }
    default: break;
  }
  auto* ids = room<UInt128>();
  for (uint64_t i = 0; i < rows; ++i) {
    const auto id = cell_of<RowId>(*from.values, from[i]);
    ids[i] = UInt128{id.high} << 64 | id.low;
  }
  return {ids, valid};
}

OperandValues OperandReader::of_constant(const Operand& operand) {
  const auto fill = [&](auto value) -> OperandValues {
    auto* values = room<decltype(value)>();
    std::fill_n(values, rows_.rows(), value);
    return {values, all_valid()};
  };
  if (const auto* text = std::get_if<std::string>(&operand.constant)) {
    return fill(std::string_view(*text));
  }
  if (const auto* number = std::get_if<double>(&operand.constant)) return fill(*number);
  const Int128 integer = std::get<Int128>(operand.constant);
  switch (operand.value) {
    case Value::Integer: return fill(static_cast<int64_t>(integer));
    case Value::Float: return fill(static_cast<double>(integer));
    case Value::RowId: return fill(static_cast<UInt128>(integer));
    default: return fill(integer);
  }
}

OperandValues OperandReader::computed(const Operand& operand) {
  const OperandValues left = evaluate(operand.parts[0]);
  const OperandValues right = operand.parts.size() > 1 ? evaluate(operand.parts[1]) : left;
  auto* valid = room<uint64_t>();
  for (uint64_t i = 0; i < bit_words(rows_.rows()); ++i) {
    valid[i] = left.valid[i] & right.valid[i];
  }
  const auto any = [&]<class T>(T) {
    return std::holds_alternative<const T*>(left.values) ||
           std::holds_alternative<const T*>(right.values);
  };
  const auto with = [&]<class T>(T) {
    return computed_as<T>(operand.kind, as<T>(left), as<T>(right), valid);
  };
  // A remainder can be of a narrower type than its operands.
  if (operand.value == Value::Float || any(double())) return with(double());
  if (operand.value == Value::Wide || any(Int128())) return with(Int128());
  return with(int64_t());
}

template <class T>
OperandValues OperandReader::computed_as(Kind kind, const T* left, const T* right,
                                         uint64_t* valid) {
  using Sum = Wrapping<T>;
  T* to = room<T>();
  const uint64_t rows = rows_.rows();
  const auto each = [&](auto&& operation) {
    for (uint64_t i = 0; i < rows; ++i) {
      to[i] = static_cast<T>(operation(static_cast<Sum>(left[i]), static_cast<Sum>(right[i])));
    }
  };
  switch (kind) {
    case Kind::Negate: each([](Sum a, Sum) { return -a; }); break;
    case Kind::Add: each([](Sum a, Sum b) { return a + b; }); break;
    case Kind::Subtract: each([](Sum a, Sum b) { return a - b; }); break;
    case Kind::Multiply: each([](Sum a, Sum b) { return a * b; }); break;
    case Kind::Divide:
      if constexpr (std::is_same_v<T, double>) each([](T a, T b) { return a / b; });
      break;
    default:
      if constexpr (!std::is_same_v<T, double>) {
        keep_rows(rows, valid, [&](uint64_t i) { return right[i] != 0; });
      }
      for (uint64_t i = 0; i < rows; ++i) {
        const bool whole_zero = !std::is_same_v<T, double> && right[i] == 0;
        to[i] = whole_zero ? 0 : remainder_of(left[i], right[i]);
      }
  }
  return {to, valid};
}

}  // namespace heron::inline v0

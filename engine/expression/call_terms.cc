// Calls of functions and casts: finds the function whose parameters fit, converts arguments and
// computes what is constant.
#include <algorithm>
#include <array>

#include "base/fail.h"
#include "base/nearest.h"
#include "expression/evaluator.h"
#include "expression/term.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

using TermKind = Term::Kind;

// Results of integer functions are far below the maximum of int64, so that sums of them fit int64,
// too.
constexpr Interval<Int128> kSmall{-(Int128{1} << 40), Int128{1} << 40};

Parameter parameter(const Function& function, size_t i) {
  return function.parameters[std::min(i, function.parameters.size() - 1)];
}

struct NamedType {
  std::string_view name;
  Type::Id type;
  Type::Unit unit = Type::Nanosecond;  // of timestamps; of durations with their own units
};
// The engine's names of types, then SQL's.
constexpr NamedType kTypes[] = {{"bool", Type::Bool},
                                {"int8", Type::Int8},
                                {"int16", Type::Int16},
                                {"int32", Type::Int32},
                                {"int64", Type::Int64},
                                {"uint8", Type::UInt8},
                                {"uint16", Type::UInt16},
                                {"uint32", Type::UInt32},
                                {"uint64", Type::UInt64},
                                {"float32", Type::Float32},
                                {"float64", Type::Float64},
                                {"text", Type::Text},
                                {"binary", Type::Binary},
                                {"date32", Type::Date32},
                                {"timestamp", Type::Timestamp},
                                {"timestamp[ns]", Type::Timestamp},
                                {"timestamp[us]", Type::Timestamp, Type::Microsecond},
                                {"timestamp[ms]", Type::Timestamp, Type::Millisecond},
                                {"timestamp[s]", Type::Timestamp, Type::Second},
                                {"datetime", Type::DateTime},
                                {"duration", Type::Duration, Type::Tick},
                                {"duration[ns]", Type::Duration},
                                {"duration[us]", Type::Duration, Type::Microsecond},
                                {"duration[ms]", Type::Duration, Type::Millisecond},
                                {"duration[s]", Type::Duration, Type::Second},
                                {"time", Type::Time},
                                {"boolean", Type::Bool},
                                {"tinyint", Type::Int8},
                                {"smallint", Type::Int16},
                                {"int", Type::Int32},
                                {"integer", Type::Int32},
                                {"bigint", Type::Int64},
                                {"utinyint", Type::UInt8},
                                {"usmallint", Type::UInt16},
                                {"uinteger", Type::UInt32},
                                {"ubigint", Type::UInt64},
                                {"float", Type::Float32},
                                {"real", Type::Float32},
                                {"double", Type::Float64},
                                {"varchar", Type::Text},
                                {"string", Type::Text},
                                {"blob", Type::Binary},
                                {"bytea", Type::Binary},
                                {"date", Type::Date32}};

Type type_of(const NamedType& named) {
  if (named.type == Type::Timestamp) return Type::timestamp(named.unit);
  return named.type == Type::Duration ? Type::duration(named.unit) : Type(named.type);
}

// Reads no columns: constants have none.
class NoColumns final : public ColumnReader {
 public:
  const ColumnChunk& read(uint64_t, RowRange) override { return none_; }

 private:
  ColumnChunk none_;
};

// Returns the value of a call without columns; nullopt if computing it fails, which is an error
// only of the rows that need the value.
std::optional<Expression> constant_of(const Expression& call, const SourceText& source) {
  const Program program(call, source);
  Arena arena;
  NoColumns columns;
  const Context context;
  Evaluator evaluator(program, columns, arena, context);
  const uint64_t needed = 1;
  Expression made = null_of(call.type);
  made.value = call.value;
  made.offset = call.offset;
  try {
    evaluator.move_to({0, 1});
    const Vector value = evaluator.evaluate(0, 1, &needed);
    if ((*value.valid & 1) == 0) return made;
    switch (value.kind) {
      case ValueKind::Bool: made.constant = Int128{*value.as<uint64_t>() & 1}; break;
      case ValueKind::Integer: made.constant = Int128{*value.as<int64_t>()}; break;
      case ValueKind::Wide: made.constant = *value.as<Int128>(); break;
      case ValueKind::Float: made.constant = *value.as<double>(); break;
      case ValueKind::Text: made.constant = std::string(*value.as<std::string_view>()); break;
      case ValueKind::RowId:
      case ValueKind::List: return std::nullopt;
    }
  } catch (const Error&) {
    return std::nullopt;
  }
  if (const auto* whole = std::get_if<Int128>(&made.constant)) made.range = {*whole, *whole};
  return made;
}

}  // namespace

Expression null_of(const Type& type) {
  Expression null;
  null.type = type;
  null.value = kind_of(type);
  null.range = {0, 0};  // widens no range of other values
  return null;
}

Expression truth_of(bool is_true) {
  Expression truth = null_of(Type::Bool);
  truth.constant = Int128{is_true};
  return truth;
}

Expression Terms::typed(const Term& term) const {
  Expression value;
  switch (term.kind) {
    case TermKind::Null: value = null_of(Type::Null); break;
    case TermKind::Truth: value = truth_of(term.is_true); break;
    case TermKind::Predicate: value = boolean(*term.syntax); break;
    default: value = term.value;
  }
  value.offset = term.syntax->first;
  if (value.type.is_nested()) {
    source_.fail_at(ErrorKind::Argument, term.syntax->first, described(term),
                    " can only be tested for null");
  }
  if (value.type.is(Type::Key)) value.type = Type(value.type.item());
  return value;
}

Expression Terms::result(const Syntax& syntax) const {
  const Term root = term(syntax);
  Expression value = typed(root);
  const bool is_arithmetic =
      syntax.kind >= Syntax::Kind::Negate && syntax.kind <= Syntax::Kind::Remainder;
  if (value.type.is(Type::Null) && is_arithmetic) return null_of(Type::Int64);
  if (value.type.is(Type::Null)) {
    source_.fail_at(ErrorKind::Argument, syntax.first,
                    "expected a value with a type, got null; cast(null as int64) has one");
  }
  if (value.type.is(Type::Int128)) return narrowed(std::move(value), Type::Int64);
  if (value.type.is(Type::DateTimeOffset)) {
    source_.fail_at(ErrorKind::Argument, syntax.first, "results of type ", value.type.name(),
                    " are not supported");
  }
  return value;
}

Term Terms::computed(const Syntax& syntax, Expression value) const {
  Term term;
  term.kind = TermKind::Computed;
  term.syntax = &syntax;
  value.offset = syntax.first;
  const bool is_constant = value.kind != Expression::Kind::Column &&
                           std::all_of(value.parts.begin(), value.parts.end(),
                                       [](const Expression& part) { return part.is_constant(); });
  if (is_constant && !value.is_constant()) {
    if (auto constant = constant_of(value, source_)) value = *std::move(constant);
  }
  if (value.is_constant() && !value.is_null()) {
    if (value.type.has_bytes()) term.kind = TermKind::Text;
    if (is_number_type(value.type) && !value.type.is(Type::Decimal)) term.kind = TermKind::Number;
    if (value.type.is(Type::Bool)) {
      term.kind = TermKind::Truth;
      term.is_true = std::get<Int128>(value.constant) != 0;
    }
  }
  term.value = std::move(value);
  return term;
}

bool Terms::takes(const Function& function, size_t i, const Term& term) const {
  if (term.kind == TermKind::Null)
    return parameter(function, i) != Parameter::Unit && parameter(function, i) != Parameter::List;
  const bool has_type = term.kind == TermKind::Column || term.kind == TermKind::Computed;
  switch (parameter(function, i)) {
    case Parameter::Number:
    case Parameter::Float: return is_number(term);
    case Parameter::Integer:
      return is_number(term) && term.value.value != ValueKind::Float &&
             !term.type().is(Type::Decimal);
    case Parameter::Text:
      return (has_type || term.kind == TermKind::Text) && term.type().is_text();
    case Parameter::Bytes:
      return (has_type || term.kind == TermKind::Text) && term.type().has_bytes();
    case Parameter::Bool:
      return term.kind == TermKind::Truth || term.kind == TermKind::Predicate ||
             (has_type && term.type().is(Type::Bool));
    case Parameter::Instant: return has_type && is_instant(term.type());
    case Parameter::Clock:
      return has_type && (is_instant(term.type()) || term.type().is(Type::Time));
    case Parameter::Unit: return term.kind == TermKind::Text && find_unit(term.text()).has_value();
    case Parameter::List: return term.kind == TermKind::Column && term.type().is_nested();
    case Parameter::Any: break;
  }
  return !has_type || !term.type().is_nested();
}

void Terms::fail_no_function(const Syntax& syntax, std::span<const Term> parts) const {
  const std::string& name = syntax.text;
  Nearest nearest(name);
  std::string forms;
  const Function* only = nullptr;
  for (const Function* function : functions()) {
    nearest.consider(function->name);
    if (function->name != name) continue;
    only = forms.empty() ? function : nullptr;
    forms += concat(forms.empty() ? "" : " or ", name, '(', function->arguments, ')');
  }
  if (forms.empty()) {
    source_.fail_at(ErrorKind::Argument, syntax.first, "no function \"", name, '"',
                    nearest.question());
  }
  static constexpr std::array<std::string_view, 11> kExpected{"a number",
                                                             "an integer",
                                                             "a number",
                                                             "a text",
                                                             "a text or binary",
                                                             "true or false",
                                                             "a date or time",
                                                             "a date or time",
                                                             "a unit such as 'month'",
                                                             "a value",
                                                             "a column of lists"};
  const bool fits =
      only != nullptr && parts.size() >= only->min_arguments && parts.size() <= only->max_arguments;
  for (size_t i = 0; fits && i < parts.size(); ++i) {
    if (takes(*only, i, parts[i])) continue;
    fail_expected(concat(kExpected[static_cast<size_t>(parameter(*only, i))], " for ", name),
                  parts[i]);
  }
  source_.fail_at(ErrorKind::Argument, syntax.first, "expected ", forms, ", got ", parts.size(),
                  parts.size() == 1 ? " argument" : " arguments",
                  fits || only != nullptr ? "" : " of other types");
}

const Function& Terms::function_for(const Syntax& syntax, std::span<const Term> parts) const {
  for (const Function* function : functions()) {
    if (function->name != syntax.text || parts.size() < function->min_arguments ||
        parts.size() > function->max_arguments) {
      continue;
    }
    bool fits = true;
    for (size_t i = 0; fits && i < parts.size(); ++i) fits = takes(*function, i, parts[i]);
    if (fits) return *function;
  }
  fail_no_function(syntax, parts);
}

Expression Terms::argument(const Function& function, size_t i, const Term& term) const {
  const Parameter expected = parameter(function, i);
  if (term.kind == TermKind::Null) {
    switch (expected) {
      case Parameter::Text:
      case Parameter::Bytes: return null_of(Type::Text);
      case Parameter::Bool: return null_of(Type::Bool);
      case Parameter::Float:
      case Parameter::Number: return null_of(Type::Float64);
      case Parameter::Instant:
      case Parameter::Clock: return null_of(Type::Timestamp);
      case Parameter::Any: return null_of(Type::Null);
      default: return null_of(Type::Int64);
    }
  }
  if (expected == Parameter::List) return term.value;
  Expression value = typed(term);
  if (expected == Parameter::Float ||
      (expected == Parameter::Number && value.type.is(Type::Decimal))) {
    return converted(std::move(value), ValueKind::Float);
  }
  if (expected == Parameter::Integer && value.value == ValueKind::Wide) {
    return narrowed(std::move(value), Type::Int64);
  }
  return value;
}

Term Terms::call(const Syntax& syntax) const {
  std::vector<Term> terms;
  for (const Syntax& part : syntax.parts) terms.push_back(term(part));
  const Function& function = function_for(syntax, terms);
  if (function.name == "nullif") return nullif(syntax, terms);
  Expression call;
  call.kind = function.kernel == nullptr ? Expression::Kind::Coalesce : Expression::Kind::Call;
  call.function = function.kernel == nullptr ? nullptr : &function;
  for (size_t i = 0; i < terms.size(); ++i) {
    call.parts.push_back(argument(function, i, terms[i]));
    if (parameter(function, i) == Parameter::Unit) call.option = *find_unit(terms[i].text());
  }
  switch (function.result) {
    case Result::Bool: call.type = Type::Bool; break;
    case Result::Int64:
      call.type = Type::Int64;
      call.range = kSmall;
      break;
    case Result::UInt64:
      call.type = Type::UInt64;
      call.range = integer_range(Type::UInt64);
      break;
    case Result::Float64: call.type = Type::Float64; break;
    case Result::Text: call.type = Type::Text; break;
    case Result::Shaped:
      call.offset = syntax.first;
      function.shape(call, source_);
      return computed(syntax, std::move(call));
    case Result::Same: {
      call.type = unify(terms, call.parts);
      if (call.type.is(Type::Null)) {
        Term null;
        null.syntax = &syntax;
        return null;
      }
      call.range = call.parts[0].range;
      for (const Expression& part : call.parts) {
        call.range = {std::min(call.range.low, part.range.low),
                      std::max(call.range.high, part.range.high)};
      }
      call.value = call.parts[0].value;
      return computed(syntax, std::move(call));
    }
  }
  call.value = kind_of(call.type);
  if (function.shape != nullptr) function.shape(call, source_);
  return computed(syntax, std::move(call));
}

Type Terms::named_type(const Syntax& syntax) const {
  try {
    if (const auto decimal = named_decimal(syntax.text)) return *decimal;
  } catch (const Error& error) {
    source_.fail_at(ErrorKind::Argument, syntax.first, error.message());
  }
  const auto* known = std::find_if(std::begin(kTypes), std::end(kTypes),
                                   [&](const NamedType& one) { return one.name == syntax.text; });
  if (known == std::end(kTypes)) {
    Nearest nearest(syntax.text);
    for (const NamedType& one : kTypes) nearest.consider(one.name);
    source_.fail_at(ErrorKind::Argument, syntax.first, "no type \"", syntax.text, '"',
                    nearest.question());
  }
  return type_of(*known);
}

Term Terms::cast_of(const Syntax& syntax) const {
  const Type type = named_type(syntax);
  const Term from = term(syntax.parts[0]);
  Expression value = typed(from);
  if (value.type.is(Type::Null)) return computed(syntax, null_of(type));
  if (!can_cast(value.type, type)) {
    source_.fail_at(ErrorKind::Argument, syntax.first, described(from), " cannot be cast to ",
                    type.name());
  }
  return computed(syntax, cast(std::move(value), type, syntax.flag));
}

}  // namespace heron::inline v0

#include "expression/evaluator.h"

#include <algorithm>
#include <type_traits>

#include "expression/functions/cell_kernels.h"
#include "expression/column_vector.h"

namespace heron::inline v0 {
namespace {

using PartKind = Expression::Kind;

// Calls work(T()) for the C++ type of a kind other than bools.
template <class Work>
void with_kind(ValueKind kind, Work&& work) {
  switch (kind) {
    case ValueKind::Bool:
    case ValueKind::List: return;
    case ValueKind::Integer: return work(int64_t());
    case ValueKind::Wide: return work(Int128());
    case ValueKind::Float: return work(double());
    case ValueKind::Text: return work(std::string_view());
    case ValueKind::RowId: return work(UInt128());
  }
}

// Returns whether values of the kind have eight bytes each.
bool has_words(ValueKind kind) noexcept {
  return kind == ValueKind::Integer || kind == ValueKind::Float;
}

bool any_bit(const uint64_t* bits, uint64_t words) noexcept {
  return std::any_of(bits, bits + words, [](uint64_t word) { return word != 0; });
}

}  // namespace

Evaluator::Evaluator(const Program& program, ColumnReader& columns, Arena& arena,
                     const Context& context)
    : program_(program),
      columns_(columns),
      arena_(arena),
      texts_(context.memory),
      states_(program.nodes().size()),
      columns_read_(program.nodes().size()) {}

Vector Evaluator::evaluate(uint64_t first, uint64_t count, const uint64_t* needed,
                           std::byte* room) {
  first_ = first;
  count_ = count;
  ++step_;
  texts_.reset();
  const PartKind kind = program_.root().expression.kind;
  if (room != nullptr && kind != PartKind::Column && kind != PartKind::Constant) {
    states_.back().out = room;
    states_.back().result.values = room;
  }
  const auto root = static_cast<uint32_t>(states_.size() - 1);
  trusts_nans_ = program_.shows_nans() && exact_left_ == 0;
  exact_left_ -= exact_left_ != 0;
  const Vector& result = value(root, needed);
  if (!trusts_nans_ || result.has_no_nan || !dispatch<AnyNaN>(result.as<double>(), count)) {
    return result;
  }
  trusts_nans_ = false;
  exact_left_ = kExactAfterNaN;
  ++step_;
  return value(root, needed);
}

// Computes a node for the needed rows. A part that is used twice is computed again for more rows
// together with the rows of before, whose values others may still hold.
const Vector& Evaluator::value(uint32_t node, const uint64_t* needed) {
  State& state = states_[node];
  const Expression& expression = program_.nodes()[node].expression;
  if (state.valid == nullptr) {
    if (state.out == nullptr) state.out = arena_.allocate(kVectorRows * sizeof(Int128));
    state.valid = arena_.allocate_array<uint64_t>(kVectorWords);
    state.result = {expression.value, state.out, state.valid};
    if (expression.is_constant()) fill(expression, state);
  }
  if (expression.is_constant()) return state.result;
  uint64_t* const computed = state.computed.data();
  if (state.step != step_) {
    state.step = step_;
    std::copy_n(needed, words(), computed);
  } else {
    uint64_t missing = 0;
    for (uint64_t i = 0; i < words(); ++i) {
      missing |= needed[i] & ~computed[i];
      computed[i] |= needed[i];
    }
    if (missing == 0) return state.result;
  }
  compute(node, computed);
  return state.result;
}

void Evaluator::compute(uint32_t at, const uint64_t* needed) {
  const Program::Node& node = program_.nodes()[at];
  State& state = states_[at];
  switch (node.expression.kind) {
    case PartKind::Constant: return;
    case PartKind::Call: return call(node, needed, state);
    case PartKind::And:
    case PartKind::Or: return combine(node, needed, state);
    case PartKind::Case: return choose(node, needed, state);
    case PartKind::Coalesce: return coalesce(node, needed, state);
    case PartKind::Column: break;
  }
  const ColumnChunk*& input = columns_read_[at];
  if (input == nullptr) input = &columns_.read(node.expression.column, rows_);
  state.result =
      column_vector(*input, first_, count_, node.expression.value, state.out, state.valid,
                    trusts_nans_ && node.shows_nans);
}

void Evaluator::fill(const Expression& constant, State& state) {
  const bool is_null = constant.is_null();
  std::fill_n(state.valid, kVectorWords, is_null ? 0 : UINT64_MAX);
  if (is_null) return void(std::fill_n(state.out, kVectorRows * sizeof(Int128), std::byte{}));
  const auto* whole = std::get_if<Int128>(&constant.constant);
  if (constant.value == ValueKind::Bool) {
    return void(std::fill_n(reinterpret_cast<uint64_t*>(state.out), kVectorWords,
                            *whole != 0 ? UINT64_MAX : 0));
  }
  with_kind(constant.value, [&]<class T>(T) {
    T* to = reinterpret_cast<T*>(state.out);
    if constexpr (std::is_same_v<T, std::string_view>)
      std::fill_n(to, kVectorRows, T(std::get<std::string>(constant.constant)));
    else if constexpr (std::is_same_v<T, double>)
      std::fill_n(
          to, kVectorRows,
          whole != nullptr ? static_cast<double>(*whole) : std::get<double>(constant.constant));
    else
      std::fill_n(to, kVectorRows, static_cast<T>(*whole));
  });
}

void Evaluator::call(const Program::Node& node, const uint64_t* needed, State& state) {
  std::array<Vector, 8> few;
  std::vector<Vector> many(node.parts.size() > few.size() ? node.parts.size() : 0);
  const std::span arguments(many.empty() ? few.data() : many.data(), node.parts.size());
  const Function& function = *node.expression.function;
  for (size_t i = 0; i < node.parts.size(); ++i) arguments[i] = value(node.parts[i], needed);
  set_first_bits(state.valid, count_);
  if (!function.sees_nulls) {
    for (const Vector& one : arguments) {
      for (uint64_t i = 0; i < words(); ++i) state.valid[i] &= one.valid[i];
    }
  }
  Bits active;
  for (uint64_t i = 0; i < words(); ++i) active[i] = needed[i] & state.valid[i];
  state.result = {node.expression.value, state.out, state.valid};
  function.kernel({node.expression, arguments, count_, active.data(), state.out, state.valid,
                   texts_, program_.source(), state.result});
}

// "and": false if one part is, else null if one is, else true; "or" is the same with "true" and
// "false" exchanged. A row needs no part after the one that decides it.
void Evaluator::combine(const Program::Node& node, const uint64_t* needed, State& state) {
  const uint64_t turned = node.expression.kind == PartKind::And ? UINT64_MAX : 0;
  auto* out = reinterpret_cast<uint64_t*>(state.out);
  Bits rest, decided{}, null{};
  std::copy_n(needed, words(), rest.data());
  for (const uint32_t part : node.parts) {
    if (!any_bit(rest.data(), words())) break;
    const Vector& one = value(part, rest.data());
    const auto* bits = one.as<uint64_t>();
    for (uint64_t i = 0; i < words(); ++i) {
      decided[i] |= (bits[i] ^ turned) & one.valid[i] & rest[i];
      null[i] |= ~one.valid[i] & rest[i];
      rest[i] &= ~decided[i];
    }
  }
  for (uint64_t i = 0; i < words(); ++i) {
    out[i] = decided[i] ^ turned;
    state.valid[i] = decided[i] | ~null[i];
  }
}

void Evaluator::choose(const Program::Node& node, const uint64_t* needed, State& state) {
  state.result = {node.expression.value, state.out, state.valid};
  Bits rest;
  std::copy_n(needed, words(), rest.data());
  if (node.parts.size() == 3 && choose_or_null(node, rest.data(), state)) return;
  if (node.parts.size() == 3 && has_words(node.expression.value)) {
    const Vector& test = value(node.parts[0], rest.data());
    Bits chosen;
    for (uint64_t w = 0; w < words(); ++w) {
      chosen[w] = needed[w] & test.valid[w] & test.as<uint64_t>()[w];
      rest[w] &= ~chosen[w];
    }
    if (any_bit(chosen.data(), words()) && any_bit(rest.data(), words())) {
      const Vector& left = value(node.parts[1], chosen.data());
      return choose_between(left, value(node.parts[2], rest.data()), chosen.data(), needed, state);
    }
    std::copy_n(needed, words(), rest.data());  // all rows have one of the values
  }
  for (size_t i = 0; i + 1 < node.parts.size() && any_bit(rest.data(), words()); i += 2) {
    const Vector& test = value(node.parts[i], rest.data());
    Bits chosen;
    for (uint64_t w = 0; w < words(); ++w) {
      chosen[w] = rest[w] & test.valid[w] & test.as<uint64_t>()[w];
      rest[w] &= ~chosen[w];
    }
    if (any_bit(chosen.data(), words()))
      copy_rows(value(node.parts[i + 1], chosen.data()), chosen.data(), state);
  }
  if (any_bit(rest.data(), words()))
    copy_rows(value(node.parts.back(), rest.data()), rest.data(), state);
}

// Computes "case when a then b end", which sums with a filter are, and "case when a then null else
// b end": values of b in place, null in other rows. Returns false for other choices.
bool Evaluator::choose_or_null(const Program::Node& node, const uint64_t* needed, State& state) {
  const auto is_null = [&](uint32_t part) {
    return program_.nodes()[part].expression.is_null();
  };
  const bool when_true = is_null(node.parts[2]);
  if (!when_true && !is_null(node.parts[1])) return false;
  const Vector& test = value(node.parts[0], needed);
  Bits rows;
  for (uint64_t i = 0; i < words(); ++i) {
    const uint64_t holds = test.valid[i] & test.as<uint64_t>()[i];
    rows[i] = needed[i] & (when_true ? holds : ~holds);
  }
  const Vector& chosen = value(node.parts[when_true ? 1 : 2], rows.data());
  for (uint64_t i = 0; i < words(); ++i) state.valid[i] = chosen.valid[i] & rows[i];
  state.result.values = chosen.values;
  state.result.texts_end = chosen.texts_end;
  state.result.are_consecutive = chosen.are_consecutive;
  return true;
}

void Evaluator::coalesce(const Program::Node& node, const uint64_t* needed, State& state) {
  state.result = {node.expression.value, state.out, state.valid};
  Bits rest;
  std::copy_n(needed, words(), rest.data());
  for (const uint32_t part : node.parts) {
    const Vector& one = value(part, rest.data());
    uint64_t nulls = 0;
    for (uint64_t i = 0; i < words(); ++i) nulls |= rest[i] & ~one.valid[i];
    if (nulls == 0 && part == node.parts.front()) {  // its values are the result
      std::copy_n(one.valid, words(), state.valid);
      state.result.values = one.values;
      state.result.texts_end = one.texts_end;
      state.result.are_consecutive = one.are_consecutive;
      return;
    }
    if (part == node.parts.front() && node.parts.size() == 2 && has_words(one.kind)) {
      Bits left;
      for (uint64_t i = 0; i < words(); ++i) {
        left[i] = one.valid[i];
        rest[i] &= ~left[i];
      }
      return choose_between(one, value(node.parts[1], rest.data()), left.data(), needed, state);
    }
    copy_rows(one, rest.data(), state);
    if (nulls == 0) return;
    for (uint64_t i = 0; i < words(); ++i) rest[i] &= ~one.valid[i];
  }
}

// Chooses values of `left` where `rows` has a bit, else those of `right`.
void Evaluator::choose_between(const Vector& left, const Vector& right, const uint64_t* rows,
                               const uint64_t* needed, State& state) {
  for (uint64_t i = 0; i < words(); ++i) {
    state.valid[i] =
        ((left.valid[i] & rows[i]) | (right.valid[i] & ~rows[i])) & needed[i];
  }
  heron::choose_between(left.as<uint64_t>(), right.as<uint64_t>(), rows, count_,
                        reinterpret_cast<uint64_t*>(state.out));
}

void Evaluator::copy_rows(const Vector& from, const uint64_t* rows, State& state) {
  for (uint64_t i = 0; i < words(); ++i) {
    state.valid[i] = (state.valid[i] & ~rows[i]) | (from.valid[i] & rows[i]);
  }
  if (from.kind == ValueKind::Bool) {
    auto* to = reinterpret_cast<uint64_t*>(state.out);
    for (uint64_t i = 0; i < words(); ++i)
      to[i] = (to[i] & ~rows[i]) | (from.as<uint64_t>()[i] & rows[i]);
    return;
  }
  if (has_words(from.kind)) {
    return copy_chosen(from.as<uint64_t>(), rows, count_, reinterpret_cast<uint64_t*>(state.out));
  }
  with_kind(from.kind, [&]<class T>(T) {
    const T* values = from.as<T>();
    T* to = reinterpret_cast<T*>(state.out);
    for (uint64_t i = 0; i < words(); ++i) {
      for (uint64_t left = rows[i]; left != 0; left &= left - 1) {
        const uint64_t row = 64 * i + static_cast<uint64_t>(std::countr_zero(left));
        to[row] = values[row];
      }
    }
  });
}

}  // namespace heron::inline v0

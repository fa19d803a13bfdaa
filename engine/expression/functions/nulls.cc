// Functions of several values of one type: coalesce, nullif, least, greatest; and of any value.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "expression/functions/function.h"

namespace heron::inline v0 {
namespace {

bool is_valid(const Vector& vector, uint64_t row) noexcept {
  return (vector.valid[row / 64] >> row % 64 & 1) != 0;
}

// Orders NaN behind all other numbers.
template <class T>
bool is_before(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, double>) return a < b || (std::isnan(b) && !std::isnan(a));
  return a < b;
}

template <class T>
void pick(const KernelCall& call, bool greatest) {
  T* to = call.result<T>();
  call.each([&](uint64_t i) {
    const T* best = nullptr;
    for (const Vector& one : call.arguments) {
      if (!is_valid(one, i)) continue;
      const T& value = one.as<T>()[i];
      if (best == nullptr || (greatest ? is_before(*best, value) : is_before(value, *best)))
        best = &value;
    }
    if (best == nullptr) return call.set_null(i);
    to[i] = *best;
  });
}

// Chooses among bools: `greatest` is true if one of them is true, `least` if none is false.
void pick_bits(const KernelCall& call, bool greatest) {
  auto* to = call.result<uint64_t>();
  for (uint64_t w = 0; w < bit_words(call.rows); ++w) {
    uint64_t any_true = 0, any_false = 0;
    for (const Vector& one : call.arguments) {
      any_true |= one.as<uint64_t>()[w] & one.valid[w];
      any_false |= ~one.as<uint64_t>()[w] & one.valid[w];
    }
    to[w] = greatest ? any_true : ~any_false;
    call.valid[w] &= any_true | any_false;
  }
}

template <bool kGreatest>
void pick_kernel(const KernelCall& call) {
  switch (call.expression.value) {
    case ValueKind::Bool: return pick_bits(call, kGreatest);
    case ValueKind::Integer: return pick<int64_t>(call, kGreatest);
    case ValueKind::Wide: return pick<Int128>(call, kGreatest);
    case ValueKind::Float: return pick<double>(call, kGreatest);
    case ValueKind::Text: return pick<std::string_view>(call, kGreatest);
    case ValueKind::RowId: return pick<UInt128>(call, kGreatest);
    case ValueKind::List: return;
  }
}

using P = Parameter;
constexpr Function kNullFunctions[] = {
    {"coalesce",
     "value, ...",
     {P::Any, P::Any, P::Any, P::Any},
     1,
     Function::kAnyNumber,
     Result::Same,
     nullptr,
     "the first value that is not null; later ones are not computed"},
    {"nullif",
     "value, other",
     {P::Any, P::Any},
     2,
     2,
     Result::Same,
     nullptr,
     "null where both are equal, else the first"},
    {"least",
     "value, ...",
     {P::Any, P::Any, P::Any, P::Any},
     1,
     Function::kAnyNumber,
     Result::Same,
     pick_kernel<false>,
     "the least value; nulls are left out, NaN is the greatest number",
     true},
    {"greatest",
     "value, ...",
     {P::Any, P::Any, P::Any, P::Any},
     1,
     Function::kAnyNumber,
     Result::Same,
     pick_kernel<true>,
     "the greatest value; nulls are left out, NaN is the greatest number",
     true},
};

}  // namespace

std::span<const Function> null_functions() {
  return kNullFunctions;
}

}  // namespace heron::inline v0

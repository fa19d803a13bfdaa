// Functions of lists and vectors, which are read in place, in the column's values.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "expression/column_vector.h"
#include "expression/functions/function.h"
#include "values/slots.h"

namespace heron::inline v0 {
namespace {

void list_length_kernel(const KernelCall& call) {
  const auto* rows = call.argument<ListRows>(0);
  auto* to = call.result<int64_t>();
  call.each([&](uint64_t i) {
    const Values& lists = *rows->values;
    const uint64_t row = rows->first + i;
    to[i] = lists.type.is(Type::Vector)
                ? lists.get<int32_t>(row)
                : static_cast<int64_t>(lists.extent(row + 1) - lists.extent(row));
  });
}

// Returns the index among `length` of element number `at`, from 1, or below 0 from the end; nullopt
// if there is none.
std::optional<uint64_t> index_of(int64_t at, uint64_t length) {
  const auto count = static_cast<int64_t>(length);
  if (at == 0 || at > count || at < -count) return std::nullopt;
  return static_cast<uint64_t>(at > 0 ? at - 1 : count + at);
}

void set_zero(const KernelCall& call, uint64_t row) {
  switch (call.expression.value) {
    case ValueKind::Bool: call.result<uint64_t>()[row / 64] &= ~(uint64_t{1} << row % 64); return;
    case ValueKind::Integer: call.result<int64_t>()[row] = 0; return;
    case ValueKind::Wide: call.result<Int128>()[row] = 0; return;
    case ValueKind::Float: call.result<double>()[row] = 0; return;
    case ValueKind::Text: call.result<std::string_view>()[row] = ""; return;
    case ValueKind::RowId: call.result<UInt128>()[row] = 0; return;
    case ValueKind::List: return;
  }
}

void list_element_kernel(const KernelCall& call) {
  const auto* rows = call.argument<ListRows>(0);
  const auto* positions = call.argument<int64_t>(1);
  uint64_t at[kVectorRows] = {};  // indices in the items of all lists
  uint64_t missing[kVectorWords] = {};
  const Values* items = nullptr;
  call.each([&](uint64_t i) {
    const Values& lists = *rows->values;
    const uint64_t row = rows->first + i;
    if (!lists.type.is(Type::Vector)) {
      items = &lists.children[0];
      const uint64_t first = lists.extent(row);
      const auto index = index_of(positions[i], lists.extent(row + 1) - first);
      if (!index) return call.set_null(i);
      at[i] = first + *index;
      return;
    }
    const Slots slots(lists, row);
    items = &slots.items;
    const auto index = index_of(positions[i], slots.length);
    if (!index) return call.set_null(i);
    at[i] = slots.first + *index;
    if (slots.is_dense()) return;
    const int32_t* end = slots.indices + slots.stored;
    const int32_t* found = std::lower_bound(slots.indices, end, static_cast<int32_t>(*index));
    const bool is_stored = found != end && static_cast<uint64_t>(*found) == *index;
    at[i] = is_stored ? slots.first + static_cast<uint64_t>(found - slots.indices) : 0;
    missing[i / 64] |= uint64_t{!is_stored} << i % 64;
  });
  if (items == nullptr) return;
  // A slot that is not stored is 0 whatever item 0 is; in lists of keys it is null.
  const bool is_key = items->type.is(Type::Key);
  uint64_t found[kVectorWords];
  for (uint64_t w = 0; w < bit_words(call.rows); ++w) found[w] = call.valid[w] & call.active[w];
  std::copy_n(found, bit_words(call.rows), call.valid);
  gather_values(*items, at, call.rows, call.expression.value, static_cast<std::byte*>(call.out),
                call.valid);
  for (uint64_t i = 0; i < call.rows; ++i) {
    if ((missing[i / 64] >> i % 64 & 1) == 0) continue;
    set_zero(call, i);
    if (is_key)
      call.set_null(i);
    else
      call.valid[i / 64] |= uint64_t{1} << i % 64;
  }
}

void shape_list_element(Expression& call, const SourceText& source) {
  Type item = call.parts[0].type.item();
  if (item.is_nested()) {
    source.fail_at(ErrorKind::Argument, call.parts[0].offset, "elements of ",
                   call.parts[0].type.name(), " are no values of an expression");
  }
  if (item.is(Type::Key)) item = Type(item.item());
  if (item.is_text()) item = Type::Text;
  if (item.is_binary()) item = Type::Binary;
  if (item.is(Type::Null)) item = Type::Int64;
  call.type = item;
  call.value = kind_of(item);
  if (call.value == ValueKind::Integer || call.value == ValueKind::Wide)
    call.range = integer_range(item);
}

using P = Parameter;
constexpr Function kListFunctions[] = {
    {"list_length",
     "list",
     {P::List},
     1,
     1,
     Result::Int64,
     list_length_kernel,
     "how many elements a list or vector has"},
    {"len", "list", {P::List}, 1, 1, Result::Int64, list_length_kernel, "the same as list_length"},
    {"list_element",
     "list, number",
     {P::List, P::Integer},
     2,
     2,
     Result::Shaped,
     list_element_kernel,
     "the element of that number, from 1; below 0: from the end; null if there is none",
     false,
     shape_list_element},
    {"list_extract",
     "list, number",
     {P::List, P::Integer},
     2,
     2,
     Result::Shaped,
     list_element_kernel,
     "the same as list_element",
     false,
     shape_list_element},
};

}  // namespace

std::span<const Function> list_functions() {
  return kListFunctions;
}

}  // namespace heron::inline v0

// Casts all items at once, even those that belong to no row: if one of these does not fit, the used
// ones are gathered and cast without them.
#include "convert/cast_nested.h"

#include <algorithm>

#include "base/fail.h"
#include "convert/cast_times.h"
#include "convert/number_types.h"
#include "values/assemble.h"
#include "values/value_words.h"

namespace heron::inline v0 {
namespace {

// Limits the slots of vectors made dense per batch: as floats, a quarter of what a process may
// take.
constexpr uint64_t kMaxSlots = uint64_t{1} << 24;

using Fault = std::optional<CastFault>;

Fault earlier(Fault a, Fault b) {
  if (!a || (b && b->row < a->row)) return b;
  return a;
}

template <class Offset>
Buffer moved_offsets(const Values& values, uint64_t base, Arena& arena) {
  auto* offsets = arena.allocate_array<Offset>(values.rows + 1);
  for (uint64_t row = 0; row <= values.rows; ++row) {
    offsets[row] = static_cast<Offset>(values.extent(row) - base);
  }
  return {reinterpret_cast<const std::byte*>(offsets), (values.rows + 1) * sizeof(Offset)};
}

// Returns the row that has the item; nullopt if only null rows, or no rows, have it.
std::optional<uint64_t> row_of_item(const Values& lists, uint64_t item) {
  uint64_t first = 0, last = lists.rows;  // the first row that ends behind the item
  while (first < last) {
    const uint64_t middle = first + (last - first) / 2;
    if (lists.extent(middle + 1) > item) {
      last = middle;
    } else {
      first = middle + 1;
    }
  }
  if (first == lists.rows || lists.extent(first) > item || lists.is_null(first)) return {};
  return first;
}

// Returns these lists with only the items of rows that are not null.
Values without_unused(const Values& lists, Arena& arena) {
  Values used(Type::list(lists.type.item(), true), lists.rows);
  used.validity = lists.validity;
  used.null_count = lists.null_count;
  if (lists.children[0].rows > UINT32_MAX) {
    fail(ErrorKind::Limit, {}, "lists of more than ", UINT32_MAX,
         " items together; read fewer rows at once");
  }
  std::vector<uint32_t> items;
  auto* offsets = arena.allocate_array<int64_t>(lists.rows + 1);
  for (uint64_t row = 0; row < lists.rows; ++row) {
    offsets[row] = static_cast<int64_t>(items.size());
    if (lists.is_null(row)) continue;
    for (uint64_t item = lists.extent(row); item < lists.extent(row + 1); ++item) {
      items.push_back(static_cast<uint32_t>(item));
    }
  }
  offsets[lists.rows] = static_cast<int64_t>(items.size());
  used.offsets = {reinterpret_cast<const std::byte*>(offsets), (lists.rows + 1) * sizeof *offsets};
  used.children.push_back(pick(lists.children[0], items, arena));
  return used;
}

// Sets `items` to the cast items of `lists`, which it may replace.
Fault cast_items(Values& lists, const Type& to, NullFloat nulls, Arena& arena, Values& items) {
  Fault fault = cast(lists.children[0], to, nulls, arena, items);
  if (!fault) return fault;
  auto row = row_of_item(lists, fault->row);
  if (!row) {
    lists = without_unused(lists, arena);
    fault = cast(lists.children[0], to, nulls, arena, items);
    if (!fault) return fault;
    row = row_of_item(lists, fault->row);
  }
  return CastFault{*row, fault->value};
}

Fault cast_list(Values lists, const Type& to, NullFloat nulls, Arena& arena, Values& into) {
  Values items;
  if (Fault fault = cast_items(lists, to.item(), nulls, arena, items)) return fault;
  into = Values(to, lists.rows);
  into.validity = lists.validity;
  into.null_count = lists.null_count;
  into.offsets = cast_offsets(lists, to.has_large_offsets(), 0, arena);
  into.children.push_back(std::move(items));
  return std::nullopt;
}

// Finds the first list or vector that is null or has another length than the target vectors.
template <class LengthOf>
Fault first_of_other_length(const Values& values, const Type& to, LengthOf length_of) {
  for (uint64_t row = 0; row < values.rows; ++row) {
    const uint64_t length = length_of(row);
    const bool fits = to.size() == 0 ? length <= INT32_MAX : length == to.size();
    if (!fits || values.is_null(row)) return CastFault{row, value_words(values, row)};
  }
  return std::nullopt;
}

// Returns empty positions, for rows that are dense.
Values no_positions(uint64_t rows, Arena& arena) {
  Values positions(Type::list(Type::Int32, true), rows);
  auto* offsets = arena.allocate_array<int64_t>(rows + 1);
  std::fill_n(offsets, rows + 1, 0);
  positions.offsets = {reinterpret_cast<const std::byte*>(offsets), (rows + 1) * sizeof *offsets};
  positions.children.emplace_back(Type::Int32, 0);
  return positions;
}

Fault cast_to_vector(const Values& lists, const Type& to, NullFloat nulls, Arena& arena,
                     Values& into) {
  const auto length_of = [&](uint64_t row) { return lists.extent(row + 1) - lists.extent(row); };
  Values stored;
  Fault fault = cast_list(lists, Type::list(to.item(), true), nulls, arena, stored);
  fault = earlier(first_of_other_length(lists, to, length_of), fault);
  if (fault) return fault;
  into = Values(to, lists.rows);
  auto* lengths = arena.allocate_array<int32_t>(lists.rows);
  for (uint64_t row = 0; row < lists.rows; ++row)
    lengths[row] = static_cast<int32_t>(length_of(row));
  into.data = {reinterpret_cast<const std::byte*>(lengths), lists.rows * sizeof *lengths};
  into.children = {std::move(stored), no_positions(lists.rows, arena)};
  return std::nullopt;
}

// Returns whether slots that are not stored have equal values in both types.
bool keeps_zero(const Type& from, const Type& to) {
  const auto counts_from_1970 = [](const Type& type) {
    return type.is(Type::Date32) || type.is(Type::Timestamp);
  };
  return from == to || (is_number(from) && is_number(to)) || (from.has_bytes() && to.has_bytes()) ||
         (counts_from_1970(from) && counts_from_1970(to));
}

// Casts vectors; sparse rows stay sparse.
Fault cast_vector(const Values& vectors, const Type& to, NullFloat nulls, Arena& arena,
                  Values& into) {
  const auto length_of = [&](uint64_t row) {
    return static_cast<uint64_t>(vectors.get<int32_t>(row));
  };
  Values stored;
  Fault fault = cast_list(vectors.children[0], Type::list(to.item(), true), nulls, arena, stored);
  if (vectors.type.size() != to.size()) {
    fault = earlier(first_of_other_length(vectors, to, length_of), fault);
  }
  if (fault) return fault;
  into = Values(to, vectors.rows);
  into.data = vectors.data;
  into.children = {std::move(stored), vectors.children[1]};
  return std::nullopt;
}

}  // namespace

Buffer cast_offsets(const Values& values, bool large, uint64_t base, Arena& arena) {
  if (large == values.type.has_large_offsets() && base == 0) return values.offsets;
  if (large) return moved_offsets<int64_t>(values, base, arena);
  if (values.extent(values.rows) - base > INT32_MAX) {
    fail(ErrorKind::Limit, {}, "these rows together have more than ", INT32_MAX,
         values.type.has_bytes() ? " bytes" : " items", "; read fewer rows at once");
  }
  return moved_offsets<int32_t>(values, base, arena);
}

std::optional<CastFault> cast_nested(const Values& values, const Type& to, NullFloat nulls,
                                     Arena& arena, Values& into) {
  if (values.type.is_list()) {
    return to.is_list() ? cast_list(values, to, nulls, arena, into)
                        : cast_to_vector(values, to, nulls, arena, into);
  }
  if (to.is(Type::Vector) && keeps_zero(values.type.item(), to.item())) {
    return cast_vector(values, to, nulls, arena, into);
  }
  return cast_nested(dense(values, arena, kMaxSlots), to, nulls, arena, into);
}

}  // namespace heron::inline v0

// Assembles values from lists of ranges, each of consecutive rows of one piece. The rows of a list
// are ranges of items, so the same few functions assemble nested types.
#include "values/assemble.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include "base/fail.h"
#include "values/bitmap.h"
#include "values/copy_short.h"
#include "values/gather.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

struct Slice {
  const Values* piece;
  uint64_t first;
  uint64_t rows;
};
using Slices = std::span<const Slice>;

// Allocates `count` ranges in the arena; range i is make(i).
template <class Make>
Slices make_slices(uint64_t count, Arena& arena, Make make) {
  Slice* slices = arena.allocate_array<Slice>(count);
  for (uint64_t i = 0; i < count; ++i) new (slices + i) Slice(make(i));
  return {slices, count};
}

// Sets values.validity and values.null_count from those of the pieces.
void join_validity(Values& values, Slices slices, Arena& arena) {
  bool has_nulls = false;
  for (const Slice& slice : slices) has_nulls |= slice.piece->null_count != 0;
  if (!has_nulls) return;
  auto* valid = reinterpret_cast<uint8_t*>(arena.allocate(values.rows));
  uint8_t* next = valid;
  for (const Slice& slice : slices) {
    for (uint64_t i = 0; i < slice.rows; ++i) {
      *next++ = !slice.piece->is_null(slice.first + i);
    }
  }
  set_validity_from_flags(values, valid, arena);
}

Buffer join_bits(Slices slices, uint64_t rows, Arena& arena) {
  std::byte* flags = arena.allocate(rows);
  std::byte* next = flags;
  for (const Slice& slice : slices) {
    for (uint64_t i = 0; i < slice.rows; ++i) {
      *next++ = std::byte{slice.piece->get_bool(slice.first + i)};
    }
  }
  return {pack_bools(flags, rows, arena), bitmap_bytes(rows)};
}

Buffer join_cells(Slices slices, uint64_t rows, uint32_t width, Arena& arena) {
  std::byte* cells = arena.allocate(rows * width);
  std::byte* next = cells;
  for (const Slice& slice : slices) {
    const Buffer& from = slice.piece->data;
    const uint64_t start = slice.first * width;
    copy_short(from.data + start, from.bytes - start, slice.rows * width, next);
    next += slice.rows * width;
  }
  return {cells, rows * width};
}

// Sets values.offsets, of type Offset, counted from 0; returns the number of characters or items.
template <class Offset>
uint64_t join_offsets(Values& values, Slices slices, Arena& arena) {
  // The bytes of the items must be countable too.
  constexpr uint64_t kMaximum = std::numeric_limits<Offset>::max() / (sizeof(Offset) == 4 ? 1 : 32);
  auto* offsets = arena.allocate_array<Offset>(values.rows + 1);
  uint64_t total = 0;
  uint64_t row = 0;
  for (const Slice& slice : slices) {
    const auto* from = slice.piece->offsets.as<Offset>() + slice.first;
    const auto length = static_cast<uint64_t>(from[slice.rows] - from[0]);
    if (length > kMaximum - total) {
      fail(ErrorKind::Limit, {}, "these rows together have more than ", kMaximum,
           values.type.has_bytes() ? " bytes" : " items", "; read fewer rows at once");
    }
    const auto moved = static_cast<Offset>(total);
    for (uint64_t i = 0; i < slice.rows; ++i) offsets[row++] = moved + (from[i] - from[0]);
    total += length;
  }
  offsets[row] = static_cast<Offset>(total);
  values.offsets = {reinterpret_cast<const std::byte*>(offsets), (row + 1) * sizeof(Offset)};
  return total;
}

Buffer join_characters(Slices slices, uint64_t characters, Arena& arena) {
  std::byte* data = arena.allocate(characters);
  std::byte* next = data;
  for (const Slice& slice : slices) {
    const Values& piece = *slice.piece;
    const uint64_t start = piece.extent(slice.first);
    const uint64_t bytes = piece.extent(slice.first + slice.rows) - start;
    copy_short(piece.data.data + start, piece.data.bytes - start, bytes, next);
    next += bytes;
  }
  return {data, characters};
}

Values join(const Values& model, Slices slices, Arena& arena);

// Joins one child: within(slice) are the rows of the child that belong to the range.
template <class Within>
Values join_child(const Values& model, uint64_t child, Slices slices, Arena& arena, Within within) {
  const auto inside = [&](uint64_t i) {
    const RowRange rows = within(slices[i]);
    return Slice{&slices[i].piece->children[child], rows.first, rows.rows()};
  };
  return join(model.children[child], make_slices(slices.size(), arena, inside), arena);
}

Values join_items(const Values& model, Slices slices, Arena& arena) {
  return join_child(model, 0, slices, arena, [](const Slice& slice) {
    return RowRange{slice.piece->extent(slice.first),
                    slice.piece->extent(slice.first + slice.rows)};
  });
}

void join_vectors(Values& values, const Values& model, Slices slices, Arena& arena) {
  values.data = join_cells(slices, values.rows, sizeof(int32_t), arena);
  for (uint64_t child = 0; child < model.children.size(); ++child) {
    values.children.push_back(join_child(model, child, slices, arena, [](const Slice& slice) {
      return RowRange{slice.first, slice.first + slice.rows};
    }));
  }
}

// Concatenates all ranges, with the model's type and the values of its keys. The model may have no
// rows, but must have its children.
Values join(const Values& model, Slices slices, Arena& arena) {
  uint64_t rows = 0;
  for (const Slice& slice : slices) rows += slice.rows;
  Values values(model.type, rows);
  if (model.type.is(Type::Null)) {
    values.null_count = rows;
    return values;
  }
  join_validity(values, slices, arena);
  switch (model.type.id()) {
    case Type::Bool: values.data = join_bits(slices, rows, arena); break;
    case Type::Text:
    case Type::Binary:
      values.data = join_characters(slices, join_offsets<int32_t>(values, slices, arena), arena);
      break;
    case Type::LargeText:
    case Type::LargeBinary:
      values.data = join_characters(slices, join_offsets<int64_t>(values, slices, arena), arena);
      break;
    case Type::List:
      join_offsets<int32_t>(values, slices, arena);
      values.children.push_back(join_items(model, slices, arena));
      break;
    case Type::LargeList:
      join_offsets<int64_t>(values, slices, arena);
      values.children.push_back(join_items(model, slices, arena));
      break;
    case Type::Vector: join_vectors(values, model, slices, arena); break;
    default:
      values.data = join_cells(slices, rows, model.type.width(), arena);
      if (model.type.is(Type::Key)) values.children = model.children;
  }
  return values;
}

// Values without rows.
Values none_of(const Type& type) {
  static constexpr int64_t kOffset = 0;
  Values values(type, 0);
  if (type.has_offsets()) {
    values.offsets = {reinterpret_cast<const std::byte*>(&kOffset), sizeof kOffset};
  }
  if (type.is_list()) values.children = {none_of(type.item())};
  if (type.is(Type::Vector)) {
    values.children = {none_of(Type::list(type.item(), true)),
                       none_of(Type::list(Type::Int32, true))};
  }
  return values;
}

// Copies the cells of these rows, without a list of ranges.
void pick_cells(const std::byte* cells, uint32_t width, std::span<const uint32_t> rows,
                std::byte* to) {
  switch (width) {
    case 1: return gather_mapped<1>(cells, 1, rows, to);
    case 2: return gather_mapped<2>(cells, 2, rows, to);
    case 4: return gather_mapped<4>(cells, 4, rows, to);
    case 8: return gather_mapped<8>(cells, 8, rows, to);
    default: return gather_mapped<16>(cells, 16, rows, to);
  }
}

Values pick_fixed(const Values& values, std::span<const uint32_t> rows, Arena& arena) {
  Values picked(values.type, rows.size());
  const uint32_t width = values.type.width();
  std::byte* cells = arena.allocate(rows.size() * width);
  pick_cells(values.data.data, width, rows, cells);
  picked.data = {cells, rows.size() * width};
  picked.children = values.children;
  if (values.null_count != 0) {
    auto* valid = reinterpret_cast<uint8_t*>(arena.allocate(rows.size()));
    for (uint64_t i = 0; i < rows.size(); ++i) valid[i] = values.validity.bit(rows[i]);
    set_validity_from_flags(picked, valid, arena);
  }
  return picked;
}

}  // namespace

Values concatenate(const Type& type, std::span<const Values> pieces, Arena& arena) {
  if (pieces.empty()) return none_of(type);
  if (pieces.size() == 1) return pieces[0];
  const auto whole = [&](uint64_t i) { return Slice{&pieces[i], 0, pieces[i].rows}; };
  return join(pieces[0], make_slices(pieces.size(), arena, whole), arena);
}

Values copy(const Values& values, Arena& arena) {
  const Slice all{&values, 0, values.rows};
  return join(values, {&all, 1}, arena);
}

Values pick(const Values& values, std::span<const uint32_t> rows, Arena& arena) {
  if (values.type.width() != 0) return pick_fixed(values, rows, arena);
  return join(values,
              make_slices(rows.size(), arena,
                          [&](uint64_t i) {
                            return Slice{&values, rows[i], 1};
                          }),
              arena);
}

Values all_null(const Type& type, uint64_t rows, Arena& arena) {
  if (rows == 0) return concatenate(type, {}, arena);
  Values values(type, rows);
  values.null_count = rows;
  if (type.is(Type::Null)) return values;
  const uint64_t bytes = (rows + 1) * std::max<uint64_t>(type.width(), sizeof(int64_t));
  std::byte* zeros = arena.allocate(bytes);
  std::memset(zeros, 0, bytes);
  values.validity = values.data = values.offsets = {zeros, bytes};
  if (type.is_list()) values.children.push_back(concatenate(type.item(), {}, arena));
  return values;
}

Buffer even_offsets(uint64_t rows, uint64_t width, Arena& arena) {
  auto* offsets = arena.allocate_array<int64_t>(rows + 1);
  for (uint64_t row = 0; row <= rows; ++row) offsets[row] = static_cast<int64_t>(row * width);
  return {reinterpret_cast<const std::byte*>(offsets), (rows + 1) * sizeof(int64_t)};
}

}  // namespace heron::inline v0

#include "columns/dictionary_column.h"

#include <algorithm>

#include "columns/packed_cells.h"
#include "values/bitmap.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// Up to this many rows decode their values one by one; more decode the whole dictionary.
constexpr uint64_t kFewRows = 16;

// Bits as codes 0 and 1.
struct BitCodes {
  const std::byte* bits;
  uint32_t operator[](uint64_t i) const noexcept { return get_bit(bits, i); }
};

// Calls visit(codes, largest), where codes[i] is the code of the i-th row.
template <class Visit>
void visit_codes(const Values& codes, Visit&& visit) {
  const auto visit_array = [&]<class Code>() {
    const Code* array = codes.data.as<Code>();
    visit(array, uint32_t{dispatch<LargestCell<Code>>(array, codes.rows)});
  };
  switch (codes.type.id()) {
    case Type::Bool: return visit(BitCodes{codes.data.data}, uint32_t{1});
    case Type::UInt8: return visit_array.template operator()<uint8_t>();
    case Type::UInt16: return visit_array.template operator()<uint16_t>();
    default: return visit_array.template operator()<uint32_t>();
  }
}

template <class Cell, class Codes>
void look_up(const std::byte* values, Codes codes, uint64_t rows, std::byte* cells) {
  for (uint64_t i = 0; i < rows; ++i) {
    std::memcpy(cells + i * sizeof(Cell), values + codes[i] * sizeof(Cell), sizeof(Cell));
  }
}

}  // namespace

Values DictionaryColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  const auto row_number = [first = rows.first](uint64_t i) { return first + i; };
  return decoded(read_codes(rows, arena, context), row_number, arena, context);
}

// Every code of a byte can be looked up, so such codes may stay in place.
Values DictionaryColumn::read_codes(RowRange rows, Arena& arena, const Context& context) const {
  const std::optional<FlatCells> flat = codes_->flat();
  if (flat->kind != FlatCells::Kind::Fixed || flat->cell_bytes == 1) {
    return codes_->read(rows, arena, context);
  }
  Values codes(codes_->type(), rows.rows());
  codes.data = {packed_cells(*flat, rows, arena, context, CellUse::AsPlaces),
                rows.rows() * flat->cell_bytes};
  return codes;
}

Values DictionaryColumn::take(std::span<const uint64_t> rows, Arena& arena,
                              const Context& context) const {
  const auto row_number = [rows](uint64_t i) { return rows[i]; };
  return decoded(codes_->take(rows, arena, context), row_number, arena, context);
}

template <class RowNumber>
Values DictionaryColumn::decoded(const Values& codes, RowNumber row_number, Arena& arena,
                                 const Context& context) const {
  const uint32_t width = type().width();
  std::byte* cells = arena.allocate(codes.rows * width);
  Values values(type(), codes.rows);
  values.data = {cells, codes.rows * width};
  visit_codes(codes, [&](auto code, uint32_t largest) {
    if (codes.rows <= kFewRows || largest >= dictionary_->size()) {
      for (uint64_t i = 0; i < codes.rows; ++i) {
        decode_one(code[i], row_number(i), cells + i * width, context);
      }
    } else if (width == 4) {
      look_up<uint32_t>(dictionary_->cells(context), code, codes.rows, cells);
    } else {
      look_up<uint64_t>(dictionary_->cells(context), code, codes.rows, cells);
    }
  });
  return values;
}

void DictionaryColumn::decode_one(uint32_t code, uint64_t row, std::byte* cell,
                                  const Context& context) const {
  if (code < dictionary_->size()) {
    dictionary_->decode(code, 1, cell, context);
  } else if (past_end_ == CodePastEnd::Zero) {
    std::memset(cell, 0, type().width());
  } else {
    fail(ErrorKind::Corrupt, codes_->flat()->cells.source->name(), "column \"", name(), "\" row ",
         row, ": expected a code below ", dictionary_->size(), ", got ", code);
  }
}

std::optional<FlatCells> DictionaryColumn::flat() const {
  std::optional<FlatCells> flat = codes_->flat();
  flat->dictionary = dictionary_.get();
  return flat;
}

}  // namespace heron::inline v0

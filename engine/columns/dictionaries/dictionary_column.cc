#include "columns/dictionaries/dictionary_column.h"

#include <algorithm>

#include "base/fail.h"
#include "columns/packed_cells.h"
#include "values/bitmap.h"
#include "values/byte_order.h"
#include "values/cells.h"
#include "values/gather.h"

namespace heron::inline v0 {
namespace {

// Up to this many rows decode their values one by one; more decode the whole dictionary.
constexpr uint64_t kMaxLazyRows = 16;
// Codes of this many bytes are soon in the caches: prefetching them costs more than it gains.
constexpr uint64_t kNearBytes = uint64_t{256} << 10;
constexpr uint64_t kRowsAtOnce = 8192;  // a multiple of 8, for codes of a bit

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

// Gathers codes and looks them up in one pass.
struct RowsOfCodes {
  const std::byte* codes;
  std::span<const uint64_t> rows;
  bool is_far;  // codes are likely to be outside of the caches
  const std::byte* values;
  uint64_t size;  // number of values in the dictionary
  std::byte* cells;

  // code_of(row) is a row's code, cell_at(row) the address of the code. Returns whether all codes
  // are below `size`; rows with other codes get any value.
  template <class Cell, class CodeOf, class CellAt>
  bool look_up(CodeOf code_of, CellAt cell_at) const {
    // Local copies stay in registers: the compiler must assume that writing a cell changes members.
    const auto last = static_cast<uint32_t>(size - 1);
    const uint64_t* const row = rows.data();
    const uint64_t count = rows.size();
    const std::byte* const from = values;
    std::byte* const to = cells;
    uint32_t beyond = 0;
    const auto look_up_one = [=](uint64_t i) {
      const uint32_t code = code_of(row[i]);
      const uint32_t safe = std::min(code, last);
      std::memcpy(to + i * sizeof(Cell), from + safe * sizeof(Cell), sizeof(Cell));
      return safe ^ code;
    };
    uint64_t i = 0;
    if (is_far && !are_dense(rows)) {
      for (; i + kPrefetchAhead < count; ++i) {
        __builtin_prefetch(cell_at(row[i + kPrefetchAhead]));
        beyond |= look_up_one(i);
      }
    }
    for (; i < count; ++i) beyond |= look_up_one(i);
    return beyond == 0;
  }

  template <class Cell>
  bool look_up_bits() const {
    return look_up<Cell>([bits = codes](uint64_t row) { return uint32_t{get_bit(bits, row)}; },
                         [bits = codes](uint64_t row) { return bits + row / 8; });
  }

  template <class Cell, class Code, bool kSwapped>
  bool look_up_cells() const {
    const auto cell_at = [first = codes](uint64_t row) { return first + row * sizeof(Code); };
    const auto code_of = [cell_at](uint64_t row) {
      Code code;
      std::memcpy(&code, cell_at(row), sizeof code);
      return uint32_t{kSwapped ? byte_reversed(code) : code};
    };
    return look_up<Cell>(code_of, cell_at);
  }

  template <class Cell>
  bool look_up_as(const FlatCells& flat) const {
    if (flat.kind == FlatCells::Kind::Bits) return look_up_bits<Cell>();
    if (flat.cell_bytes == 1) return look_up_cells<Cell, uint8_t, false>();
    if (flat.cell_bytes == 2) {
      return flat.in_order() ? look_up_cells<Cell, uint16_t, false>()
                             : look_up_cells<Cell, uint16_t, true>();
    }
    return flat.in_order() ? look_up_cells<Cell, uint32_t, false>()
                           : look_up_cells<Cell, uint32_t, true>();
  }
};

}  // namespace

Values DictionaryColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  const auto codes_of = [&](uint64_t first, uint64_t count, Arena& some) {
    return read_codes({rows.first + first, rows.first + first + count}, some, context);
  };
  const auto row_number = [first = rows.first](uint64_t i) { return first + i; };
  return decoded(rows.rows(), codes_of, row_number, arena, context);
}

// Every code of a byte can be looked up, so such codes may stay in place.
Values DictionaryColumn::read_codes(RowRange rows, Arena& arena, const Context& context) const {
  const std::optional<FlatCells> flat = codes_->flat();
  if (flat->kind != FlatCells::Kind::Fixed || flat->cell_bytes == 1) {
    return codes_->read(rows, arena, context);
  }
  Values codes(codes_->type(), rows.rows());
  codes.data = {packed_cells(*flat, rows, arena, context, CellUse::AsIndices),
                rows.rows() * flat->cell_bytes};
  return codes;
}

Values DictionaryColumn::take(std::span<const uint64_t> rows, Arena& arena,
                              const Context& context) const {
  if (rows.size() > kMaxLazyRows) {
    Values values(type(), rows.size());
    if (take_mapped(rows, values, arena, context)) return values;
  }
  const auto codes_of = [&](uint64_t first, uint64_t count, Arena& some) {
    return codes_->take(rows.subspan(first, count), some, context);
  };
  const auto row_number = [rows](uint64_t i) { return rows[i]; };
  return decoded(rows.size(), codes_of, row_number, arena, context);
}

std::optional<ColumnCodes> DictionaryColumn::codes(RowRange rows, Arena& arena,
                                                   const Context& context) const {
  std::optional<ColumnCodes> all = {{read_codes(rows, arena, context), dictionary_.get()}};
  visit_codes(all->codes, [&](auto, uint32_t largest) {
    if (largest >= dictionary_->size()) all.reset();
  });
  return all;
}

// Returns false unless the codes are cells in memory, and all are below the dictionary's size.
bool DictionaryColumn::take_mapped(std::span<const uint64_t> rows, Values& values, Arena& arena,
                                   const Context& context) const {
  const std::optional<FlatCells> flat = codes_->flat();
  const bool is_packed = flat->kind == FlatCells::Kind::Bits || flat->stride == flat->cell_bytes;
  if (!is_packed || flat->cells.data() == nullptr || dictionary_->size() == 0) {
    return false;
  }
  const uint32_t width = type().width();
  std::byte* cells = arena.allocate(rows.size() * width);
  values.data = {cells, rows.size() * width};
  const RowsOfCodes codes = {
      flat->cells.data(),  rows, flat->cells.bytes > kNearBytes, dictionary_->cells(context),
      dictionary_->size(), cells};
  return width == 4 ? codes.look_up_as<uint32_t>(*flat) : codes.look_up_as<uint64_t>(*flat);
}

// Decodes some thousand codes at a time: they stay in the fastest cache until they are looked up.
template <class CodesOf, class RowNumber>
Values DictionaryColumn::decoded(uint64_t rows, CodesOf codes_of, RowNumber row_number,
                                 Arena& arena, const Context& context) const {
  const uint32_t width = type().width();
  std::byte* cells = arena.allocate(rows * width);
  Values values(type(), rows);
  values.data = {cells, rows * width};
  if (rows <= kRowsAtOnce) {
    decode(codes_of(0, rows, arena), row_number, cells, context);
    return values;
  }
  Arena codes;
  for (uint64_t first = 0; first < rows; first += kRowsAtOnce) {
    const uint64_t count = std::min(kRowsAtOnce, rows - first);
    codes.reset();
    decode(
        codes_of(first, count, codes), [&](uint64_t i) { return row_number(first + i); },
        cells + first * width, context);
  }
  return values;
}

template <class RowNumber>
void DictionaryColumn::decode(const Values& codes, RowNumber row_number, std::byte* cells,
                              const Context& context) const {
  const uint32_t width = type().width();
  visit_codes(codes, [&](auto code, uint32_t largest) {
    if (codes.rows <= kMaxLazyRows || largest >= dictionary_->size()) {
      for (uint64_t i = 0; i < codes.rows; ++i) {
        decode_one(code[i], row_number(i), cells + i * width, context);
      }
    } else if (width == 4) {
      look_up<uint32_t>(dictionary_->cells(context), code, codes.rows, cells);
    } else {
      look_up<uint64_t>(dictionary_->cells(context), code, codes.rows, cells);
    }
  });
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

void DictionaryColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                              const Context& context) const {
  codes_->locate(rows, round, bytes, context);
}

std::optional<FlatCells> DictionaryColumn::flat() const {
  std::optional<FlatCells> flat = codes_->flat();
  flat->dictionary = dictionary_.get();
  return flat;
}

}  // namespace heron::inline v0

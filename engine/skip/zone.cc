// Computes zones in one pass over cells in place, some thousand at a time, so that code that reads
// them twice finds them in the first cache. Cells that are null by their own value are excluded by
// wrapping: sentinels and 0 are the minimum of their type, so after subtracting 1 they are above
// all others. A cell that is null by a bitmap is replaced with one that is not null.
#include "skip/zone.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>
#include <type_traits>

#include "columns/dictionaries/dictionary.h"
#include "columns/extremes.h"
#include "values/bitmap.h"
#include "values/cells.h"
#include "values/text_cells.h"
#include "values/times.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kRowsAtOnce = 4096;

template <class T>
void add_bounds(Zone& zone, T low, T high) {
  if (!(low <= high)) return;
  if constexpr (std::is_floating_point_v<T>) {
    zone.add(in_order(double{low}));
    zone.add(in_order(double{high}));
  } else {
    using Widest = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    zone.add(in_order(Widest{low}));
    zone.add(in_order(Widest{high}));
  }
}

// Returns the bits from `first` up to `first` + 64, padded with zeros.
uint64_t word_at(const std::byte* bits, uint64_t first, uint64_t count) {
  uint64_t word = 0;
  const uint64_t here = std::min<uint64_t>(64, count - first);
  std::memcpy(&word, bits + first / 8, bitmap_bytes(here));
  return here < 64 ? word & ((uint64_t{1} << here) - 1) : word;
}

// Copies cells, replaced with `instead` where a bit is clear.
template <class T>
struct FillIn {
  HERON_INLINE static void run(const T* cells, const std::byte* bits, uint64_t count, T instead,
                               T* filled) {
    uint64_t i = 0;
    for (; i + 8 <= count; i += 8) {
      const auto eight = std::to_integer<uint64_t>(bits[i / 8]);
      if (eight == 0xFF) {
        std::memcpy(filled + i, cells + i, 8 * sizeof(T));
        continue;
      }
      for (uint64_t j = 0; j < 8; ++j) {
        const T cell = cells[i + j];
        filled[i + j] = (eight >> j & 1) != 0 ? cell : instead;
      }
    }
    for (; i < count; ++i) filled[i] = get_bit(bits, i) ? cells[i] : instead;
  }
};

// Computes the zone of numbers of one type, with any null encoding.
template <class T>
class Numbers {
 public:
  Numbers(NullEncoding rule, const std::byte* validity) : rule_(rule), validity_(validity) {}

  void add(const std::byte* cells, uint64_t rows) {
    for (uint64_t first = 0; first < rows; first += kRowsAtOnce) {
      const uint64_t count = std::min(kRowsAtOnce, rows - first);
      const std::byte* from = cells + first * sizeof(T);
      if (validity_ == nullptr)
        add_span(from, count);
      else
        add_with_bits(from, validity_ + first / 8, count);
    }
  }
  const Zone& zone() const { return zone_; }

 private:
  void add_span(const std::byte* cells, uint64_t count) {
    const CellExtremes<T> seen = see(cells, count);
    add_bounds(zone_, seen.low, seen.high);
    add_out(seen.out);
  }

  CellExtremes<T> see(const std::byte* cells, uint64_t count) const {
    return extremes_of<T>(cells, count,
                          rule_ == NullEncoding::Sentinel || rule_ == NullEncoding::Zero);
  }

  void add_out(uint64_t out) {
    const bool is_value = std::is_floating_point_v<T> && rule_ != NullEncoding::NaN &&
                          rule_ != NullEncoding::BitmapOrNaN;
    (is_value ? zone_.nans : zone_.null_count) += static_cast<uint32_t>(out);
  }

  void add_with_bits(const std::byte* cells, const std::byte* bits, uint64_t count) {
    const uint64_t cleared = count_clear(bits, count);
    zone_.null_count += static_cast<uint32_t>(cleared);
    if (cleared == 0) return add_span(cells, count);
    if (cleared == count) return;
    uint64_t one = 0;
    while (!get_bit(bits, one)) ++one;
    const T instead = load_cell<T>(cells, one);
    T filled[kRowsAtOnce];
    dispatch<FillIn<T>>(reinterpret_cast<const T*>(cells), bits, count, instead, filled);
    CellExtremes<T> seen = see(reinterpret_cast<const std::byte*>(filled), count);
    add_bounds(zone_, seen.low, seen.high);
    add_out(seen.out - (instead != instead ? cleared : 0));
  }

  NullEncoding rule_;
  const std::byte* validity_;
  Zone zone_;
};

// Computes the zone of bits: bools, or codes 0 and 1.
Zone zone_of_bits(const std::byte* bits, const std::byte* validity, uint64_t rows) {
  uint64_t non_null = 0, ones = 0;
  for (uint64_t first = 0; first < rows; first += 64) {
    const uint64_t here = std::min<uint64_t>(64, rows - first);
    const uint64_t all = here < 64 ? (uint64_t{1} << here) - 1 : UINT64_MAX;
    const uint64_t valid = validity == nullptr ? all : word_at(validity, first, rows);
    non_null += static_cast<uint64_t>(std::popcount(valid));
    ones += static_cast<uint64_t>(std::popcount(word_at(bits, first, rows) & valid));
  }
  Zone zone;
  zone.null_count = static_cast<uint32_t>(rows - non_null);
  if (ones != 0) zone.add(1);
  if (ones != non_null) zone.add(0);
  return zone;
}

// Computes the zone of cells that are structs: number(cell) is a cell's number in order, or nullopt
// if it is null.
template <class Cell, class Number>
Zone zone_of_structs(const std::byte* cells, const std::byte* validity, uint64_t rows,
                     Number&& number) {
  Zone zone;
  for (uint64_t i = 0; i < rows; ++i) {
    const bool non_null = validity == nullptr || get_bit(validity, i);
    const std::optional<uint64_t> value =
        non_null ? number(load_cell<Cell>(cells, i)) : std::nullopt;
    if (value)
      zone.add(*value);
    else
      ++zone.null_count;
  }
  return zone;
}

// Computes the zone of decimals; one whose bit is clear is null. Null bits count as all set.
struct ZoneOfDecimals {
  HERON_INLINE static Zone run(const std::byte* cells, const std::byte* validity, uint64_t rows) {
    Zone zone;
    for (uint64_t first = 0; first < rows; first += kRowsAtOnce) {
      const uint64_t count = std::min(kRowsAtOnce, rows - first);
      const std::byte* from = cells + first * sizeof(Int128);
      const std::byte* bits = validity == nullptr ? nullptr : validity + first / 8;
      const bool all_valid = bits == nullptr || count_clear(bits, count) == 0;
      if (!all_valid || !add_narrow(zone, from, count)) add(zone, from, bits, count);
    }
    return zone;
  }

 private:
  // Adds decimals, none of them null. Returns false, and adds nothing, if one exceeds 64 bits.
  HERON_INLINE static bool add_narrow(Zone& zone, const std::byte* cells, uint64_t count) {
    int64_t low = INT64_MAX, high = INT64_MIN, beyond = 0;
    for (uint64_t i = 0; i < count; ++i) {
      const auto cell = load_cell<int64_t>(cells, 2 * i);
      beyond |= load_cell<int64_t>(cells, 2 * i + 1) ^ cell >> 63;
      low = cell < low ? cell : low;
      high = cell > high ? cell : high;
    }
    if (beyond != 0) return false;
    zone.add(in_order(low));
    zone.add(in_order(high));
    return true;
  }
  HERON_INLINE static void add(Zone& zone, const std::byte* cells, const std::byte* bits,
                               uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) {
      if (bits != nullptr && !get_bit(bits, i))
        ++zone.null_count;
      else
        zone.add(in_order(load_cell<Int128>(cells, i)));
    }
  }
};

// Computes the zone of cells of any type with a width, or of bits.
Zone zone_of_cells(const Type& type, const std::byte* cells, NullEncoding rule,
                   const std::byte* validity, uint64_t rows) {
  if (type.is(Type::Bool)) return zone_of_bits(cells, validity, rows);
  if (type.is(Type::DateTimeOffset)) {
    return zone_of_structs<DateTimeOffset>(
        cells, validity, rows, [rule](const DateTimeOffset& time) -> std::optional<uint64_t> {
          if (rule == NullEncoding::Sentinel && time.ticks == INT64_MIN) return std::nullopt;
          return in_order(instant_of(time));
        });
  }
  if (type.is(Type::RowId)) {
    return zone_of_structs<RowId>(cells, validity, rows,
                                  [](const RowId& id) { return std::optional(id.high); });
  }
  if (type.is(Type::Decimal)) return dispatch<ZoneOfDecimals>(cells, validity, rows);
  return visit_cell_type(type, [&]<class T>() {
    Numbers<T> numbers(rule, validity);
    numbers.add(cells, rows);
    return numbers.zone();
  });
}

// Finds the least and the largest first eight bytes of texts without nulls. Eight bytes from the
// start of each text on belong to the same memory.
template <class Offset>
struct ExtremesOfTexts {
  HERON_INLINE static Zone run(TextCells<Offset> texts, uint64_t rows) {
    Zone ends;
    for (uint64_t row = 0; row < rows; ++row) {
      const std::string_view text = texts[row];
      const uint64_t first = in_order_of_texts(load_eight(text.data()) & low_bytes(text.size()));
      ends.add(first);
    }
    return ends;
  }
};

Zone zone_of_texts(const Values& values) {
  Zone zone;
  zone.null_count = static_cast<uint32_t>(values.null_count);
  with_texts(values, [&]<class Offset>(const TextCells<Offset>& texts) {
    uint64_t row = 0;
    if (values.null_count == 0) {
      row = texts.rows_before(kEight);
      zone.merge(dispatch<ExtremesOfTexts<Offset>>(texts, row));
    }
    for (; row < texts.rows; ++row) {
      if (values.null_count != 0 && values.is_null(row)) continue;
      const std::string_view text = texts[row];
      zone.add(in_order_of_texts(
          first_eight(text.data(), text.size(), texts.bytes - texts.start(row))));
    }
  });
  return zone;
}

// Computes the zone of the texts of codes of four bytes.
Zone zone_of_text_codes(const CellSpan& codes) {
  const Values& texts = *codes.dictionary->texts();
  Zone zone;
  for (uint64_t i = 0; i < codes.rows; ++i) {
    const auto code = load_cell<uint32_t>(codes.cells, i);
    if (code >= texts.rows || texts.is_null(code))
      ++zone.null_count;
    else
      zone.add(in_order(texts.text(code)));
  }
  return zone;
}

}  // namespace

uint64_t in_order(std::string_view text) noexcept {
  return in_order_of_texts(first_eight(text.data(), text.size(), text.size()));
}

ZoneOrder zone_order(const Column& column) {
  if (column.unreadable() != nullptr) return ZoneOrder::None;
  const Type& type = column.type();
  switch (type.id()) {
    case Type::Null:
    case Type::List:
    case Type::LargeList:
    case Type::Vector:
    case Type::Int128: return ZoneOrder::None;
    case Type::Decimal: return ZoneOrder::Decimal;
    case Type::Text:
    case Type::LargeText:
    case Type::Binary:
    case Type::LargeBinary: return ZoneOrder::Text;
    case Type::RowId: return ZoneOrder::RowId;
    default: break;
  }
  const std::optional<FlatCells> flat = column.flat();
  if (flat && flat->dictionary != nullptr) return ZoneOrder::Codes;
  if (type.is(Type::Bool) || type.is(Type::Key)) return ZoneOrder::Unsigned;
  if (type.is_float()) return ZoneOrder::Float;
  const bool is_unsigned = type.id() >= Type::UInt8 && type.id() <= Type::UInt64;
  return is_unsigned ? ZoneOrder::Unsigned : ZoneOrder::Signed;
}

Zone zone_of(const ColumnChunk& chunk) {
  if (chunk.cells) {
    const CellSpan& span = *chunk.cells;
    if (span.dictionary != nullptr && span.dictionary->texts() != nullptr) {
      return zone_of_text_codes(span);
    }
    Zone zone;
    for_native_cells(span, [&](const std::byte* cells, uint64_t, uint64_t rows) {
      zone.merge(zone_of_cells(span.type, cells, span.nulls, span.validity, rows));
    });
    return zone;
  }
  const Values& values = chunk.values;
  if (values.type.has_bytes()) return zone_of_texts(values);
  return zone_of_cells(values.type, values.data.data, NullEncoding::Never, values.validity.data,
                       values.rows);
}

}  // namespace heron::inline v0

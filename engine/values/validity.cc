#include "values/validity.h"

#include <algorithm>
#include <limits>

#include "bytes/view_reader.h"
#include "values/bitmap.h"
#include "values/cells.h"
#include "values/gather.h"

namespace heron::inline v0 {
namespace {

template <class T>
struct IsNull {
  HERON_INLINE static bool of(T value) {
    if constexpr (std::is_floating_point_v<T>)
      return value != value;
    else if constexpr (std::is_same_v<T, DateTimeOffset>)
      return IsNull<int64_t>::of(value.ticks);
    else
      return value == std::numeric_limits<T>::min();  // 0 if unsigned
  }
};

struct IsZero {
  HERON_INLINE static bool of(uint8_t value) { return value == 0; }
};

// Returns how many cells are null; usually none is, and no bitmap is made.
template <class T, class Out>
struct CountOut {
  HERON_INLINE static uint64_t run(const std::byte* cells, uint64_t count) {
    constexpr uint64_t kRowsAtOnce = 1 << 14;
    uint64_t out = 0;
    for (uint64_t i = 0; i < count;) {
      // A count of 32 bits lets a vector hold as many counts as cells of most types.
      const uint64_t end = std::min(count, i + kRowsAtOnce);
      uint32_t some = 0;
      for (; i < end; ++i) some += Out::of(load_cell<T>(cells, i));
      out += some;
    }
    return out;
  }
};

template <class T, class Out>
struct BitsOfTheRest {
  HERON_INLINE static void run(const std::byte* cells, uint64_t count, uint8_t* bits) {
    uint64_t i = 0;
    for (; i + 64 <= count; i += 64) {
      uint8_t flags[64];
      for (uint64_t j = 0; j < 64; ++j) flags[j] = !Out::of(load_cell<T>(cells, i + j));
      for (uint64_t j = 0; j < 8; ++j) *bits++ = pack_eight(flags + 8 * j);
    }
    for (; i < count; i += 8) {
      uint8_t flags[8] = {};
      for (uint64_t j = 0; j < 8 && i + j < count; ++j)
        flags[j] = !Out::of(load_cell<T>(cells, i + j));
      *bits++ = pack_eight(flags);
    }
  }
};

template <class T, class Out>
std::byte* bits_of_the_rest(const std::byte* cells, uint64_t count, Arena& arena) {
  std::byte* bits = arena.allocate(bitmap_bytes(count));
  dispatch<BitsOfTheRest<T, Out>>(cells, count, reinterpret_cast<uint8_t*>(bits));
  return bits;
}

template <class T>
void set_validity_of(Values& values, const std::byte* cells, Arena& arena) {
  values.null_count = dispatch<CountOut<T, IsNull<T>>>(cells, values.rows);
  if (values.null_count == 0) return;
  // set_validity() counts again, because the cells may have changed.
  set_validity(values, bits_of_the_rest<T, IsNull<T>>(cells, values.rows, arena));
}

}  // namespace

void set_validity(Values& values, const std::byte* bits) {
  values.null_count = count_clear(bits, values.rows);
  if (values.null_count != 0) values.validity = {bits, bitmap_bytes(values.rows)};
}

void set_validity_from_flags(Values& values, const uint8_t* valid, Arena& arena) {
  const auto* cells = reinterpret_cast<const std::byte*>(valid);
  values.null_count = dispatch<CountOut<uint8_t, IsZero>>(cells, values.rows);
  if (values.null_count == 0) return;
  const std::byte* bits = bits_of_the_rest<uint8_t, IsZero>(cells, values.rows, arena);
  values.validity = {bits, bitmap_bytes(values.rows)};
}

void set_validity_from_cells(Values& values, const Type& stored, NullEncoding rule,
                             const std::byte* cells, Arena& arena) {
  if (rule != NullEncoding::Sentinel && rule != NullEncoding::NaN && rule != NullEncoding::Zero) {
    return;
  }
  if (stored.is(Type::Bool)) return set_validity_of<int8_t>(values, cells, arena);
  if (stored.is(Type::DateTimeOffset)) return set_validity_of<DateTimeOffset>(values, cells, arena);
  visit_cell_type(stored, [&]<class T>() { set_validity_of<T>(values, cells, arena); });
}

void drop_nulls_of(const Values& other, Values& values, Arena& arena) {
  // Values of type null have no bitmap, and all are null already.
  if (other.null_count == 0 || values.type.is(Type::Null)) return;
  if (values.null_count == 0) {
    values.validity = other.validity;
    values.null_count = other.null_count;
    return;
  }
  std::byte* both = arena.allocate(bitmap_bytes(values.rows));
  for (uint64_t i = 0; i < bitmap_bytes(values.rows); ++i) {
    both[i] = values.validity.data[i] & other.validity.data[i];
  }
  set_validity(values, both);
}

void drop_nans(Values& values, const Type& stored, const std::byte* cells, Arena& arena) {
  Values nans;
  nans.rows = values.rows;
  set_validity_from_cells(nans, stored, NullEncoding::NaN, cells, arena);
  drop_nulls_of(nans, values, arena);
}

const std::byte* read_bits(const ByteView& bitmap, RowRange rows, Arena& arena,
                           const Context& context) {
  if (rows.rows() == 0) return arena.allocate(0);
  const uint64_t first_byte = rows.first / 8;
  const uint64_t bytes = (rows.last - 1) / 8 + 1 - first_byte;
  const std::byte* from = window(bitmap, first_byte, bytes, 1, arena, context);
  std::byte* bits = arena.allocate(bitmap_bytes(rows.rows()));
  copy_bits(from, rows.first % 8, rows.rows(), bits);
  return bits;
}

const std::byte* take_bits(const ByteView& bitmap, std::span<const uint64_t> rows, Arena& arena,
                           const Context& context) {
  auto* flags = reinterpret_cast<uint8_t*>(arena.allocate(rows.size()));
  if (const std::byte* bits = bitmap.data()) {
    for (uint64_t i = 0; i < rows.size(); ++i) {
      if (i + kPrefetchAhead < rows.size()) __builtin_prefetch(bits + rows[i + kPrefetchAhead] / 8);
      flags[i] = get_bit(bits, rows[i]);
    }
  } else {
    ViewReader reader(bitmap, context);
    for (uint64_t i = 0; i < rows.size(); ++i) {
      std::byte byte;
      reader.copy(rows[i] / 8, 1, &byte);
      flags[i] = get_bit(&byte, rows[i] % 8);
    }
  }
  return pack_bools(reinterpret_cast<const std::byte*>(flags), rows.size(), arena);
}

const std::byte* pack_bools(const std::byte* bytes, uint64_t rows, Arena& arena) {
  return bits_of_the_rest<uint8_t, IsZero>(bytes, rows, arena);
}

}  // namespace heron::inline v0

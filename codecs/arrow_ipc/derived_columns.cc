#include "arrow_ipc/derived_columns.h"

#include <algorithm>
#include <cstring>

#include "base/cpu.h"
#include "base/fail.h"
#include "base/int128.h"
#include "bytes/view_reader.h"
#include "columns/prefetch.h"
#include "values/assemble.h"
#include "values/bitmap.h"
#include "values/cells.h"
#include "values/codes.h"
#include "values/times.h"
#include "values/validity.h"
#include "values/value_words.h"

namespace heron::inline v0::arrow_ipc {
namespace {

// Items of type null take no bytes in the file, so that a few bytes can claim any number of them.
constexpr uint64_t kMaxNullItems = 1 << 20;

void set_validity_of(Values& values, const RowValidity& validity, RowRange rows, Arena& arena,
                     const Context& context) {
  if (validity.has_nulls) set_validity(values, read_bits(validity.bits, rows, arena, context));
}

void set_validity_of(Values& values, const RowValidity& validity, std::span<const uint64_t> rows,
                     Arena& arena, const Context& context) {
  if (validity.has_nulls) set_validity(values, take_bits(validity.bits, rows, arena, context));
}

// Instants are floored to ticks; every sum of theirs is in the range of int64.
Values local_times(const Values& instants, const Values& minutes, Arena& arena) {
  constexpr int64_t kNanosecondsATick = 100;
  Values times(Type::DateTimeOffset, instants.rows);
  auto* cells = arena.allocate_array<DateTimeOffset>(instants.rows);
  for (uint64_t row = 0; row < instants.rows; ++row) {
    const auto nanoseconds = cell_of<int64_t>(instants, row);
    const int64_t ticks = nanoseconds / kNanosecondsATick - (nanoseconds % kNanosecondsATick < 0);
    const auto ahead = cell_of<int16_t>(minutes, row);
    cells[row] = {ticks + kTicksBefore1970 + ahead * kTicksPerMinute, ahead};
  }
  times.data = {reinterpret_cast<const std::byte*>(cells), instants.rows * sizeof *cells};
  return times;
}

// Multiplies without a branch, so that the loop becomes vector instructions. Returns whether no
// product overflows.
struct MultiplyCells {
  HERON_INLINE static bool run(const int64_t* from, uint64_t count, int64_t factor, int64_t* to) {
    const int64_t low = INT64_MIN / factor, high = INT64_MAX / factor;
    uint64_t outside = 0;
    for (uint64_t i = 0; i < count; ++i) {
      const int64_t stored = from[i];
      outside |= static_cast<uint64_t>(stored < low) | static_cast<uint64_t>(stored > high);
      to[i] = static_cast<int64_t>(static_cast<uint64_t>(stored) * static_cast<uint64_t>(factor));
    }
    return outside == 0;
  }
};

// Returns int32 or int64 cells as int64.
const int64_t* wide_cells(const Values& numbers, Arena& arena) {
  if (numbers.type.is(Type::Int64)) return numbers.data.as<int64_t>();
  auto* wide = arena.allocate_array<int64_t>(numbers.rows);
  std::copy_n(numbers.data.as<int32_t>(), numbers.rows, wide);
  return wide;
}

}  // namespace

template <class RowNumber>
Values ScaledColumn::scaled(const Values& numbers, RowNumber row_number, Arena& arena) const {
  Values values(type(), numbers.rows);
  values.validity = numbers.validity;
  values.null_count = numbers.null_count;
  const int64_t* from = wide_cells(numbers, arena);
  if (divide_ == 1 && type().width() == sizeof(int64_t)) {
    auto* to = arena.allocate_array<int64_t>(numbers.rows);
    values.data = {reinterpret_cast<const std::byte*>(to), numbers.rows * sizeof(int64_t)};
    if (dispatch<MultiplyCells>(from, numbers.rows, multiply_, to)) return values;
  }
  // A null may be any number, and the first value that does not fit is named.
  const auto convert = [&]<class T>(T* to) {
    for (uint64_t i = 0; i < numbers.rows; ++i) {
      const int64_t stored = from[i];
      int64_t number = 0;
      const bool fits = !__builtin_mul_overflow(stored, multiply_, &number) &&
                        number % divide_ == 0 &&
                        number / divide_ == static_cast<T>(number / divide_);
      to[i] = fits ? static_cast<T>(number / divide_) : T{0};
      if (fits || numbers.is_null(i)) continue;
      fail(ErrorKind::Limit, file_.name(), "column \"", name(), "\" row ", row_number(i),
           ": expected ", encoding(), " that ", type().name(), " can hold, got ", stored);
    }
    values.data = {reinterpret_cast<const std::byte*>(to), numbers.rows * sizeof(T)};
  };
  if (type().width() == sizeof(int32_t)) {
    convert(arena.allocate_array<int32_t>(numbers.rows));
  } else {
    convert(arena.allocate_array<int64_t>(numbers.rows));
  }
  return values;
}

Values ScaledColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  return scaled(
      numbers_->read(rows, arena, context), [&](uint64_t i) { return rows.first + i; }, arena);
}

Values ScaledColumn::take(std::span<const uint64_t> rows, Arena& arena,
                          const Context& context) const {
  return scaled(
      numbers_->take(rows, arena, context), [&](uint64_t i) { return rows[i]; }, arena);
}

Values WidenedColumn::widened(const Values& units, Arena& arena) const {
  Values values(type(), units.rows);
  values.validity = units.validity;
  values.null_count = units.null_count;
  auto* to = arena.allocate_array<Int128>(units.rows);
  visit_cell_type(units.type, [&]<class T>() {
    for (uint64_t row = 0; row < units.rows; ++row) to[row] = Int128(cell_of<T>(units, row));
  });
  values.data = {reinterpret_cast<const std::byte*>(to), units.rows * sizeof *to};
  return values;
}

Values FixedBinaryColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  Values values(type(), rows.rows());
  values.offsets = even_offsets(rows.rows(), width_, arena);
  const uint64_t bytes = rows.rows() * width_;
  values.data = {window(bytes_, rows.first * width_, bytes, 1, arena, context), bytes};
  set_validity_of(values, validity_, rows, arena, context);
  return values;
}

Values FixedBinaryColumn::take(std::span<const uint64_t> rows, Arena& arena,
                               const Context& context) const {
  Values values(type(), rows.size());
  values.offsets = even_offsets(rows.size(), width_, arena);
  std::byte* to = arena.allocate(rows.size() * width_);
  values.data = {to, rows.size() * width_};
  ViewReader reader(bytes_, context);
  for (const uint64_t row : rows) {
    reader.copy(row * width_, width_, to);
    to += width_;
  }
  set_validity_of(values, validity_, rows, arena, context);
  return values;
}

void FixedBinaryColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                               const Context&) const {
  if (round != 0) return;
  if (width_ != 0) bytes.add_cells(bytes_, width_, width_, rows);
  if (validity_.has_nulls) bytes.add_bits(validity_.bits, rows);
}

Values LocalTimeColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  Values times = local_times(instants_->read(rows, arena, context),
                             minutes_->read(rows, arena, context), arena);
  set_validity_of(times, validity_, rows, arena, context);
  return times;
}

Values LocalTimeColumn::take(std::span<const uint64_t> rows, Arena& arena,
                             const Context& context) const {
  Values times = local_times(instants_->take(rows, arena, context),
                             minutes_->take(rows, arena, context), arena);
  set_validity_of(times, validity_, rows, arena, context);
  return times;
}

void LocalTimeColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                             const Context& context) const {
  if (round == 0 && validity_.has_nulls) bytes.add_bits(validity_.bits, rows);
  instants_->locate(rows, round, bytes, context);
  minutes_->locate(rows, round, bytes, context);
}

void FixedListColumn::check_count(uint64_t rows) const {
  const uint64_t most = items_->type().is(Type::Null) ? kMaxNullItems : uint64_t{INT64_MAX};
  if (length_ != 0 && rows > most / length_) {
    fail(ErrorKind::Limit, {}, "column \"", name(), "\": ", rows, " lists of ", length_,
         " items in one batch; the limit is ", most, " items");
  }
}

Values FixedListColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  check_count(rows.rows());
  Values values(type(), rows.rows());
  values.offsets = even_offsets(rows.rows(), length_, arena);
  values.children.push_back(
      items_->read({rows.first * length_, rows.last * length_}, arena, context));
  set_validity_of(values, validity_, rows, arena, context);
  return values;
}

Values FixedListColumn::take(std::span<const uint64_t> rows, Arena& arena,
                             const Context& context) const {
  check_count(rows.size());
  Values values(type(), rows.size());
  values.offsets = even_offsets(rows.size(), length_, arena);
  values.children.push_back(length_ == 0 ? items_->take({}, arena, context)
                                         : items_->take_vectors(rows, length_, arena, context));
  set_validity_of(values, validity_, rows, arena, context);
  return values;
}

void FixedListColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                             const Context& context) const {
  if (round == 0 && validity_.has_nulls) bytes.add_bits(validity_.bits, rows);
  const auto add = [&](RowRange some) {
    items_->locate({{}, {some.first * length_, some.last * length_}}, round, bytes, context);
  };
  if (rows.list.empty()) return add(rows.range);
  for (const uint64_t row : rows.list) add({row, row + 1});
}

template <class RowNumber>
Values CodesColumn::decoded(const Values& codes, RowNumber row_number, Arena& arena,
                            const Context& context) const {
  Values rows(type(), codes.rows);
  const std::optional<uint64_t> row = decode(codes, rows, arena, context);
  if (!row) return rows;
  fail(ErrorKind::Corrupt, file_.name(), "column \"", name(), "\" row ", row_number(*row),
       ": expected a code below ", dictionary_size(context), ", the size of the dictionary, got ",
       value_words(codes, *row));
}

Values CodesColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  return decoded(
      codes_->read(rows, arena, context), [&](uint64_t i) { return rows.first + i; }, arena,
      context);
}

Values CodesColumn::take(std::span<const uint64_t> rows, Arena& arena,
                         const Context& context) const {
  return decoded(
      codes_->take(rows, arena, context), [&](uint64_t i) { return rows[i]; }, arena, context);
}

uint64_t CodedColumn::dictionary_size(const Context& context) const {
  return std::min<uint64_t>(dictionary_->values(context).rows, UINT32_MAX);
}

std::optional<uint64_t> CodedColumn::decode(const Values& codes, Values& rows, Arena& arena,
                                            const Context& context) const {
  auto* indices = arena.allocate_array<uint32_t>(codes.rows);
  const auto outside = read_codes(codes, dictionary_size(context), 0, indices);
  if (outside) return outside;
  if (codes.null_count == codes.rows) {
    rows = all_null(type(), codes.rows, arena);
  } else {
    rows = pick(dictionary_->values(context), {indices, codes.rows}, arena);
    if (codes.null_count != 0) drop_nulls_of(codes, rows, arena);
  }
  return std::nullopt;
}

std::optional<ColumnCodes> CodedColumn::codes(RowRange rows, Arena& arena,
                                              const Context& context) const {
  if (!type().is_text()) return std::nullopt;
  const Dictionary& dictionary = dictionary_->texts(context);
  const uint64_t null = dictionary.size() - 1;
  if (null > UINT32_MAX) return std::nullopt;
  const Values stored = codes_column().read(rows, arena, context);
  auto* codes = arena.allocate_array<uint32_t>(stored.rows);
  if (read_codes(stored, null, static_cast<uint32_t>(null), codes)) return std::nullopt;
  ColumnCodes texts{Values(Type::UInt32, stored.rows), &dictionary};
  texts.codes.data = {reinterpret_cast<const std::byte*>(codes), stored.rows * sizeof *codes};
  return texts;
}

uint64_t KeyCodesColumn::dictionary_size(const Context& context) const {
  return values_->values(context).rows;
}

std::optional<uint64_t> KeyCodesColumn::decode(const Values& codes, Values& rows, Arena& arena,
                                               const Context& context) const {
  const auto outside = read_keys(codes, dictionary_size(context), arena, rows);
  rows.children.push_back(values_->values(context));
  arena.keep(values_);
  return outside;
}

}  // namespace heron::inline v0::arrow_ipc

#include "arrow_ipc/write/values.h"

#include <algorithm>
#include <numeric>

#include "arrow/utf8_text.h"
#include "base/utf8.h"
#include "values/cells.h"
#include "values/times.h"

namespace heron::inline v0::arrow_ipc {
namespace {

bool is_changed(std::string_view text) {
  return valid_utf8_prefix(text) != text.size();
}

// Makes one cell per row: convert(row), or 0 for null.
template <class T, class Convert>
Buffer converted(const Values& values, Arena& arena, Convert convert) {
  T* cells = arena.allocate_array<T>(values.rows);
  for (uint64_t row = 0; row < values.rows; ++row) {
    cells[row] = values.is_null(row) ? T{0} : convert(row);
  }
  return {reinterpret_cast<const std::byte*>(cells), values.rows * sizeof(T)};
}

}  // namespace

uint64_t bytes_of(const Values& values) {
  if (values.rows == 0) return 0;
  uint64_t bytes = values.rows / 4;
  if (values.type.is(Type::Vector)) {
    const uint64_t slot_bytes = std::max<uint64_t>(values.type.item().width(), sizeof(int64_t));
    const int32_t* lengths = values.data.as<int32_t>();
    const auto slots = std::accumulate(lengths, lengths + values.rows, uint64_t{0});
    return bytes + slots * slot_bytes;
  }
  if (values.type.has_offsets()) {
    const uint64_t content = values.extent(values.rows) - values.extent(0);
    bytes += values.rows * sizeof(int64_t);
    return bytes + (values.type.is_list() ? bytes_of(values.children[0]) : content);
  }
  return bytes + values.rows * values.type.width();
}

bool holds_texts(const Type& type) {
  return type.is_list() ? holds_texts(type.item()) : type.is_text();
}

uint64_t changed_rows(const Values& values, RowRange rows) {
  const Type& type = values.type;
  if (!type.is_text() && !type.is_list() && !type.is(Type::Key)) return 0;
  const bool is_plain_key = type.is(Type::Key) && values.children.empty();
  if (is_plain_key || (type.is(Type::Key) && !values.children[0].type.is_text())) return 0;
  uint64_t changed = 0;
  for (uint64_t row = rows.first; row < rows.last; ++row) {
    if (values.is_null(row)) continue;
    if (type.is_text()) {
      changed += is_changed(values.text(row));
    } else if (type.is_list()) {
      changed +=
          changed_rows(values.children[0], {values.extent(row), values.extent(row + 1)}) != 0;
    } else {
      const uint64_t number = visit_cell_type(
          type, [&]<class T>() { return static_cast<uint64_t>(cell_of<T>(values, row)); });
      const Values& texts = values.children[0];
      changed += !texts.is_null(number - 1) && is_changed(texts.text(number - 1));
    }
  }
  return changed;
}

Values with_utf8(const Values& values, Arena& arena) {
  if (values.type.is_text()) return arrow::as_utf8(values, arena);
  Values changed = values;
  if (values.type.is_list()) changed.children[0] = with_utf8(values.children[0], arena);
  return changed;
}

Type in_nanoseconds(const Type& type) {
  if (type.is(Type::DateTime)) return Type::Timestamp;
  if (type.is(Type::DateTimeOffset)) return Type::timestamp(Type::Nanosecond, "UTC");
  const bool has_ticks = type.is(Type::Duration) && type.unit() == Type::Tick;
  return has_ticks ? Type::duration(Type::Nanosecond) : type;
}

std::optional<uint64_t> in_nanoseconds(const Values& values, Arena& arena, Values& into) {
  constexpr int64_t kNanosecondsATick = 100;
  const int64_t zero = values.type.is(Type::Duration) ? 0 : kTicksBefore1970;
  std::optional<uint64_t> fault;
  into = Values(in_nanoseconds(values.type), values.rows);
  into.validity = values.validity;
  into.null_count = values.null_count;
  into.data = converted<int64_t>(values, arena, [&](uint64_t row) {
    int64_t count = values.type.is(Type::DateTimeOffset)
                        ? instant_of(cell_of<DateTimeOffset>(values, row))
                        : cell_of<int64_t>(values, row);
    const bool overflows = __builtin_sub_overflow(count, zero, &count) ||
                           __builtin_mul_overflow(count, kNanosecondsATick, &count);
    if (overflows && !fault) fault = row;
    return count;
  });
  return fault;
}

Values offset_minutes(const Values& times, Arena& arena) {
  Values minutes(Type::Int16, times.rows);
  minutes.data = converted<int16_t>(
      times, arena, [&](uint64_t row) { return cell_of<DateTimeOffset>(times, row).minutes; });
  return minutes;
}

}  // namespace heron::inline v0::arrow_ipc

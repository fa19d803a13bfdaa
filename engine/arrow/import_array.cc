// Layouts that match Heron's become views of Arrow's memory. Rows that begin in the middle of an
// array use its buffers from a later offset.
#include "arrow/import_array.h"

#include <cstring>

#include "arrow/import_checks.h"
#include "base/fail.h"
#include "values/assemble.h"
#include "values/bitmap.h"
#include "values/cells.h"
#include "values/small_floats.h"
#include "values/validity.h"
#include "values/value_words.h"

namespace heron::inline v0::arrow {
namespace {

alignas(64) constexpr std::byte kZeroBytes[64] = {};

template <class T>
Buffer buffer_of(const T* cells, uint64_t count) noexcept {
  return {reinterpret_cast<const std::byte*>(cells), count * sizeof(T)};
}

}  // namespace

Values ArrayImporter::values(const ArrayPlan& plan, const ArrowArray& array, RowRange rows) {
  check_array(plan, &array, rows);
  const Part part{plan, array, static_cast<uint64_t>(array.offset) + rows.first, rows.rows()};
  Values values = layout(part);
  const bool has_its_own =
      plan.layout == ArrayPlan::Layout::Codes || plan.layout == ArrayPlan::Layout::LocalTimes;
  if (!has_its_own) add_validity(part, values);
  if (plan.type.is(Type::Key) && plan.children.empty()) check_keys(part, values);
  if (plan.type.is(Type::Vector) && values.null_count != 0) {
    fail(ErrorKind::Unsupported, {}, "Arrow column \"", plan.path, "\": ", values.null_count,
         " vectors are null, which Heron's cannot be");
  }
  return values;
}

Values ArrayImporter::layout(const Part& part) {
  switch (part.plan.layout) {
    case ArrayPlan::Layout::Null: break;
    case ArrayPlan::Layout::Bits: return bits(part);
    case ArrayPlan::Layout::Cells: {
      Values values(part.plan.type, part.rows);
      values.data = cells(part, 1, part.plan.type.width(), part.first, part.rows);
      return values;
    }
    case ArrayPlan::Layout::Numbers: return numbers(part);
    case ArrayPlan::Layout::Halves: return halves(part);
    case ArrayPlan::Layout::Text: return texts(part);
    case ArrayPlan::Layout::Views: return views(part);
    case ArrayPlan::Layout::FixedBinary: return fixed_binary(part);
    case ArrayPlan::Layout::List: return lists(part);
    case ArrayPlan::Layout::FixedList: return fixed_lists(part);
    case ArrayPlan::Layout::LocalTimes: return local_times(part);
    case ArrayPlan::Layout::Codes: return codes(part);
  }
  Values values(Type::Null, part.rows);
  values.null_count = part.rows;
  return values;
}

// Sets the validity bitmap and counts its nulls: an array need not know its null count, and never
// knows that of a slice.
void ArrayImporter::add_validity(const Part& part, Values& values) {
  if (part.plan.layout == ArrayPlan::Layout::Null || part.rows == 0) return;
  const std::byte* bitmap = part.buffer(0);
  if (bitmap == nullptr || part.array.null_count == 0) return;
  if (part.first % 8 == 0) return set_validity(values, bitmap + part.first / 8);
  std::byte* own = arena_.allocate(bitmap_bytes(part.rows));
  copy_bits(bitmap, part.first, part.rows, own);
  set_validity(values, own);
}

Buffer ArrayImporter::cells(const Part& part, int64_t buffer, uint64_t width, uint64_t first,
                            uint64_t count) {
  if (count == 0) return {kZeroBytes, 0};
  const std::byte* from = part.buffer(buffer);
  if (from == nullptr) {
    fail_array(part.plan, "expected ", count, " values in buffer ", buffer, ", got a null pointer");
  }
  from += first * width;
  const uint64_t alignment = std::min<uint64_t>(width, alignof(int64_t));
  if (reinterpret_cast<uintptr_t>(from) % alignment == 0) return {from, count * width};
  std::byte* own = arena_.allocate(count * width);
  std::memcpy(own, from, count * width);
  return {own, count * width};
}

Values ArrayImporter::bits(const Part& part) {
  Values values(Type::Bool, part.rows);
  if (part.rows == 0) {
    values.data = {kZeroBytes, 0};
  } else if (const std::byte* from = part.buffer(1); from == nullptr) {
    fail_array(part.plan, "expected ", part.rows, " values in buffer 1, got a null pointer");
  } else if (part.first % 8 == 0) {
    values.data = {from + part.first / 8, bitmap_bytes(part.rows)};
  } else {
    std::byte* own = arena_.allocate(bitmap_bytes(part.rows));
    copy_bits(from, part.first, part.rows, own);
    values.data = {own, bitmap_bytes(part.rows)};
  }
  return values;
}

Values ArrayImporter::numbers(const Part& part) {
  const ArrayPlan& plan = part.plan;
  Values from(plan.cell, part.rows);
  from.data = cells(part, 1, plan.cell.width(), part.first, part.rows);
  add_validity(part, from);
  const auto stored_at = [&](uint64_t row) {
    return plan.cell.is(Type::Int32) ? cell_of<int32_t>(from, row) : cell_of<int64_t>(from, row);
  };
  Values values(plan.type, part.rows);
  const auto convert = [&]<class T>(T* to) {
    for (uint64_t row = 0; row < part.rows; ++row) {
      int64_t number = 0;
      if (!from.is_null(row)) {
        const int64_t stored = stored_at(row);
        if (__builtin_mul_overflow(stored, plan.multiply, &number) || number % plan.divide != 0 ||
            __builtin_add_overflow(number / plan.divide, plan.add, &number) ||
            number != static_cast<T>(number)) {
          fail(ErrorKind::Limit, {}, "Arrow column \"", plan.path, "\" row ", row,
               " of its batch: expected \"", plan.format, "\" that ", plan.type.name(),
               " can hold, got ", stored);
        }
      }
      to[row] = static_cast<T>(number);
    }
    return buffer_of(to, part.rows);
  };
  values.data = plan.type.width() == sizeof(int32_t)
                    ? convert(arena_.allocate_array<int32_t>(part.rows))
                    : convert(arena_.allocate_array<int64_t>(part.rows));
  return values;
}

Values ArrayImporter::halves(const Part& part) {
  const Buffer from = cells(part, 1, sizeof(uint16_t), part.first, part.rows);
  auto* floats = arena_.allocate_array<float>(part.rows);
  widen_floats(SmallFloat::Half, from.data, part.rows, floats);
  Values values(Type::Float32, part.rows);
  values.data = buffer_of(floats, part.rows);
  return values;
}

Values ArrayImporter::fixed_binary(const Part& part) {
  const uint64_t width = part.plan.width;
  // The factors are at most 2^56 and 2^31: their product may wrap.
  if (width != 0 && part.first + part.rows > uint64_t{INT64_MAX} / width) {
    fail_array(part.plan, "expected fewer bytes than 2^63, got ", part.first + part.rows,
               " values of ", width);
  }
  Values values(part.plan.type, part.rows);
  values.offsets = even_offsets(part.rows, width, arena_);
  const uint64_t bytes = part.rows * width;
  values.data = cells(part, 1, 1, part.first * width, bytes);
  return values;
}

// Checks that no key is 0. Keys without values may be above their count.
void ArrayImporter::check_keys(const Part& part, const Values& values) {
  visit_unsigned_type(values.type, [&]<class T>() {
    for (uint64_t row = 0; row < values.rows; ++row) {
      if (values.get<T>(row) != T{0} || values.is_null(row)) continue;
      fail_array(part.plan, "row ", row, " of its batch: expected a key from 1 on, got 0");
    }
  });
}

}  // namespace heron::inline v0::arrow

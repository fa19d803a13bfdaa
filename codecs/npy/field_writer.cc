#include "npy/field_writer.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "base/fail.h"
#include "npy/layout.h"
#include "values/cells.h"
#include "values/slots.h"
#include "values/times.h"

namespace heron::inline v0::npy {
namespace {

constexpr const char* kHasNoNulls = "is null, and NumPy has no nulls of its type";

// Converts a cell to the stored one.
struct SameCell {
  template <class Cell>
  static Cell of(Cell cell) noexcept {
    return cell;
  }
};
struct DaysCell {
  static int64_t of(int32_t days) noexcept { return days; }
};
struct TicksCell {
  // The content under a null may be any number.
  static int64_t of(int64_t ticks) noexcept {
    return static_cast<int64_t>(static_cast<uint64_t>(ticks) - uint64_t{kTicksBefore1970});
  }
};

// Cell is the C++ type of the values, bool for bits.
template <class Cell, class Convert, bool kIsTime>
class CellsWriter final : public FieldWriter {
 public:
  using Stored =
      std::conditional_t<std::is_same_v<Cell, bool>, uint8_t, decltype(Convert::of(Cell{}))>;

  CellsWriter(const std::string& path, const Field& field)
      : FieldWriter(sizeof(Stored) * (field.type.is(Type::Vector) ? field.type.size() : 1)),
        path_(path),
        name_(field.name) {}

  void put(const Values& values, RowRange rows, uint64_t rows_before, std::byte* to,
           uint64_t stride) const override {
    if (!values.type.is(Type::Vector)) {
      return put_cells(values, rows.first, rows.rows(), rows_before + rows.first, 1, to, stride);
    }
    for (uint64_t row = rows.first; row < rows.last; ++row, to += stride) {
      if (values.is_null(row)) fail_value(rows_before + row, kHasNoNulls);
      const Slots slots(values, row);
      if (slots.is_dense()) {
        put_cells(slots.items, slots.first, slots.length, rows_before + row, 0, to, sizeof(Stored));
        continue;
      }
      const Stored zero = stored(Cell{});
      for (uint64_t slot = 0; slot < slots.length; ++slot) {
        std::memcpy(to + slot * sizeof zero, &zero, sizeof zero);
      }
      for (uint64_t i = 0; i < slots.stored; ++i) {
        put_cells(slots.items, slots.first + i, 1, rows_before + row, 0,
                  to + slots.slot(i) * sizeof(Stored), sizeof(Stored));
      }
    }
  }

 private:
  static Stored stored(Cell cell) noexcept {
    if constexpr (std::is_same_v<Cell, bool>) {
      return cell;
    } else {
      return Convert::of(cell);
    }
  }

  // Writes cells first .. first + count; cell i belongs to row first_row + i x row_step.
  void put_cells(const Values& values, uint64_t first, uint64_t count, uint64_t first_row,
                 uint64_t row_step, std::byte* to, uint64_t stride) const {
    const bool is_copy = std::is_same_v<Convert, SameCell> && !std::is_same_v<Cell, bool>;
    if (is_copy && stride == sizeof(Stored) && !kIsTime) {
      std::memcpy(to, values.data.data + first * sizeof(Stored), count * sizeof(Stored));
    } else {
      for (uint64_t i = 0; i < count; ++i) {
        Stored cell;
        if constexpr (std::is_same_v<Cell, bool>) {
          cell = values.data.bit(first + i);
        } else {
          cell = stored(cell_of<Cell>(values, first + i));
        }
        if constexpr (kIsTime) {
          if (cell == kNaT && !values.is_null(first + i)) {
            fail_value(first_row + i * row_step, "is the smallest number, which is NaT to NumPy");
          }
        }
        std::memcpy(to + i * stride, &cell, sizeof cell);
      }
    }
    if (values.null_count != 0) put_nulls(values, first, count, first_row, row_step, to, stride);
  }

  void put_nulls(const Values& values, uint64_t first, uint64_t count, uint64_t first_row,
                 uint64_t row_step, std::byte* to, uint64_t stride) const {
    for (uint64_t i = 0; i < count; ++i) {
      if (!values.is_null(first + i)) continue;
      Stored null{};
      if constexpr (kIsTime) {
        null = kNaT;
      } else if constexpr (std::is_floating_point_v<Stored>) {
        null = std::numeric_limits<Stored>::quiet_NaN();
      } else {
        fail_value(first_row + i * row_step, kHasNoNulls);
      }
      std::memcpy(to + i * stride, &null, sizeof null);
    }
  }

  [[noreturn]] void fail_value(uint64_t row, const char* what) const {
    fail(ErrorKind::Argument, path_, "column \"", name_, "\": the value of row ", row, ' ', what);
  }

  const std::string path_;
  const std::string name_;
};

template <class Cell, class Convert = SameCell, bool kIsTime = false>
std::unique_ptr<const FieldWriter> make(const std::string& path, const Field& field) {
  return std::make_unique<CellsWriter<Cell, Convert, kIsTime>>(path, field);
}

std::string_view timestamp_of(Type::Unit unit) noexcept {
  switch (unit) {
    case Type::Second: return "<M8[s]";
    case Type::Millisecond: return "<M8[ms]";
    case Type::Microsecond: return "<M8[us]";
    default: return "<M8[ns]";
  }
}

std::string_view duration_of(Type::Unit unit) noexcept {
  switch (unit) {
    case Type::Second: return "<m8[s]";
    case Type::Millisecond: return "<m8[ms]";
    case Type::Microsecond: return "<m8[us]";
    case Type::Tick: return "<m8[100ns]";
    default: return "<m8[ns]";
  }
}

}  // namespace

std::string_view stored_type(const Type& type) {
  switch (type.id()) {
    case Type::Bool: return "|b1";
    case Type::Int8: return "|i1";
    case Type::Int16: return "<i2";
    case Type::Int32: return "<i4";
    case Type::Int64: return "<i8";
    case Type::UInt8: return "|u1";
    case Type::UInt16: return "<u2";
    case Type::UInt32: return "<u4";
    case Type::UInt64: return "<u8";
    case Type::Float32: return "<f4";
    case Type::Float64: return "<f8";
    case Type::Date32: return "<M8[D]";
    case Type::Timestamp: return timestamp_of(type.unit());
    case Type::DateTime: return "<M8[100ns]";
    case Type::Duration: return duration_of(type.unit());
    default: return {};
  }
}

bool has_nat(const Type& type) {
  return is_time(type) && !stored_type(type).empty();
}

std::unique_ptr<const FieldWriter> field_writer(const std::string& path, const Field& field) {
  const Type& type = field.type.is(Type::Vector) ? field.type.item() : field.type;
  switch (type.id()) {
    case Type::Bool: return make<bool>(path, field);
    case Type::Int8: return make<int8_t>(path, field);
    case Type::Int16: return make<int16_t>(path, field);
    case Type::Int32: return make<int32_t>(path, field);
    case Type::Int64: return make<int64_t>(path, field);
    case Type::UInt8: return make<uint8_t>(path, field);
    case Type::UInt16: return make<uint16_t>(path, field);
    case Type::UInt32: return make<uint32_t>(path, field);
    case Type::UInt64: return make<uint64_t>(path, field);
    case Type::Float32: return make<float>(path, field);
    case Type::Float64: return make<double>(path, field);
    case Type::Date32: return make<int32_t, DaysCell, true>(path, field);
    case Type::DateTime: return make<int64_t, TicksCell, true>(path, field);
    default:  // timestamps and durations
      return make<int64_t, SameCell, true>(path, field);
  }
}

}  // namespace heron::inline v0::npy

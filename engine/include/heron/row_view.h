// The fast way to single rows: a cursor over cells that lie in the file at a constant stride. No
// virtual call and no allocation per row; columns of other kinds are taken a row at a time.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/schema.h"
#include "heron/table.h"

namespace heron::inline v0 {

class Dictionary;

// A cursor over the rows of a projection of any columns except lists, vectors, and cells of 16
// bytes. Keeps the table alive. Not thread-safe; make one per thread.
//
// A file that was cut short is noticed before any answer (Error(Changed)). A file that was
// rewritten in place is noticed by the two checks below, by every call that returns a RowBatch, and
// where the bytes contradict themselves. Texts are views into the file: their bytes may change,
// their ends do not.
class HERON_EXPORT RowView {
 public:
  // Throws Error(Argument) if a column is of another type, and what a damaged column throws.
  explicit RowView(Projection projection, const Context& context = {});
  ~RowView();
  RowView(RowView&&) noexcept;
  RowView& operator=(RowView&&) noexcept;

  // Goes to a row; at first no row is current. Throws Error(Argument) if there is no such row. Free
  // if the file is mapped, except that it reads codes of dictionaries and decodes blocks that are
  // not in memory (which may throw Error(Corrupt)); with pread it reads the row's cells. If a large
  // file was cold when the view was made, prefetches the pages of each row that is not near the
  // last.
  void seek(uint64_t row) {
    if (row >= rows_) throw_no_such_row(row);
    at_ = row;
    if (slow_ != nullptr) arrive(row);
  }
  uint64_t size() const noexcept { return cells_.size(); }
  // Returns whether seek() is free: all cells lie in the mapped file, and none are codes.
  bool is_direct() const noexcept { return slow_ == nullptr; }

  // The value in column i, or nullopt if it is null. T is the C++ type of the column: bool, int8_t
  // .. uint64_t, float, double; for date32 int32_t, for times and durations int64_t, for decimals
  // WideInteger, for keys that of the stored number. Throws Error(Argument) for another T and a column that is out of range,
  // as the calls below do, and in a table without rows. A datetime outside the calendar and a key
  // above its count are returned as stored.
  template <class T>
  std::optional<T> get(uint64_t i) const {
    const Cell& cell = checked_cell(i);
    T value;
    bool valid;
    if (cell.form.is(usual_form<T>())) {
      if constexpr (std::is_same_v<T, bool>) {
        const auto stored = load_packed<int8_t>(cell);
        value = stored != 0;
        valid = stored != INT8_MIN;
      } else {
        value = load_packed<T>(cell);
        valid = value == value;
        if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
          valid = value != std::numeric_limits<T>::min();
        }
      }
    } else if (cell.form.is(plain_form<T>())) {
      if constexpr (std::is_same_v<T, bool>) {
        value = (static_cast<unsigned>(cell.cells[at_ / 8]) >> at_ % 8 & 1) != 0;
      } else {
        value = load_packed<T>(cell);
      }
      valid = true;
    } else if (!std::is_same_v<T, bool> &&
               cell.form.is({stored_as<T>(), NullEncoding::Never, Shape::StridedCells})) {
      if constexpr (!std::is_same_v<T, bool>) value = load<T>(cell);
      valid = true;
    } else {
      valid = get_unusual(i, stored_as<T>(), &value);
    }
    if (lost_->load(std::memory_order_relaxed)) throw_changed();
    return valid ? std::optional<T>(value) : std::nullopt;
  }

  // The bytes of a text or binary as stored; with pread they live until the next seek, else as long as the
  // view. Throws Error(Corrupt) if the text's offsets do not fit its characters.
  std::optional<std::string_view> text(uint64_t i) const {
    const Cell& cell = checked_cell(i);
    const bool has_bit = cell.form.is({Stored::Text, NullEncoding::OffsetBit, Shape::Cells, 4});
    if (!has_bit && !cell.form.is({Stored::Text, NullEncoding::Never, Shape::Cells, 4})) {
      return unusual_text(i);
    }
    uint32_t offsets[2];
    std::memcpy(offsets, cell.cells + at_ * sizeof(uint32_t), sizeof offsets);
    // Keeps the compiler from loading the offsets again: they could differ if the file is written
    // to.
    std::atomic_signal_fence(std::memory_order_acq_rel);
    const uint32_t start = has_bit ? offsets[0] & INT32_MAX : offsets[0];
    const uint32_t end = offsets[1];
    if (start > end || end > cell.character_bytes) return unusual_text(i);
    if (lost_->load(std::memory_order_relaxed)) throw_changed();
    if (has_bit && end > INT32_MAX) return std::nullopt;
    return std::string_view(reinterpret_cast<const char*>(cell.characters) + start, end - start);
  }
  // Works for a column of any type.
  bool is_null(uint64_t i) const;

  // Throws Error(Changed) if the file is no longer the one that was opened. Costs a system call.
  void check_unchanged() const;
  // Calls check_unchanged() if the clock has ticked since anybody last checked the file (4 ms, the
  // resolution of file times), else nothing: some ns, for callers that return a row at a time.
  void check_recently() const;

 private:
  enum class Stored : uint8_t { Null, Bool, I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, Wide, Text };
  enum class Shape : uint8_t {
    Cells,         // consecutive, at the stride of their width
    StridedCells,  // at a stride that is not their width
    SwappedCells,  // in the other byte order, at any stride
    Bits,          // a bool stored as a bit
    Codes,         // cells of another type, or bits, into a dictionary
    Taken,         // no cells: Column::take
  };
  // The form of a cell, in four bytes that are compared at once.
  struct Form {
    Stored stored = Stored::Null;
    NullEncoding nulls = NullEncoding::Never;
    Shape shape = Shape::Cells;
    uint8_t offset_bytes = 0;  // width of a text's offsets
    bool is(Form other) const noexcept {
      return std::bit_cast<uint32_t>(*this) == std::bit_cast<uint32_t>(other);
    }
  };
  struct Cell {
    const std::byte* cells = nullptr;  // the cell of row 0; texts: its start offset
    uint64_t stride = 0;               // bytes from one row's cell to the next
    Form form;
    Form code;  // the form of the code, if the cell is one
    const std::byte* characters = nullptr;
    uint64_t character_bytes = 0;
    const std::byte* validity = nullptr;  // a bitmap
    const Dictionary* dictionary = nullptr;
  };
  struct Slow;  // rows that are fetched, taken, coded or in blocks, and what is not inline

  const Cell& checked_cell(uint64_t i) const {
    if (i >= columns_) [[unlikely]] throw_no_such_column(i);
    return cells_[i];
  }
  template <class T>
  static constexpr Stored stored_as() {
    if constexpr (std::is_same_v<T, bool>) {
      return Stored::Bool;
    } else if constexpr (std::is_floating_point_v<T>) {
      return sizeof(T) == 4 ? Stored::F32 : Stored::F64;
    } else if constexpr (std::is_same_v<T, WideInteger>) {
      return Stored::Wide;
    } else {
      const auto narrowest = std::is_signed_v<T> ? Stored::I8 : Stored::U8;
      return static_cast<Stored>(static_cast<int>(narrowest) + std::countr_zero(sizeof(T)));
    }
  }
  // The form of most cells of formats that mark nulls by values: no bitmap.
  template <class T>
  static constexpr Form usual_form() {
    if constexpr (std::is_floating_point_v<T>) return {stored_as<T>(), NullEncoding::NaN};
    const bool has_sentinel = std::is_signed_v<T> || std::is_same_v<T, bool>;
    return {stored_as<T>(), has_sentinel ? NullEncoding::Sentinel : NullEncoding::Never};
  }
  // The form of cells without nulls; bools are bits.
  template <class T>
  static constexpr Form plain_form() {
    const bool is_bool = std::is_same_v<T, bool>;
    return {stored_as<T>(), NullEncoding::Never, is_bool ? Shape::Bits : Shape::Cells};
  }
  template <class T>
  T load_packed(const Cell& cell) const noexcept {
    T value;
    std::memcpy(&value, cell.cells + at_ * sizeof(T), sizeof(T));
    return value;
  }
  template <class T>
  T load(const Cell& cell) const noexcept {
    T value;
    std::memcpy(&value, cell.cells + at_ * cell.stride, sizeof(T));
    return value;
  }
  std::optional<std::string_view> unusual_text(uint64_t i) const;
  bool get_unusual(uint64_t i, Stored stored, void* value) const;
  void arrive(uint64_t row);
  [[noreturn]] void throw_no_such_row(uint64_t row) const;
  [[noreturn]] void throw_no_such_column(uint64_t i) const;
  [[noreturn]] void throw_changed() const;

  Projection projection_;
  uint64_t rows_;
  uint64_t at_ = 0;  // index of the current row in the cells; 0 with pread
  std::vector<Cell> cells_;
  const std::atomic<bool>* lost_;
  std::unique_ptr<Slow> slow_;  // null if no column needs it
  uint64_t columns_ = 0;        // number of readable columns: 0 without a row
};

}  // namespace heron::inline v0

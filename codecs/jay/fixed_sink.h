// Bool, integer, float, date and timestamp columns: one cell per row, with nulls marked in the
// cell.
//
// The mark of an integer is the type's minimum, which may also be a value; only then the column
// gets a bitmap, which alone decides; the legacy layout cannot store it. A NaN is always null.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include "base/cpu.h"
#include "jay/column_sink.h"
#include "jay/validity_writer.h"
#include "values/cells.h"

namespace heron::inline v0::jay {

// The extremes of cells that are not marked as null, and the number of marked cells.
template <class Cell>
struct CellExtremes {
  Cell low, high;
  uint64_t marked;
};

// Adds cells to the extremes, in several lanes, so that the compiler vectorizes floats too.
template <class Cell>
struct MeasureCells {
  HERON_INLINE static CellExtremes<Cell> run(const Cell* cells, uint64_t count,
                                             CellExtremes<Cell> all) {
    constexpr uint64_t kLanes = 64 / sizeof(Cell);
    std::array<Cell, kLanes> low, high;
    std::array<BitsOf<Cell>, kLanes> marked{};  // counts in a slice do not overflow
    low.fill(all.low);
    high.fill(all.high);
    uint64_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
      for (uint64_t lane = 0; lane < kLanes; ++lane) {
        const Cell cell = cells[i + lane];
        const bool is_null = is_marked(cell);
        low[lane] = !is_null && cell < low[lane] ? cell : low[lane];
        high[lane] = cell > high[lane] ? cell : high[lane];
        marked[lane] = static_cast<BitsOf<Cell>>(marked[lane] + is_null);
      }
    }
    for (; i < count; ++i) {
      if (!is_marked(cells[i])) low[0] = std::min(low[0], cells[i]);
      if (cells[i] > high[0]) high[0] = cells[i];
      all.marked += is_marked(cells[i]);
    }
    all.low = *std::min_element(low.begin(), low.end());
    all.high = *std::max_element(high.begin(), high.end());
    for (const auto some : marked) all.marked += some;
    return all;
  }

  static constexpr Cell kNull = std::is_floating_point_v<Cell>
                                    ? std::numeric_limits<Cell>::quiet_NaN()
                                    : std::numeric_limits<Cell>::lowest();
  HERON_INLINE static bool is_marked(Cell cell) noexcept {
    return std::is_floating_point_v<Cell> ? cell != cell : cell == kNull;
  }
};

template <class Cell, class Pair>  // Pair: the record's struct of min and max
class FixedSink final : public ColumnSink {
 public:
  FixedSink(Store& store, Layout layout, jay_fbs::SType stype)
      : store_(&store), layout_(layout), stype_(stype), cells_(store), validity_(store) {}

  void append(const Values& values, RowRange rows) override {
    if (can_append_as_stored(values)) return append_as_stored(values, rows);
    std::array<Cell, kSliceRows> slice;
    for (uint64_t row = rows.first; row < rows.last; row += kSliceRows) {
      const std::span cells(slice.data(), std::min(kSliceRows, rows.last - row));
      load(values, row, cells);
      if (values.validity.data != nullptr) mark_null(values, row, cells);
      measure(cells);
      cells_.append_cells(std::span<const Cell>(cells));
    }
    validity_.append(values, rows);
  }

  std::optional<uint64_t> row_of_null_mark(const Values& values) const override {
    if constexpr (!kInteger) return {};
    for (uint64_t row = 0; row < values.rows; ++row) {
      if (cell_of<Cell>(values, row) == kNull && !values.is_null(row)) return row;
    }
    return {};
  }

  void reserve(uint64_t rows) override {
    cells_.put_at(store_->reserve(rows * sizeof(Cell)), rows * sizeof(Cell));
  }

  flatbuffers::Offset<jay_fbs::Column> finish(
      flatbuffers::FlatBufferBuilder& meta,
      flatbuffers::Offset<flatbuffers::String> name) override {
    if (layout_ == Layout::Legacy) {
      const jay_fbs::Buffer cells = as_buffer(cells_.finish());
      const auto stats = meta.CreateStruct(extremes(false)).Union();
      return jay_fbs::CreateColumn(meta, stype_, &cells, nullptr, name, seen_.marked,
                                   jay_fbs::StatsTraits<Pair>::enum_value, stats);
    }
    // There are more marks than nulls: the others are NaNs, which are null anyway, or integers,
    // which are values.
    const bool bitmap = kInteger && seen_.marked > validity_.null_count();
    const std::array buffers = {bitmap ? as_buffer(validity_.finish()) : jay_fbs::Buffer(0, 0),
                                as_buffer(cells_.finish())};
    const auto buffer_vector = meta.CreateVectorOfStructs(buffers.data(), buffers.size());
    const auto stats = meta.CreateStruct(extremes(bitmap)).Union();
    const auto type = describe(meta);
    return jay_fbs::CreateColumn(meta, jay_fbs::SType::Bool8, nullptr, nullptr, name,
                                 bitmap ? validity_.null_count() : seen_.marked,
                                 jay_fbs::StatsTraits<Pair>::enum_value, stats, type,
                                 validity_.rows(), buffer_vector);
  }

  flatbuffers::Offset<jay_fbs::Type> describe(flatbuffers::FlatBufferBuilder& meta) const override {
    return jay_fbs::CreateType(meta, stype_);
  }

 private:
  using Limits = std::numeric_limits<Cell>;
  static constexpr bool kBool = std::is_same_v<Pair, jay_fbs::BoolStats>;
  static constexpr bool kFloat = std::is_floating_point_v<Cell>;
  static constexpr bool kInteger = !kBool && !kFloat;
  static constexpr Cell kNull = MeasureCells<Cell>::kNull;

  static bool can_append_as_stored(const Values& values) noexcept {
    return !kBool && values.validity.data == nullptr &&
           reinterpret_cast<uintptr_t>(values.data.data) % alignof(Cell) == 0;
  }

  void append_as_stored(const Values& values, RowRange rows) {
    const std::span cells(values.data.as<Cell>() + rows.first, rows.rows());
    for (uint64_t i = 0; i < cells.size(); i += kSliceRows) {
      measure(cells.subspan(i, std::min<uint64_t>(kSliceRows, cells.size() - i)));
    }
    cells_.append_cells(cells);
    validity_.append(values, rows);
  }

  static void load(const Values& values, uint64_t first, std::span<Cell> cells) {
    if constexpr (kBool) {
      for (uint64_t i = 0; i < cells.size(); ++i) cells[i] = values.get_bool(first + i);
    } else {
      std::memcpy(cells.data(), values.data.data + first * sizeof(Cell), cells.size_bytes());
    }
  }

  static void mark_null(const Values& values, uint64_t first, std::span<Cell> cells) {
    for (uint64_t i = 0; i < cells.size(); ++i) {
      if (!values.validity.bit(first + i)) cells[i] = kNull;
    }
  }

  // Measures at most a slice of cells.
  void measure(std::span<const Cell> cells) {
    seen_ = dispatch<MeasureCells<Cell>>(cells.data(), uint64_t{cells.size()}, seen_);
  }

  Pair extremes(bool minimum_is_there) const {
    if (seen_.marked == validity_.rows()) return {kNull, kNull};
    return {minimum_is_there ? kNull : seen_.low, seen_.high};
  }

  Store* store_;
  Layout layout_;
  jay_fbs::SType stype_;
  Stream cells_;
  ValidityWriter validity_;
  CellExtremes<Cell> seen_{kFloat ? Limits::infinity() : Limits::max(),
                           kFloat ? -Limits::infinity() : Limits::lowest(), 0};
};

}  // namespace heron::inline v0::jay

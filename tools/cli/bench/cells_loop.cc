// The plain loops over cells: one takes random rows column by column, each prefetched; one takes
// consecutive rows in order.
#include <algorithm>
#include <cstring>
#include <vector>

#include "bench/plain_loop.h"
#include "table/internals.h"

namespace heron::cli::bench {
namespace {

// The asm keeps the compiler from loading the value again: others may write to the file meanwhile.
template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  asm volatile("" : "+r"(value));
  return value;
}

// The offsets between which the characters of texts are, inside the column's characters.
struct Extent {
  uint64_t start, end;
};
template <class T>
Extent extent_of(const FlatCells& column, const std::byte* first, const std::byte* last) {
  constexpr uint64_t kMask = sizeof(T) == 4 ? INT32_MAX : INT64_MAX;
  const uint64_t start = load<T>(first) & kMask;
  const uint64_t end = std::min<uint64_t>(load<T>(last) & kMask, column.characters.bytes);
  return {std::min(start, end), end};
}

// The cells of some columns in the map of the open file, which outlives this.
class CellsLoop : public PlainLoop {
 public:
  CellsLoop(std::vector<FlatCells> columns, const ByteSource& source)
      : columns_(std::move(columns)), source_(source) {}

  std::string what() const override { return "loads of the same cells, and of their characters"; }
  bool does_same_work() const override { return true; }
  void check() const override { source_.check_unchanged(); }

 protected:
  const std::vector<FlatCells>& columns() const { return columns_; }
  const std::byte* at(const ByteView& view) const { return source_.base() + view.offset; }

 private:
  const std::vector<FlatCells> columns_;
  const ByteSource& source_;
};

class RandomCells final : public CellsLoop {
 public:
  using CellsLoop::CellsLoop;

  void run(const Input& input) override {
    uint64_t sum = 0;
    for (const FlatCells& column : columns()) sum += sum_of_cells(column, input.rows);
    keep_sum(sum);
  }

 private:
  static constexpr uint64_t kAhead = 32;  // rows between a prefetch and its use

  template <class At, class Use>
  static uint64_t each(const std::vector<uint64_t>& rows, const At& at, const Use& use) {
    uint64_t sum = 0;
    const uint64_t count = rows.size();
    for (uint64_t i = 0; i < std::min(kAhead, count); ++i) __builtin_prefetch(at(rows[i]));
    for (uint64_t i = 0; i < count; ++i) {
      if (i + kAhead < count) __builtin_prefetch(at(rows[i + kAhead]));
      sum += use(at(rows[i]));
    }
    return sum;
  }
  template <class T>
  uint64_t numbers(const FlatCells& column, const std::vector<uint64_t>& rows) const {
    const std::byte* cells = at(column.cells);
    const uint64_t stride = column.stride;
    return each(
        rows, [=](uint64_t row) { return cells + row * stride; },
        [](const std::byte* cell) { return static_cast<uint64_t>(load<T>(cell)); });
  }
  template <class T>
  uint64_t texts(const FlatCells& column, const std::vector<uint64_t>& rows) const {
    const std::byte* cells = at(column.cells);
    const std::byte* characters = at(column.characters);
    return each(
        rows, [=](uint64_t row) { return cells + row * sizeof(T); },
        [&](const std::byte* cell) {
          const Extent text = extent_of<T>(column, cell, cell + sizeof(T));
          return sum_of(characters + text.start, text.end - text.start);
        });
  }
  uint64_t sum_of_cells(const FlatCells& column, const std::vector<uint64_t>& rows) const {
    if (column.kind == FlatCells::Kind::Null) return 0;
    if (column.kind == FlatCells::Kind::Text) {
      return column.cell_bytes == 4 ? texts<uint32_t>(column, rows) : texts<uint64_t>(column, rows);
    }
    if (column.kind == FlatCells::Kind::Bits) {
      const std::byte* bits = at(column.cells);
      return each(
          rows, [=](uint64_t row) { return bits + row / 8; },
          [](const std::byte* cell) { return static_cast<uint64_t>(load<uint8_t>(cell)); });
    }
    switch (column.cell_bytes) {
      case 1: return numbers<uint8_t>(column, rows);
      case 2: return numbers<uint16_t>(column, rows);
      case 4: return numbers<uint32_t>(column, rows);
      default: return numbers<uint64_t>(column, rows);
    }
  }
};

// Loops over rows one after the other.
class ConsecutiveCells final : public CellsLoop {
 public:
  ConsecutiveCells(std::vector<FlatCells> columns, const ByteSource& source, Projection projection,
                   Op op, uint64_t rows)
      : CellsLoop(std::move(columns), source),
        projection_(std::move(projection)),
        op_(op),
        rows_(rows) {}

  void run(const Input& input) override {
    const RowRange rows = rows_of(op_, projection_, rows_, input);
    if (op_ == Op::Column) return keep_sum(sum_of_cells(columns()[input.unit], rows));
    uint64_t sum = 0;
    for (const FlatCells& column : columns()) sum += sum_of_cells(column, rows);
    keep_sum(sum);
  }

 private:
  template <class T>
  uint64_t numbers(const FlatCells& column, RowRange rows) const {
    const std::byte* cells = at(column.cells);
    if (column.stride == sizeof(T)) {
      return sum_of(cells + rows.first * sizeof(T), rows.rows() * sizeof(T));
    }
    uint64_t sum = 0;
    for (uint64_t row = rows.first; row < rows.last; ++row) {
      sum += static_cast<uint64_t>(load<T>(cells + row * column.stride));
    }
    return sum;
  }
  template <class T>
  uint64_t texts(const FlatCells& column, RowRange rows) const {
    const std::byte* cells = at(column.cells) + rows.first * sizeof(T);
    const uint64_t bytes = rows.rows() * sizeof(T);
    const Extent text = extent_of<T>(column, cells, cells + bytes);
    return sum_of(cells, bytes) +
           sum_of(at(column.characters) + text.start, text.end - text.start);
  }
  uint64_t sum_of_cells(const FlatCells& column, RowRange rows) const {
    switch (column.kind) {
      case FlatCells::Kind::Null: return 0;
      case FlatCells::Kind::Text:
        return column.cell_bytes == 4 ? texts<uint32_t>(column, rows)
                                      : texts<uint64_t>(column, rows);
      case FlatCells::Kind::Bits: {
        const uint64_t first = rows.first / 8;
        return sum_of(at(column.cells) + first, (rows.last + 7) / 8 - first);
      }
      default: break;
    }
    switch (column.cell_bytes) {
      case 1: return numbers<uint8_t>(column, rows);
      case 2: return numbers<uint16_t>(column, rows);
      case 4: return numbers<uint32_t>(column, rows);
      default: return numbers<uint64_t>(column, rows);
    }
  }

  const Projection projection_;
  const Op op_;
  const uint64_t rows_;
};

// Returns nullopt if not all columns are in the map cell by cell, or if cells are codes, whose
// values the loop would not look up.
std::optional<std::vector<FlatCells>> flat_columns(const Projection& columns,
                                                   const ByteSource& source) {
  const auto is_inside = [&](const ByteView& view) {
    return view.source == nullptr || view.source == &source;
  };
  std::vector<FlatCells> flat;
  for (const Column* column : internals(columns).columns()) {
    auto cells = column->flat();
    if (!cells || cells->dictionary != nullptr || !is_inside(cells->cells) ||
        !is_inside(cells->characters)) {
      return std::nullopt;
    }
    flat.push_back(*cells);
  }
  return flat;
}

}  // namespace

std::unique_ptr<PlainLoop> cells_loop_of(Op op, const Subject& subject, const FileFacts& facts,
                                         const OpenFile& file) {
  if (op == Op::Open || op == Op::Filter || op == Op::Find || is_prediction(op)) {
    return nullptr;
  }
  const ByteSource& source = bytes_of(*file.table);
  if (source.base() == nullptr || internals(*file.table).fragments().size() != 1) return nullptr;
  Projection columns = projection_of(subject, file);
  auto flat = flat_columns(columns, source);
  if (!flat) return nullptr;
  if (text_of(op).is_random) {
    return std::make_unique<RandomCells>(*std::move(flat), source);
  }
  return std::make_unique<ConsecutiveCells>(*std::move(flat), source, std::move(columns), op,
                                            facts.rows);
}

}  // namespace heron::cli::bench

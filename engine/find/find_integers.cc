#include "find/find_integers.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "cache/block_column.h"
#include "heron/find.h"
#include "heron/schema.h"
#include "readahead/cells_ahead.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kKeysAtOnce = 32;

// The cells of a mapped column.
template <class T>
class CellsInMap {
 public:
  using Cell = T;

  explicit CellsInMap(const FlatCells& flat) : cells_(flat.cells.data()), pages_(flat) {}

  T operator[](uint64_t row) const { return load_cell<T>(cells_, row); }
  void prefetch(uint64_t row) const { __builtin_prefetch(cells_ + row * sizeof(T)); }
  // Prefetches the pages of `rows` rows from first[i] + ahead on, for each i below count.
  void prefetch_pages(const uint64_t* first, uint64_t count, uint64_t ahead, uint64_t rows) {
    pages_.prefetch(first, count, ahead, rows);
  }
  bool are_readable() const { return true; }

 private:
  const std::byte* cells_;
  CellsAhead pages_;
};

// The cells of a column whose blocks are read in place, and opened when a cell of them is read.
template <class T>
class CellsInBlocks {
 public:
  using Cell = T;

  CellsInBlocks(const BlockColumn& column, const Context& context)
      : column_(column), context_(context) {}

  T operator[](uint64_t row) {
    const InPlaceCells* cells = column_.in_place({&row, 1}, context_);
    are_readable_ &= cells != nullptr;
    return are_readable_ ? load_cell<T>(cells->cell_of(row), 0) : T{};
  }
  void prefetch(uint64_t row) const { column_.prefetch({&row, 1}); }
  void prefetch_pages(const uint64_t*, uint64_t, uint64_t, uint64_t) {}
  // Returns false if a block has to be read in another way: then cells were read as 0.
  bool are_readable() const { return are_readable_; }

 private:
  const BlockColumn& column_;
  const Context& context_;
  bool are_readable_ = true;
};

// Finds for each lane the first cell that is not below its key, or the end.
template <class Cells>
class CellSearch {
 public:
  using T = typename Cells::Cell;

  CellSearch(Cells& cells, uint64_t rows) : cells_(cells), rows_(rows) {}

  // Returns false if the cells read do not ascend. There is at least one row.
  bool run(const T* keys, uint64_t count, uint64_t* low);

 private:
  bool guess(const T* keys, uint64_t count, uint64_t* low) const;
  bool narrow(uint64_t left, const T* keys, uint64_t count, uint64_t* low) const;

  T cell(uint64_t row) const { return cells_[row]; }

  Cells& cells_;
  uint64_t rows_;
};

// Narrows each lane's search, `left` > 0 rows from low[lane] on. Checks that each cell is not below
// the last cell that was too low, and not above the last one that was not.
template <class Cells>
bool CellSearch<Cells>::narrow(uint64_t left, const T* keys, uint64_t count, uint64_t* low) const {
  T least[kKeysAtOnce], greatest[kKeysAtOnce];
  for (uint64_t lane = 0; lane < count; ++lane) {
    least[lane] = cell(low[lane]);
    greatest[lane] = cell(low[lane] + left - 1);
  }
  bool ascends = true;
  const auto is_below = [&](uint64_t lane, uint64_t row) {
    const T value = cell(row), key = keys[lane];
    ascends &= value >= least[lane] && value <= greatest[lane];
    least[lane] = value < key ? value : least[lane];
    greatest[lane] = value < key ? greatest[lane] : value;
    return value < key;
  };
  while (left > 1) {
    const uint64_t half = left / 2;
    left -= half;
    const uint64_t next_half = left / 2;
    for (uint64_t lane = 0; lane < count; ++lane) {
      low[lane] += is_below(lane, low[lane] + half - 1) ? half : 0;
      if (next_half != 0) cells_.prefetch(low[lane] + next_half - 1);
    }
    if (next_half != 0) cells_.prefetch_pages(low, count, next_half - 1, 1);
  }
  for (uint64_t lane = 0; lane < count; ++lane) low[lane] += is_below(lane, low[lane]);
  return ascends;
}

// If keys are spread evenly, as ids and times often are, a straight line from the first row to the
// last locates a key within a few thousand rows. Two cells show whether it did.
constexpr uint64_t kHalfGuess = 2048;
constexpr uint64_t kGuessedRows = 2 * kHalfGuess;

// Sets for each key the start of kGuessedRows rows that contain it; returns false unless all do.
// Prefetches both ends and the middle.
template <class Cells>
bool CellSearch<Cells>::guess(const T* keys, uint64_t count, uint64_t* low) const {
  if (rows_ <= 8 * kGuessedRows) return false;
  const T first = cell(0), last = cell(rows_ - 1);
  const double range = static_cast<double>(last) - static_cast<double>(first);
  const double rows_per_step = last > first ? static_cast<double>(rows_) / range : 0;
  const auto most = static_cast<double>(rows_ - kGuessedRows);
  for (uint64_t lane = 0; lane < count; ++lane) {
    const T inside = std::clamp(keys[lane], first, last);
    const double position =
        (static_cast<double>(inside) - static_cast<double>(first)) * rows_per_step;
    low[lane] = static_cast<uint64_t>(std::clamp(position - kHalfGuess, 0.0, most));
    for (const uint64_t next : {uint64_t{0}, kGuessedRows - 1, kHalfGuess - 1})
      cells_.prefetch(low[lane] + next);
  }
  cells_.prefetch_pages(low, count, 0, kGuessedRows);
  bool holds = true;
  for (uint64_t lane = 0; lane < count; ++lane) {
    const uint64_t begin = low[lane], end = begin + kGuessedRows;
    holds &=
        (begin == 0 || cell(begin) < keys[lane]) && (end == rows_ || cell(end - 1) >= keys[lane]);
  }
  return holds;
}

template <class Cells>
bool CellSearch<Cells>::run(const T* keys, uint64_t count, uint64_t* low) {
  const bool guessed = guess(keys, count, low);
  if (!guessed) std::fill_n(low, count, uint64_t{0});
  if (!narrow(guessed ? kGuessedRows : rows_, keys, count, low)) return false;
  bool ascends = true;
  for (uint64_t lane = 0; lane < count; ++lane) {
    const uint64_t at = low[lane];
    ascends &= at + 1 >= rows_ || cell(at) <= cell(at + 1);
  }
  return ascends;
}

// Returns nullopt if the cells do not ascend, or have to be read in another way.
template <class Cells>
std::optional<std::vector<uint64_t>> find_cells(Cells cells, uint64_t rows, bool has_sentinel,
                                                std::span<const int64_t> values) {
  using T = typename Cells::Cell;
  using Limits = std::numeric_limits<T>;
  std::vector<uint64_t> found(values.size(), kNoRow);
  if (rows == 0) return found;
  const uint64_t ends[] = {0, rows - 1};
  cells.prefetch_pages(ends, 2, 0, 1);
  if (cells[0] > cells[rows - 1]) return std::nullopt;
  CellSearch<Cells> search(cells, rows);
  for (uint64_t first = 0; first < values.size(); first += kKeysAtOnce) {
    const uint64_t count = std::min<uint64_t>(kKeysAtOnce, values.size() - first);
    T keys[kKeysAtOnce];
    for (uint64_t lane = 0; lane < count; ++lane) {
      keys[lane] =
          static_cast<T>(std::clamp<int64_t>(values[first + lane], Limits::min(), Limits::max()));
    }
    uint64_t at[kKeysAtOnce];
    if (!search.run(keys, count, at)) return std::nullopt;
    for (uint64_t lane = 0; lane < count; ++lane) {
      const bool is_value = !has_sentinel || keys[lane] != Limits::min();
      const bool equal = at[lane] < rows && int64_t{cells[at[lane]]} == values[first + lane];
      if (is_value && equal) found[first + lane] = at[lane];
    }
  }
  if (!cells.are_readable()) return std::nullopt;
  return found;
}

// Calls find with the type of signed cells of that width.
template <class Find>
std::optional<std::vector<uint64_t>> with_cell_type(uint32_t bytes, Find find) {
  switch (bytes) {
    case 1: return find.template operator()<int8_t>();
    case 2: return find.template operator()<int16_t>();
    case 4: return find.template operator()<int32_t>();
    default: return find.template operator()<int64_t>();
  }
}

bool is_signed_integer(const Type& type) {
  return has_number_cells(type) && visit_cell_type(type, []<class T>() {
           return std::is_integral_v<T> && std::is_signed_v<T>;
         });
}

// A mapped column in the order of its cells: nulls, if any, are the smallest.
bool is_searchable(const FlatCells& flat) {
  const bool ordered = flat.nulls == NullEncoding::Sentinel || flat.nulls == NullEncoding::Never;
  return flat.dictionary == nullptr && ordered && flat.packed() && flat.cells.data() != nullptr;
}

}  // namespace

std::optional<std::vector<uint64_t>> find_integers(const Column& column,
                                                   std::span<const int64_t> keys,
                                                   const Context& context) {
  if (!is_signed_integer(column.type())) return std::nullopt;
  if (const BlockColumn* blocks = column.blocks()) {
    const uint64_t first = 0;
    if (column.rows() == 0 || blocks->in_place({&first, 1}, context) == nullptr)
      return std::nullopt;
    return with_cell_type(column.type().width(), [&]<class T>() {
      return find_cells(CellsInBlocks<T>(*blocks, context), column.rows(), false, keys);
    });
  }
  const std::optional<FlatCells> flat = column.flat();
  if (!flat || !is_searchable(*flat)) return std::nullopt;
  const bool has_sentinel = flat->nulls == NullEncoding::Sentinel;
  return with_cell_type(flat->cell_bytes, [&]<class T>() {
    return find_cells(CellsInMap<T>(*flat), column.rows(), has_sentinel, keys);
  });
}

}  // namespace heron::inline v0

#include "find/find_integers.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "heron/find.h"
#include "heron/schema.h"
#include "readahead/cells_ahead.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kKeysAtOnce = 32;

// Finds for each lane the first cell that is not below its key, or the end.
template <class T>
class CellSearch {
 public:
  CellSearch(const std::byte* cells, uint64_t rows, CellsAhead& pages)
      : cells_(cells), rows_(rows), pages_(pages) {}

  // Returns false if the cells read do not ascend. There is at least one row.
  bool run(const T* keys, uint64_t count, uint64_t* low);

 private:
  bool guess(const T* keys, uint64_t count, uint64_t* low) const;
  bool narrow(uint64_t left, const T* keys, uint64_t count, uint64_t* low) const;

  T cell(uint64_t row) const { return load_cell<T>(cells_, row); }

  const std::byte* cells_;
  uint64_t rows_;
  CellsAhead& pages_;
};

// Narrows each lane's search, `left` > 0 rows from low[lane] on. Checks that each cell is not below
// the last cell that was too low, and not above the last one that was not.
template <class T>
bool CellSearch<T>::narrow(uint64_t left, const T* keys, uint64_t count, uint64_t* low) const {
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
      if (next_half != 0) __builtin_prefetch(cells_ + (low[lane] + next_half - 1) * sizeof(T));
    }
    if (next_half != 0) pages_.prefetch(low, count, next_half - 1, 1);
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
template <class T>
bool CellSearch<T>::guess(const T* keys, uint64_t count, uint64_t* low) const {
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
    __builtin_prefetch(cells_ + low[lane] * sizeof(T));
    __builtin_prefetch(cells_ + (low[lane] + kGuessedRows - 1) * sizeof(T));
    __builtin_prefetch(cells_ + (low[lane] + kHalfGuess - 1) * sizeof(T));
  }
  pages_.prefetch(low, count, 0, kGuessedRows);
  bool holds = true;
  for (uint64_t lane = 0; lane < count; ++lane) {
    const uint64_t begin = low[lane], end = begin + kGuessedRows;
    holds &=
        (begin == 0 || cell(begin) < keys[lane]) && (end == rows_ || cell(end - 1) >= keys[lane]);
  }
  return holds;
}

template <class T>
bool CellSearch<T>::run(const T* keys, uint64_t count, uint64_t* low) {
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

template <class T>
std::optional<std::vector<uint64_t>> find_cells(const FlatCells& flat, uint64_t rows,
                                                bool has_sentinel,
                                                std::span<const int64_t> values) {
  using Limits = std::numeric_limits<T>;
  std::vector<uint64_t> found(values.size(), kNoRow);
  if (rows == 0) return found;
  CellsAhead pages(flat);
  const uint64_t ends[] = {0, rows - 1};
  pages.prefetch(ends, 2, 0, 1);
  const std::byte* cells = flat.cells.data();
  if (load_cell<T>(cells, 0) > load_cell<T>(cells, rows - 1)) return std::nullopt;
  CellSearch<T> search(cells, rows, pages);
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
      const bool equal =
          at[lane] < rows && int64_t{load_cell<T>(cells, at[lane])} == values[first + lane];
      if (is_value && equal) found[first + lane] = at[lane];
    }
  }
  return found;
}

// A mapped integer column in the order of its cells: nulls, if any, are the smallest.
std::optional<FlatCells> searchable(const Column& column) {
  const Type& type = column.type();
  const bool is_signed = has_number_cells(type) && visit_cell_type(type, []<class T>() {
                           return std::is_integral_v<T> && std::is_signed_v<T>;
                         });
  if (!is_signed) return std::nullopt;
  std::optional<FlatCells> flat = column.flat();
  if (!flat || flat->dictionary != nullptr) return std::nullopt;
  const bool ordered = flat->nulls == NullEncoding::Sentinel || flat->nulls == NullEncoding::Never;
  return ordered && flat->packed() && flat->cells.data() != nullptr ? flat : std::nullopt;
}

}  // namespace

std::optional<std::vector<uint64_t>> find_integers(const Column& column,
                                                   std::span<const int64_t> keys) {
  const std::optional<FlatCells> flat = searchable(column);
  if (!flat) return std::nullopt;
  const bool has_sentinel = flat->nulls == NullEncoding::Sentinel;
  switch (flat->cell_bytes) {
    case 1: return find_cells<int8_t>(*flat, column.rows(), has_sentinel, keys);
    case 2: return find_cells<int16_t>(*flat, column.rows(), has_sentinel, keys);
    case 4: return find_cells<int32_t>(*flat, column.rows(), has_sentinel, keys);
    default: return find_cells<int64_t>(*flat, column.rows(), has_sentinel, keys);
  }
}

}  // namespace heron::inline v0

// Binary search. For one integer column that is mapped, many keys at a time: each step asks for the
// cells of the next, so that the misses of all of them overlap. For any other columns, key by key
// through a RowView.
#include <algorithm>
#include <limits>

#include "columns/cells.h"
#include "columns/scalar.h"
#include "query/batch.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kLanes = 32;

// Narrows each lane's search, `left` > 0 ascending rows from low[lane] on, down to the first row
// that is not below its key, or one row behind.
template <class T>
void narrow(const std::byte* cells, uint64_t left, const T* keys, uint64_t count, uint64_t* low) {
  while (left > 1) {
    const uint64_t half = left / 2;
    left -= half;
    const uint64_t next_half = left / 2;
    for (uint64_t lane = 0; lane < count; ++lane) {
      low[lane] += load_cell<T>(cells, low[lane] + half - 1) < keys[lane] ? half : 0;
      if (next_half != 0) __builtin_prefetch(cells + (low[lane] + next_half - 1) * sizeof(T));
    }
  }
  for (uint64_t lane = 0; lane < count; ++lane)
    low[lane] += load_cell<T>(cells, low[lane]) < keys[lane];
}

// Where keys are spread evenly, as ids and times often are, a straight line from the first row to
// the last gives the place of a key within a few thousand rows. Two cells show whether it did.
constexpr uint64_t kHalfGuess = 2048;
constexpr uint64_t kGuessedRows = 2 * kHalfGuess;

template <class T>
class Guess {
 public:
  Guess(const std::byte* cells, uint64_t rows)
      : cells_(cells),
        rows_(rows),
        first_(load_cell<T>(cells, 0)),
        last_(load_cell<T>(cells, rows - 1)),
        rows_per_step_(last_ > first_
                           ? static_cast<double>(rows) / (static_cast<double>(last_) - first_)
                           : 0) {}

  // Where kGuessedRows rows begin that should hold the key; asks memory for both ends.
  uint64_t window(T key) const {
    const T inside = std::max(std::min(key, last_), first_);  // not clamp: rows may not ascend
    const double place = (static_cast<double>(inside) - first_) * rows_per_step_;
    const double most = static_cast<double>(rows_ - kGuessedRows);
    const auto begin = static_cast<uint64_t>(std::clamp(place - kHalfGuess, 0.0, most));
    __builtin_prefetch(cells_ + begin * sizeof(T));
    __builtin_prefetch(cells_ + (begin + kGuessedRows - 1) * sizeof(T));
    __builtin_prefetch(cells_ + (begin + kHalfGuess - 1) * sizeof(T));
    return begin;
  }
  bool holds(uint64_t begin, T key) const {
    return (begin == 0 || load_cell<T>(cells_, begin) < key) &&
           (begin + kGuessedRows == rows_ || load_cell<T>(cells_, begin + kGuessedRows - 1) >= key);
  }

 private:
  const std::byte* cells_;
  uint64_t rows_;
  T first_, last_;
  double rows_per_step_;
};

// The first rows whose cells are not below the keys, among `rows` > 0 that ascend.
template <class T>
void lower_bounds(const std::byte* cells, uint64_t rows, const T* keys, uint64_t count,
                  uint64_t* low) {
  bool guessed = rows > 8 * kGuessedRows;
  if (guessed) {
    const Guess<T> guess(cells, rows);
    for (uint64_t lane = 0; lane < count; ++lane) low[lane] = guess.window(keys[lane]);
    for (uint64_t lane = 0; lane < count; ++lane) guessed &= guess.holds(low[lane], keys[lane]);
  }
  if (!guessed) std::fill_n(low, count, uint64_t{0});
  narrow(cells, guessed ? kGuessedRows : rows, keys, count, low);
}

template <class T>
std::vector<uint64_t> find_integers(const std::byte* cells, uint64_t rows, bool has_sentinel,
                                    std::span<const int64_t> wanted) {
  using Limits = std::numeric_limits<T>;
  std::vector<uint64_t> found(wanted.size(), kNoRow);
  if (rows == 0) return found;
  for (uint64_t first = 0; first < wanted.size(); first += kLanes) {
    const uint64_t count = std::min<uint64_t>(kLanes, wanted.size() - first);
    T keys[kLanes];
    for (uint64_t lane = 0; lane < count; ++lane) {
      keys[lane] =
          static_cast<T>(std::clamp<int64_t>(wanted[first + lane], Limits::min(), Limits::max()));
    }
    uint64_t at[kLanes];
    lower_bounds(cells, rows, keys, count, at);
    for (uint64_t lane = 0; lane < count; ++lane) {
      const bool is_value = !has_sentinel || keys[lane] != Limits::min();
      const bool equal =
          at[lane] < rows && int64_t{load_cell<T>(cells, at[lane])} == wanted[first + lane];
      if (is_value && equal) found[first + lane] = at[lane];
    }
  }
  return found;
}

// A mapped integer column whose order is that of its cells: missing ones are the smallest, or there
// are none.
std::optional<FlatCells> searchable(const Column& column) {
  const Type& type = column.type();
  const bool is_signed = has_number_cells(type) && visit_cell_type(type, []<class T>() {
                           return std::is_integral_v<T> && std::is_signed_v<T>;
                         });
  if (!is_signed) return std::nullopt;
  std::optional<FlatCells> flat = column.flat();
  if (!flat || flat->dictionary != nullptr) return std::nullopt;
  const bool ordered =
      flat->missing == MissingRule::Sentinel || flat->missing == MissingRule::Never;
  return ordered && flat->packed() && flat->cells.data() != nullptr ? flat : std::nullopt;
}

std::vector<uint64_t> find_in(const Column& column, const FlatCells& flat,
                              std::span<const int64_t> keys) {
  const bool has_sentinel = flat.missing == MissingRule::Sentinel;
  const std::byte* cells = flat.cells.data();
  switch (flat.cell_bytes) {
    case 1: return find_integers<int8_t>(cells, column.rows(), has_sentinel, keys);
    case 2: return find_integers<int16_t>(cells, column.rows(), has_sentinel, keys);
    case 4: return find_integers<int32_t>(cells, column.rows(), has_sentinel, keys);
    default: return find_integers<int64_t>(cells, column.rows(), has_sentinel, keys);
  }
}

// Whether a scalar can be a value of the column.
bool fits(const Type& type, const Scalar& scalar) {
  if (std::holds_alternative<std::monostate>(scalar)) return true;
  const bool is_integer =
      std::holds_alternative<int64_t>(scalar) || std::holds_alternative<uint64_t>(scalar);
  if (type.is_text()) return std::holds_alternative<std::string>(scalar);
  if (type.is(Type::Bool)) return std::holds_alternative<bool>(scalar);
  if (type.is_float()) return is_integer || std::holds_alternative<double>(scalar);
  return is_integer && has_number_cells(type);
}

void check_key(const Projection& columns, std::span<const Scalar> key) {
  for (uint64_t c = 0; c < columns.size(); ++c) {
    const Column& column = *columns.columns()[c];
    if (!fits(column.type(), key[c])) {
      fail(ErrorKind::Argument, columns.table()->bytes()->name(), "column \"", column.name(),
           "\" of type ", column.type().name(), " cannot hold that key");
    }
  }
}

// Compares rows with one key, column after column.
class KeySearch {
 public:
  KeySearch(const Projection& columns, const Context& context)
      : columns_(columns), row_(columns, context), rows_(columns.table()->rows()) {}

  uint64_t lower_bound(std::span<const Scalar> key) { return bound(key, false); }
  uint64_t upper_bound(std::span<const Scalar> key) { return bound(key, true); }
  bool equals(uint64_t row, std::span<const Scalar> key) {
    return row < rows_ && compare_row(row, key) == std::strong_ordering::equal;
  }

 private:
  // The first row above the key, or not below it.
  uint64_t bound(std::span<const Scalar> key, bool above) {
    uint64_t low = 0;
    for (uint64_t left = rows_; left != 0;) {
      const uint64_t half = left / 2;
      const auto order = compare_row(low + half, key);
      if (order < 0 || (above && order == 0)) {
        low += half + 1;
        left -= half + 1;
      } else {
        left = half;
      }
    }
    return low;
  }

  std::strong_ordering compare_row(uint64_t row, std::span<const Scalar> key) {
    row_.seek(row);
    for (uint64_t c = 0; c < columns_.size(); ++c) {
      const auto order =
          compare(scalar_at(row_, columns_.columns()[c]->type(), c), view_of(key[c]));
      if (order != std::strong_ordering::equal) return order;
    }
    return std::strong_ordering::equal;
  }

  const Projection& columns_;
  RowView row_;
  uint64_t rows_;
};

}  // namespace

std::vector<uint64_t> find(const Projection& columns, std::span<const Scalar> keys,
                           const Context& context) {
  const ByteSource& bytes = *columns.table()->bytes();
  if (columns.size() == 0 || keys.size() % columns.size() != 0) {
    fail(ErrorKind::Argument, bytes.name(), "expected ", columns.size(), " values a key, got ",
         keys.size(), " in all");
  }
  std::vector<uint64_t> found;
  found.reserve(keys.size() / columns.size());
  unless_changed(bytes, [&] {
    KeySearch search(columns, context);
    for (; !keys.empty(); keys = keys.subspan(columns.size())) {
      context.check_cancelled();
      const auto key = keys.first(columns.size());
      check_key(columns, key);
      const uint64_t row = search.lower_bound(key);
      found.push_back(search.equals(row, key) ? row : kNoRow);
    }
    bytes.check_unchanged();
  });
  return found;
}

std::vector<uint64_t> find(const Projection& column, std::span<const int64_t> keys,
                           const Context& context) {
  const ByteSource& bytes = *column.table()->bytes();
  if (column.size() != 1) {
    fail(ErrorKind::Argument, bytes.name(), "expected one column to search, got ", column.size());
  }
  const auto flat = unless_changed(bytes, [&] { return searchable(*column.columns()[0]); });
  if (flat) {
    std::vector<uint64_t> found = find_in(*column.columns()[0], *flat, keys);
    bytes.check_unchanged();
    return found;
  }
  const std::vector<Scalar> scalars(keys.begin(), keys.end());
  return find(column, std::span(scalars), context);
}

RowRange find_range(const Projection& columns, std::span<const Scalar> key,
                    const Context& context) {
  const ByteSource& bytes = *columns.table()->bytes();
  if (columns.size() == 0 || key.size() != columns.size()) {
    fail(ErrorKind::Argument, bytes.name(), "expected ", columns.size(), " values a key, got ",
         key.size());
  }
  check_key(columns, key);
  return unless_changed(bytes, [&] {
    KeySearch search(columns, context);
    const uint64_t first = search.lower_bound(key);
    const RowRange range{first, std::max(first, search.upper_bound(key))};
    bytes.check_unchanged();
    return range;
  });
}

}  // namespace heron::inline v0

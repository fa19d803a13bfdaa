#include "sample/row_store.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

#include "columns/column.h"
#include "heron/take.h"
#include "rows/batch.h"
#include "sample/record_copy.h"
#include "table/internals.h"
#include "values/bitmap.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// Rows taken at once, whose records stay in a cache. A multiple of 8: their bits begin a byte.
constexpr uint64_t kMaxRowsTogether = 256;

// Returns the type of a column's cells; for keys, the type of the stored numbers.
const Type& cell_type(const Type& type) {
  return type.is(Type::Key) ? type.item() : type;
}
uint64_t cell_bytes(const Type& type) {
  return type.is(Type::Bool) ? 1 : type.width();
}

// Calls visit.operator()<T>() with the C++ type of the cells: bool for Bool, a byte each.
template <class Visit>
void visit_cells(const Type& type, const Visit& visit) {
  if (type.is(Type::Bool)) return visit.template operator()<bool>();
  visit_cell_type(type, visit);
}

// Returns whether the cells are narrower than an element, and can mark nulls.
bool is_narrow(const Column& column, uint64_t element_bytes) {
  const Type& type = column.type();
  if (type.is(Type::Vector) || cell_bytes(type) >= element_bytes) return false;
  if (!column.nullable() || !type.is_integer()) return true;
  const std::optional<FlatCells> flat = column.flat();
  return !flat || flat->nulls != NullEncoding::Bitmap;
}

// Returns whether a cell alone is a value, without a dictionary or other memory.
bool has_plain_cells(const Column& column) {
  const Type& type = column.type();
  return type.is(Type::Bool) || (has_number_cells(type) && column.key_values() == nullptr);
}

template <class Stored>
constexpr Stored null_cell() {
  if constexpr (std::is_floating_point_v<Stored>) {
    return std::numeric_limits<Stored>::quiet_NaN();
  } else {
    return std::is_signed_v<Stored> ? std::numeric_limits<Stored>::min() : Stored{0};
  }
}

// Copies the cells of a column to addresses `stride` bytes apart. Returns false if the column is
// nullable and has a value that is stored as null.
template <class Stored>
bool put(const Values& values, bool nullable, std::byte* to, uint64_t stride) {
  bool ambiguous = false;
  for (uint64_t row = 0; row < values.rows; ++row) {
    std::byte* cell = to + row * stride;
    if constexpr (std::is_same_v<Stored, bool>) {
      *cell = std::byte{values.data.bit(row)};
    } else {
      const auto value = cell_of<Stored>(values, row);
      std::memcpy(cell, &value, sizeof(Stored));
      if constexpr (std::is_integral_v<Stored>) ambiguous |= is_null_cell<Stored>(cell);
    }
  }
  if (values.null_count == 0) return !(nullable && ambiguous);
  ambiguous = false;
  for (uint64_t row = 0; row < values.rows; ++row) {
    std::byte* cell = to + row * stride;
    if (values.validity.bit(row)) {
      if constexpr (std::is_integral_v<Stored>) ambiguous |= is_null_cell<Stored>(cell);
    } else if constexpr (std::is_same_v<Stored, bool>) {
      *cell = std::byte{0x80};
    } else {
      const auto null = null_cell<Stored>();
      std::memcpy(cell, &null, sizeof(Stored));
    }
  }
  return !ambiguous;
}

// Converts `count` cells of each row, at a stride, to elements of a matrix.
template <class Stored, class T, bool kNullable>
struct Spread {
  HERON_INLINE static void run(const std::byte* cells, uint64_t stride, uint64_t rows,
                               uint64_t count, T* out, uint64_t width) {
    bool any_null = false;
    for (uint64_t row = 0; row < rows; ++row, cells += stride, out += width) {
      for (uint64_t c = 0; c < count; ++c) {
        const std::byte* cell = cells + c * sizeof(Stored);
        out[c] = kNullable ? element_or_nan<Stored, T>(cell, any_null)
                           : load_cell_as<Stored, T>(cell, 0);
      }
    }
  }
};

template <class Source>
void add_sorted(std::vector<uint64_t>& all, const Source& more) {
  all.insert(all.end(), more.begin(), more.end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

bool same_columns(const Projection& a, const Projection& b) {
  return a.table() == b.table() && std::ranges::equal(a.indices(), b.indices());
}

}  // namespace

RowStore::RowStore(Content content, std::span<const uint64_t> as_elements)
    : content_(std::move(content)), width_(matrix_width(content_.features)) {
  lay_out(as_elements);
  lay_out_apart();
}

bool RowStore::is_of(const Content& other) const noexcept {
  return same_columns(content_.features, other.features) &&
         content_.apart.has_value() == other.apart.has_value() &&
         (!other.apart || same_columns(*content_.apart, *other.apart)) &&
         content_.is_float64 == other.is_float64 && content_.rows.first == other.rows.first &&
         content_.rows.last == other.rows.last;
}

void RowStore::lay_out(std::span<const uint64_t> as_elements) {
  const std::span<const Column* const> features = internals(content_.features).columns();
  const Type element = content_.is_float64 ? Type::Float64 : Type::Float32;
  std::vector<uint64_t> elements, cells;  // column indices in the table
  std::vector<uint64_t> first;            // each feature's first column of the matrix
  std::vector<bool> narrow;
  for (uint64_t c = 0, column = 0; c < features.size(); ++c) {
    const Type& type = features[c]->type();
    narrow.push_back(is_narrow(*features[c], element.width()) &&
                     std::ranges::find(as_elements, c) == as_elements.end());
    (narrow[c] ? cells : elements).push_back(content_.features.indices()[c]);
    first.push_back(column);
    const uint64_t columns = type.is(Type::Vector) ? type.size() : 1;
    column += columns;
    if (narrow[c]) continue;
    add_run({element, false, element_bytes_, first[c], columns});
    element_bytes_ += columns * element.width();
  }
  feature_bytes_ = element_bytes_;
  for (uint64_t c = 0; c < features.size(); ++c) {
    if (!narrow[c]) continue;
    const Type& type = features[c]->type();
    const bool nullable = features[c]->nullable();
    narrow_.push_back({c, nullable, feature_bytes_});
    add_run({cell_type(type), nullable, feature_bytes_, first[c], 1});
    feature_bytes_ += cell_bytes(type);
  }
  const auto& table = content_.features.table();
  if (!elements.empty()) elements_.emplace(table, elements);
  if (!cells.empty()) cells_.emplace(table, cells);
  row_bytes_ = feature_bytes_;
}

void RowStore::add_run(const Run& run) {
  if (!runs_.empty()) {
    Run& last = runs_.back();
    if (last.type == run.type && last.nullable == run.nullable &&
        last.column + last.count == run.column) {
      last.count += run.count;
      return;
    }
  }
  runs_.push_back(run);
}

void RowStore::lay_out_apart() {
  if (!content_.apart) return;
  const std::span<const Column* const> columns = internals(*content_.apart).columns();
  const bool all_plain = std::all_of(columns.begin(), columns.end(), [](const Column* column) {
    return has_plain_cells(*column);
  });
  if (!all_plain) return;
  for (const Column* column : columns) {
    apart_.push_back({column->type(), row_bytes_, column->nullable()});
    row_bytes_ += apart_.back().width() + (apart_.back().nullable ? 1 : 0);
  }
}

void RowStore::allocate(std::shared_ptr<MemoryBudget> budget) {
  records_ = memory_.emplace(std::move(budget), bytes()).allocate(bytes());
}

void RowStore::fill(RowRange rows, const Context& context) {
  content_.is_float64 ? fill_as<double>(rows, context) : fill_as<float>(rows, context);
}

template <class T>
void RowStore::fill_as(RowRange rows, const Context& context) {
  if (element_bytes_ == row_bytes_) {
    T* to = reinterpret_cast<T*>(record(rows.first));
    return read_elements(content_.features, rows, std::span(to, rows.rows() * width_), context);
  }
  constexpr uint64_t kBytesAtOnce = uint64_t{1} << 20, kMaxRows = 8192;
  const uint64_t at_once = std::clamp<uint64_t>(kBytesAtOnce / row_bytes_, 16, kMaxRows);
  std::vector<T> elements;
  RowBatch cells, apart;
  for (RowRange some{rows.first, rows.first}; some.first < rows.last; some.first = some.last) {
    context.check_cancelled();
    some.last = some.first + std::min(at_once, rows.last - some.first);
    if (elements_) {
      elements.resize(some.rows() * element_bytes_ / sizeof(T));
      read_elements(*elements_, some, std::span(elements), context);
      const auto* from = reinterpret_cast<const std::byte*>(elements.data());
      for (uint64_t row = some.first; row < some.last; ++row, from += element_bytes_) {
        std::memcpy(record(row), from, element_bytes_);
      }
    }
    if (cells_) {
      read(*cells_, some, cells, context);
      put_narrow(cells, some);
    }
    if (has_apart()) {
      read(*content_.apart, some, apart, context);
      put_apart(apart, some);
    }
  }
  content_.features.table()->check_unchanged();  // values may lie in the file
}

template <class T>
void RowStore::read_elements(const Projection& columns, RowRange rows, std::span<T> out,
                             const Context& context) {
  matrix<T>(columns, rows, out, MatrixNull::NaN, context);
  if constexpr (std::is_same_v<T, float>) {
    std::vector<uint64_t> found = rounded_columns(columns, out);
    if (found.empty()) return;
    const auto features = content_.features.indices();
    for (uint64_t& column : found) {
      const auto at = std::ranges::find(features, columns.indices()[column]);
      column = static_cast<uint64_t>(at - features.begin());
    }
    const std::lock_guard lock(mutex_);
    add_sorted(rounded_, found);
  }
}

void RowStore::put_narrow(const RowBatch& batch, RowRange rows) {
  for (uint64_t i = 0; i < narrow_.size(); ++i) {
    const Narrow& column = narrow_[i];
    const Values& values = batch.columns[i];
    bool is_clear = true;
    visit_cells(values.type, [&]<class Stored>() {
      is_clear = put<Stored>(values, column.nullable, record(rows.first) + column.offset,
                             row_bytes_);
    });
    if (values.null_count != 0) any_null_ = true;
    if (is_clear) continue;
    const std::lock_guard lock(mutex_);
    add_sorted(ambiguous_, std::span(&column.feature, 1));
  }
}

void RowStore::put_apart(const RowBatch& batch, RowRange rows) {
  for (uint64_t i = 0; i < apart_.size(); ++i) {
    const Apart& column = apart_[i];
    const Values& values = batch.columns[i];
    const uint64_t width = column.width();
    std::byte* to = record(rows.first) + column.offset;
    for (uint64_t row = 0; row < values.rows; ++row, to += row_bytes_) {
      if (values.type.is(Type::Bool)) {
        *to = std::byte{values.data.bit(row)};
      } else {
        std::memcpy(to, values.data.data + row * width, width);
      }
      if (column.nullable) to[width] = std::byte{!values.is_null(row)};
    }
  }
}

std::vector<uint64_t> RowStore::ambiguous() const {
  const std::lock_guard lock(mutex_);
  return ambiguous_;
}

std::vector<uint64_t> RowStore::rounded() const {
  const std::lock_guard lock(mutex_);
  return rounded_;
}

template <class T>
void RowStore::take(std::span<const uint64_t> rows, T* out, RowBatch* apart,
                    const Context& context) const {
  assert((content_.is_float64 == std::is_same_v<T, double>));
  const Records records{records_, content_.rows.first, row_bytes_};
  const bool as_elements = element_bytes_ == feature_bytes_;
  std::vector<std::byte> room;
  uint64_t at_once = kMaxRowsTogether;
  if (!as_elements) {
    constexpr uint64_t kRoomBytes = uint64_t{16} << 10;
    at_once = std::clamp<uint64_t>(kRoomBytes / feature_bytes_ / 8 * 8, 8, kMaxRowsTogether);
    room.resize(at_once * feature_bytes_);
  }
  const RecordCopy copy(records, feature_bytes_);
  std::vector<Room> rooms;
  if (apart != nullptr) rooms = begin_apart(rows.size(), *apart, context);
  for (uint64_t first = 0; first < rows.size(); first += at_once, out += at_once * width_) {
    context.check_cancelled();
    const uint64_t end = std::min<uint64_t>(rows.size(), first + at_once);
    if (as_elements) {
      copy.run(rows, first, end, reinterpret_cast<std::byte*>(out));
    } else {
      copy.run(rows, first, end, room.data());
      spread(room.data(), end - first, out);
    }
    const auto some = rows.subspan(first, end - first);
    for (uint64_t i = 0; i < rooms.size(); ++i) {
      const Records cells = records.from(apart_[i].offset);
      const uint64_t width = apart_[i].width();
      if (apart_[i].type.is(Type::Bool)) {
        gather_first_bits(cells, some, rooms[i].cells + first / 8);
      } else {
        gather_first_cells(cells, width, some, rooms[i].cells + first * width);
      }
      if (rooms[i].validity == nullptr) continue;
      apart->columns[i].null_count +=
          gather_first_bits(cells.from(width), some, rooms[i].validity + first / 8);
    }
  }
}

// Makes a batch whose values are still to be written.
std::vector<RowStore::Room> RowStore::begin_apart(uint64_t rows, RowBatch& batch,
                                                  const Context& context) const {
  Arena& arena = begin_batch(batch, *content_.apart, context);
  batch.source = nullptr;  // nothing lies in the file
  batch.rows = rows;
  std::vector<Room> rooms;
  for (const Apart& column : apart_) {
    Values& values = batch.columns.emplace_back(column.type, rows);
    const uint64_t bytes = column.type.is(Type::Bool) ? bitmap_bytes(rows) : rows * column.width();
    Room& room = rooms.emplace_back(Room{arena.allocate(bytes), nullptr});
    values.data = {room.cells, bytes};
    if (!column.nullable) continue;
    room.validity = arena.allocate(bitmap_bytes(rows));
    values.validity = {room.validity, bitmap_bytes(rows)};
  }
  return rooms;
}

// Fills rows of the matrix from records that hold only the features.
template <class T>
void RowStore::spread(const std::byte* records, uint64_t rows, T* out) const {
  for (const Run& run : runs_) {
    visit_cells(run.type, [&]<class Stored>() {
      const std::byte* cells = records + run.offset;
      T* to = out + run.column;
      if (run.nullable && any_null_) {
        dispatch<Spread<Stored, T, true>>(cells, feature_bytes_, rows, run.count, to, width_);
      } else {
        dispatch<Spread<Stored, T, false>>(cells, feature_bytes_, rows, run.count, to, width_);
      }
    });
  }
}

template void RowStore::take(std::span<const uint64_t>, float*, RowBatch*, const Context&) const;
template void RowStore::take(std::span<const uint64_t>, double*, RowBatch*, const Context&) const;

}  // namespace heron::inline v0

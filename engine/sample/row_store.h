// Keeps rows in memory as records, so that a random row costs a cache miss or two and not one for
// each column, and blocks are decoded once.
//
// A record has the elements of a row of the matrix, except of columns whose stored cells are
// narrower than an element; then these narrow cells; last the cells of the columns apart, each with
// a byte behind it, if the column is nullable, that is 1 if the cell has a value. Records have no
// gaps. element_or_nan() (values/cells.h) defines what a narrow cell holds for null.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "base/arena.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

class RowStore {
 public:
  // The rows of a matrix of the columns `features`, in float64 or else float32, and of the columns
  // `apart`.
  struct Content {
    Projection features;
    std::optional<Projection> apart;
    bool is_float64;
    RowRange rows;
  };
  // `as_elements`: indices among the features of columns that have no cell left for null.
  // Allocates no memory for rows yet.
  RowStore(Content content, std::span<const uint64_t> as_elements);

  const Content& content() const noexcept { return content_; }
  bool is_of(const Content& other) const noexcept;
  uint64_t row_bytes() const noexcept { return row_bytes_; }
  uint64_t bytes() const noexcept { return content_.rows.rows() * row_bytes_; }
  // Returns whether records have the cells of the columns apart: if all have a fixed width up to 8
  // bytes and no key has values.
  bool has_apart() const noexcept { return !apart_.empty(); }

  // Allocates the records; call it before fill(). Throws Error(Limit).
  void allocate(std::shared_ptr<MemoryBudget> budget);
  // Reads some of the rows into memory. Thread-safe for different rows. Throws what read() throws.
  void fill(RowRange rows, const Context& context);
  // Returns indices among the features of columns in which fill() found values that a narrow cell
  // holds for null: if there are any, the rows cannot be taken.
  std::vector<uint64_t> ambiguous() const;
  // Returns columns that float32 may have rounded, as rounded_columns() does.
  std::vector<uint64_t> rounded() const;

  // Fills a matrix with rows that fill() read, and, if it has_apart(), the batch. T is double if
  // the content is_float64. Const calls are thread-safe. Throws Error(Limit), Error(Cancelled).
  template <class T>
  void take(std::span<const uint64_t> rows, T* out, RowBatch* apart, const Context& context) const;

 private:
  // Adjacent columns of the matrix with cells of one type that lie side by side in a record.
  struct Run {
    Type type;
    bool nullable;
    uint64_t offset;  // bytes from the start of a record
    uint64_t column;  // first column of the matrix
    uint64_t count;
  };
  struct Narrow {
    uint64_t feature;
    bool nullable;
    uint64_t offset;
  };
  struct Apart {
    Type type;
    uint64_t offset;
    bool nullable;  // the byte behind the cell is 1 if it has a value
    uint64_t width() const noexcept { return type.is(Type::Bool) ? 1 : type.width(); }
  };

  // The memory to which the values of a column apart are written.
  struct Room {
    std::byte* cells;
    std::byte* validity;
  };

  void add_run(const Run& run);
  void lay_out(std::span<const uint64_t> as_elements);
  void lay_out_apart();
  std::byte* record(uint64_t row) const noexcept {
    return records_ + (row - content_.rows.first) * row_bytes_;
  }
  template <class T>
  void fill_as(RowRange rows, const Context& context);
  template <class T>
  void read_elements(const Projection& columns, RowRange rows, std::span<T> out,
                     const Context& context);
  void put_narrow(const RowBatch& batch, RowRange rows);
  void put_apart(const RowBatch& batch, RowRange rows);
  template <class T>
  void spread(const std::byte* records, uint64_t rows, T* out) const;
  std::vector<Room> begin_apart(uint64_t rows, RowBatch& batch, const Context& context) const;

  const Content content_;
  std::optional<Projection> elements_, cells_;  // features stored as elements, as cells
  uint64_t element_bytes_ = 0;  // elements of a record
  uint64_t feature_bytes_ = 0;  // elements and narrow cells of a record
  uint64_t row_bytes_ = 0;
  uint64_t width_;  // columns of the matrix
  std::vector<Run> runs_;
  std::vector<Narrow> narrow_;
  std::vector<Apart> apart_;
  std::optional<Arena> memory_;
  std::byte* records_ = nullptr;
  std::atomic<bool> any_null_{false};  // some narrow cell is null
  mutable std::mutex mutex_;           // guards the members below
  std::vector<uint64_t> ambiguous_, rounded_;
};

}  // namespace heron::inline v0

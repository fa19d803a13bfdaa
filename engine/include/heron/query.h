// One description of the requested rows and columns, which every call over rows takes:
//
//   heron::Query query(data->table());
//   query.columns = {"price", "city"};
//   query.where = "price > 3.5";
//   query.order = {{"price", heron::Descending}};
//   query.limit = 10;
//   heron::Scan scan(query);
//
// What a call cannot do with a member that is set is Error(Argument), never ignored:
//
//                        columns  where  range  limit  order  by
//   Scan, table_rows,       x       x      x      x      x
//     export_stream
//   count, aggregate,               x      x
//     Selection
//   stats,                  x       x      x
//     Loader
//   ordered_rows                    x      x      x      x
//   group_by                        x      x      x      x     x    limit and order: of the answer
//   take, read, matrix,     x                                       they take a Projection:
//     find, RowView                                                 query.projection(), or
//                                                                   {table, {"a"}}
//
// Names are looked up and predicates parsed once a call: to make many calls with the same ones, set
// a Projection and a Predicate instead.
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "heron/error.h"
#include "heron/export.h"
#include "heron/expression.h"
#include "heron/table.h"
#include "heron/values.h"

namespace heron::inline v0 {

enum Direction : uint8_t { Ascending, Descending };

// A column by whose values rows are ordered: nulls first, false before true, any NaN as null, -0.0
// as 0.0, texts by bytes; reversed where descending.
struct OrderBy {
  std::string column;
  Direction direction = Ascending;
};

// Columns of a table: the default of Projection, columns by name or number, or those of a
// Projection.
class HERON_EXPORT Columns {
 public:
  Columns() = default;
  Columns(std::initializer_list<std::string_view> names)
      : columns_(Names(names.begin(), names.end())) {}
  Columns(std::initializer_list<uint64_t> numbers) : columns_(Numbers(numbers)) {}
  Columns(std::vector<std::string> names) : columns_(std::move(names)) {}
  Columns(std::vector<uint64_t> numbers) : columns_(std::move(numbers)) {}
  Columns(Projection columns) : columns_(std::move(columns)) {}
  Columns(const Columns&) = default;
  Columns(Columns&&) noexcept = default;
  ~Columns() = default;
  // Takes its argument by value, so that `= {}` is one call and not two: it sets nothing.
  Columns& operator=(Columns columns) noexcept {
    columns_ = std::move(columns.columns_);
    return *this;
  }

  bool are_set() const noexcept { return columns_.index() != 0; }
  // Returns the columns of that table. Throws as the constructors of Projection do, and
  // Error(Argument) for a Projection of another table and for a null pointer.
  Projection of(const std::shared_ptr<const Table>& table) const;

 private:
  using Names = std::vector<std::string>;
  using Numbers = std::vector<uint64_t>;
  std::variant<std::monostate, Names, Numbers, Projection> columns_;
};

// A predicate on rows, or none: as text, or parsed.
class HERON_EXPORT Where {
 public:
  Where() = default;
  // Throws Error(Argument) for a null pointer.
  template <std::convertible_to<std::string_view> Text>
  Where(const Text& text) : where_(string_of(text)) {}
  // A text with a value for each `?` in it.
  Where(std::string_view text, std::vector<QueryParameter> parameters)
      : where_(WithParameters{std::string(text), std::move(parameters)}) {}
  Where(Predicate predicate) : where_(std::move(predicate)) {}
  Where(std::optional<Predicate> predicate) {
    if (predicate) where_ = *std::move(predicate);
  }

  bool is_set() const noexcept { return where_.index() != 0; }
  // Returns the predicate on that table; nullopt if none is set. Throws as the constructor of
  // Predicate does, and Error(Argument) for a Predicate on another table.
  std::optional<Predicate> on(const std::shared_ptr<const Table>& table) const;

 private:
  static std::string string_of(std::string_view text) { return std::string(text); }
  static std::string string_of(const char* text) { return std::string(text_at(text)); }

  struct WithParameters {
    std::string text;
    std::vector<QueryParameter> values;
  };
  std::variant<std::monostate, std::string, WithParameters, Predicate> where_;
};

// The work of queries: how much their predicates test, and what they select. The threads of a query
// add to it while it runs.
struct QueryMetrics {
  // Zones of the predicate's columns in the requested rows, and how many of them were not read,
  // because zone maps, keys or other columns had decided.
  std::atomic<uint64_t> zones{0};
  std::atomic<uint64_t> zones_skipped{0};
  std::atomic<uint64_t> values_tested{0};   // values read for the predicate
  std::atomic<uint64_t> bytes_tested{0};    // stored bytes of the tested values
  std::atomic<uint64_t> bytes_selected{0};  // bytes of the values in the result
  std::atomic<uint64_t> columns{0};         // columns read for the predicate or the result
  std::atomic<uint64_t> rows_selected{0};
};

// The rows that calls left out because they are damaged. Thread-safe.
class HERON_EXPORT SkippedRows {
 public:
  // Counts rows that a call did not read because of that Error(Corrupt). Throws it after
  // kMaxInARow calls in a row without a found_readable() between them, because a file may claim
  // any number of rows.
  void add(uint64_t rows, const Error& damage);
  void found_readable() noexcept { in_a_row_.store(0, std::memory_order_relaxed); }

  uint64_t rows() const;
  // The text of the first Error; empty if there was none.
  std::string damage() const;

  static constexpr uint64_t kMaxInARow = 100'000;

  // Forgets, when it is destroyed, what was added since it was made: for a pass over rows that are
  // read again later. Null is allowed. No other call may add meanwhile.
  class HERON_EXPORT Uncounted {
   public:
    explicit Uncounted(SkippedRows* all);
    ~Uncounted();
    Uncounted(const Uncounted&) = delete;
    Uncounted& operator=(const Uncounted&) = delete;

   private:
    SkippedRows* const all_;
    uint64_t rows_ = 0;
    std::string damage_;
  };

 private:
  mutable std::mutex mutex_;
  uint64_t rows_ = 0;
  std::string damage_;
  std::atomic<uint64_t> in_a_row_{0};
};

// Requests the first `limit` of the rows of `range` that pass `where`, sorted by `order`; without
// an order, in file order. A value that keeps its table alive; `metrics` and `skip_damaged`, if
// they are set, must outlive the calls that it is passed to, and the objects that these make.
struct Query {
  static constexpr uint64_t kNoLimit = UINT64_MAX;

  // Requests all rows of the table, or those that pass a predicate.
  Query(std::shared_ptr<const Table> of, Where predicate = {})
      : table(std::move(of)), where(std::move(predicate)) {}
  Query(Projection of, Where predicate = {})
      : table(of.table()), columns(std::move(of)), where(std::move(predicate)) {}
  Query(Predicate predicate) : table(predicate.table()), where(std::move(predicate)) {}

  // The columns, resolved, for the calls that take a Projection. Throws as Columns::of() does.
  Projection projection() const { return columns.of(table); }

  std::shared_ptr<const Table> table;
  Columns columns;
  Where where;
  std::optional<RowRange> range;  // default: all rows
  uint64_t limit = kNoLimit;
  std::vector<OrderBy> order;  // by the first column, ties by the next; then in file order
  Columns by;                  // the key columns of groups

  // Null, or what every call adds its work to.
  QueryMetrics* metrics = nullptr;
  // If not null, damage does not end calls that read rows in order or filter them: they continue
  // with the next readable block, and add the rows that they left out here.
  SkippedRows* skip_damaged = nullptr;
};

}  // namespace heron::inline v0

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
//   take, read, matrix,     x                                       they take a Projection, which a
//     find, RowView                                                 Query becomes, and {table,
//     {"a"}}
//
// Names are looked up and predicates parsed once a call: to make many calls with the same ones, set
// a Projection and a Predicate instead.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
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

// Requests the first `limit` of the rows of `range` that pass `where`, sorted by `order`; without
// an order, in file order. A value that keeps its table alive.
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
};

}  // namespace heron::inline v0

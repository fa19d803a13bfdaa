// The engine's view of the public classes: the columns, bytes and source of a table, the columns of
// a projection, the contents of a file. For predicates see expression/predicate.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/no_such.h"
#include "base/once.h"
#include "bytes/byte_source.h"
#include "columns/column.h"
#include "columns/row_layout.h"
#include "columns/runs.h"
#include "format/contents.h"
#include "format/table_source.h"
#include "heron/file.h"
#include "heron/table.h"

namespace heron::inline v0 {

class Names;
class ZoneMap;

// Opens columns and names at their first use. Thread-safe.
class Table::Internals {
 public:
  Internals(const Table& table, TableContents parts);
  ~Internals();
  Internals(const Internals&) = delete;
  Internals& operator=(const Internals&) = delete;

  const std::string& name() const noexcept { return name_.empty() ? parts_.name : name_; }
  // Called before the table is shared between threads.
  void set_name(std::string name) const { name_ = std::move(name); }
  const std::string& format() const noexcept { return format_; }
  // Called before the table is shared between threads.
  void set_format(std::string format) const { format_ = std::move(format); }
  uint64_t rows() const noexcept { return parts_.rows; }
  const std::shared_ptr<const ByteSource>& bytes() const noexcept { return parts_.bytes; }
  const TableSource& source() const noexcept { return *parts_.source; }
  uint64_t column_count() const noexcept { return columns_.size(); }
  const Column& column(uint64_t column) const;
  const Names& names() const;
  // The name of a column, without a look at all names if the source says that it needs none.
  std::string name_of(uint64_t column) const;
  // The result of Table::schema(), made by `make` at the first call.
  const Schema& schema(const std::function<Schema()>& make) const;
  const Runs* groups() const noexcept;
  // Null if the cells of a row are not adjacent.
  const RowLayout* row_layout() const noexcept { return row_layout_ ? &*row_layout_ : nullptr; }
  // The files of the table, in their order, each with the same columns; for one file, the table.
  std::span<const Fragment> fragments() const noexcept { return fragments_; }
  // The table's zone map, created by the first call.
  const ZoneMap& zone_map(const std::function<std::shared_ptr<const ZoneMap>()>& make) const;
  // The file whose sidecar may be used; null: none. Set before the table is shared between threads.
  const ByteSource* indexed_file() const noexcept { return indexed_file_.get(); }
  void set_indexed_file(std::shared_ptr<const ByteSource> file) const {
    indexed_file_ = std::move(file);
  }

 private:
  const TableContents parts_;
  mutable std::string name_;    // empty: that of parts_
  mutable std::string format_;  // empty: that of no file
  const std::optional<RowLayout> row_layout_;
  const std::vector<Fragment> fragments_;
  mutable std::vector<std::atomic<const Column*>> columns_;
  mutable Once names_once_, schema_once_, zone_map_once_;
  mutable std::unique_ptr<const Names> names_;
  mutable Schema schema_;
  mutable std::shared_ptr<const ZoneMap> zone_map_;
  mutable std::shared_ptr<const ByteSource> indexed_file_;
};

inline const Table::Internals& internals(const Table& table) noexcept {
  return *table.internals_;
}
// The bytes of a table: its file, or the payload that holds it.
inline const ByteSource& bytes_of(const Table& table) noexcept {
  return *internals(table).bytes();
}

// Throws Error(Argument) for a column, row, block or group that the table does not have.
[[noreturn]] void fail_no_such(const Table& table, std::string_view what, uint64_t number,
                               uint64_t count);
inline void check_column(const Table& table, uint64_t column) {
  const uint64_t count = internals(table).column_count();
  if (column >= count) fail_no_such(table, "column", column, count);
}

class Projection::Internals {
 public:
  Internals(std::shared_ptr<const Table> table, std::vector<uint64_t> indices,
            std::vector<uint64_t> left_out);

  const std::shared_ptr<const Table>& table() const noexcept { return table_; }
  std::span<const Column* const> columns() const noexcept { return columns_; }
  std::span<const uint64_t> indices() const noexcept { return indices_; }
  std::span<const uint64_t> left_out() const noexcept { return left_out_; }
  const std::shared_ptr<const Schema>& schema() const;

 private:
  const std::shared_ptr<const Table> table_;
  const std::vector<uint64_t> indices_, left_out_;
  std::vector<const Column*> columns_;
  mutable Once schema_once_;
  mutable std::shared_ptr<const Schema> schema_;
};

inline const Projection::Internals& internals(const Projection& columns) noexcept {
  return *columns.internals_;
}

inline const ByteSource& bytes_of(const Projection& columns) noexcept {
  return bytes_of(*internals(columns).table());
}

// The layout for reading these columns row by row; null: read them one after the other.
inline const RowLayout* row_layout(const Projection& columns) noexcept {
  const Projection::Internals& parts = internals(columns);
  return parts.columns().size() > 1 ? internals(*parts.table()).row_layout() : nullptr;
}

inline const FileContents& internals(const File& file) noexcept {
  return *file.parts_;
}

}  // namespace heron::inline v0

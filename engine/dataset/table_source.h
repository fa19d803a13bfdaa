// What a codec fills and a Table asks, column by column, at first use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "columns/column.h"
#include "columns/row_layout.h"
#include "columns/runs.h"

namespace heron::inline v0 {

// Immutable, thread-safe.
class TableSource {
 public:
  virtual ~TableSource() = default;

  virtual uint64_t column_count() const noexcept = 0;
  // As stored: may be empty, taken or odd. Table repairs it.
  virtual std::string stored_name(uint64_t column) const = 0;
  // What a column is called that has no name.
  virtual std::string default_name(uint64_t column) const { return concat("c", column); }
  // Parses and checks the column's description. Damage in it gives an UnreadableColumn, not an
  // Error, so that the other columns answer.
  virtual ColumnPtr open_column(uint64_t column, const std::string& name) const = 0;
  // What else the format says of a column, for schema(). Throws Error(Corrupt).
  virtual std::vector<Metadata> metadata(uint64_t) const { return {}; }
  // For verify(): what is stored twice, so that answers need not ask for it, holds. Of the table,
  // and of a column all of whose rows have been read, so many of them null. Throw Error(Corrupt).
  virtual void verify() const {}
  virtual void verify_column(uint64_t /*column*/, uint64_t /*nulls*/) const {}

  // How many bytes reading all of a column looks at, decompressed, as far as the file says without
  // their being read; those that columns share count for each. 0: it shares nothing.
  virtual uint64_t whole_bytes(uint64_t /*column*/, const Context& /*context*/) const { return 0; }

  virtual uint64_t key_columns() const noexcept { return 0; }
  // 0: the format has no blocks.
  virtual uint64_t block_rows() const noexcept { return 0; }
  // Runs of rows that belong together; null: the format has none, or this table.
  virtual const Runs* groups() const noexcept { return nullptr; }
  // The column that holds what is to be learnt.
  virtual std::optional<uint64_t> label_column() const noexcept { return std::nullopt; }
  // The column that tells which group a row is in, from 0.
  virtual std::optional<uint64_t> group_column() const noexcept { return std::nullopt; }
  // Of a table of many files, at least two; empty: the table is of one.
  virtual std::span<const Fragment> fragments() const noexcept { return {}; }
  // Where all columns lie side by side in rows.
  virtual std::optional<RowLayout> row_layout() const noexcept { return std::nullopt; }
};

}  // namespace heron::inline v0

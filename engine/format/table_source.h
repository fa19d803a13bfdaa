// The interface that a codec implements and Table calls, column by column, at first use.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "columns/column.h"
#include "columns/row_layout.h"
#include "columns/runs.h"
#include "format/stored_forest.h"
#include "heron/table.h"

namespace heron::inline v0 {

// A source of consecutive rows of a table: one of its files, or the table itself.
struct Fragment {
  const Table* table = nullptr;  // lives as long as the table that gives it
  uint64_t first_row = 0;        // number in the whole table of the fragment's row 0
};

// Immutable, thread-safe.
class TableSource {
 public:
  virtual ~TableSource() = default;

  virtual uint64_t column_count() const noexcept = 0;
  // The name as stored: may be empty, taken or odd. Table repairs it.
  virtual std::string stored_name(uint64_t column) const = 0;
  // Returns whether no stored name needs repair, so that a column is opened without a look at all
  // names: there may be a million.
  virtual bool has_sound_names() const noexcept { return false; }
  // The name of a column without one.
  virtual std::string default_name(uint64_t column) const { return concat("c", column); }
  // Parses and checks the column's description. Returns an UnreadableColumn for damage in it,
  // instead of throwing, so that other columns stay readable.
  virtual ColumnPtr open_column(uint64_t column, const std::string& name) const = 0;
  // Other metadata of a column, for schema(). Throws Error(Corrupt).
  virtual std::vector<Metadata> metadata(uint64_t) const { return {}; }
  // Returns whether all metadata() are statistics, which writers count again.
  virtual bool has_only_statistics() const noexcept { return false; }
  // verify() calls these to check what is stored redundantly and not needed for answers: once for
  // the table, and for each column after all of its rows were read, `nulls` of them null. They
  // throw Error(Corrupt).
  virtual void verify() const {}
  virtual void verify_column(uint64_t /*column*/, uint64_t /*nulls*/) const {}

  // How many decompressed bytes reading all of a column touches, as far as known without reading
  // them; bytes that columns share count for each. 0: the column shares nothing.
  virtual uint64_t whole_bytes(uint64_t /*column*/, const Context& /*context*/) const { return 0; }

  // Returns whether the values of a row are stored together, so that reading one column costs what
  // reading all of them does.
  virtual bool stores_rows() const noexcept { return row_layout().has_value(); }
  virtual uint64_t key_columns() const noexcept { return 0; }
  // 0: the format has no blocks.
  virtual uint64_t block_rows() const noexcept { return 0; }
  // Consecutive groups of rows; null: the format or this table has none.
  virtual const Runs* groups() const noexcept { return nullptr; }
  // The label column.
  virtual std::optional<uint64_t> label_column() const noexcept { return std::nullopt; }
  // The column with the group number of each row, from 0.
  virtual std::optional<uint64_t> group_column() const noexcept { return std::nullopt; }
  // The files of a table of many files, at least two; empty: the table has one.
  virtual std::span<const Fragment> fragments() const noexcept { return {}; }
  // Returns whether a computed column of a table of many files must be read from the whole table.
  virtual bool spans_files(uint64_t /*column*/) const noexcept { return false; }
  // The table whose columns are the first columns of this one; null if there is none.
  virtual const Table* extended() const noexcept { return nullptr; }
  // The layout of the rows, if the cells of each row are adjacent.
  virtual std::optional<RowLayout> row_layout() const noexcept { return std::nullopt; }
  // The forest, or the single tree, that the table describes; null: it describes none.
  virtual const StoredForest* forest() const noexcept { return nullptr; }
};

}  // namespace heron::inline v0

// A table of an open file, and projections of its columns.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/error.h"
#include "heron/export.h"
#include "heron/schema.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct TableContents;

// A table of a file, or of several files with the same tables as one. Immutable and thread-safe.
// Reads the description of a column at its first use.
class HERON_EXPORT Table {
 public:
  explicit Table(TableContents contents);  // called by formats
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const std::string& name() const noexcept;
  // The format of the file that holds the table, such as "jay"; for an archive, the entry's.
  const std::string& format() const noexcept;
  // The number of rows, at most 2^63 - 1: a file that claims more is not opened (Error(Limit)).
  uint64_t rows() const noexcept;
  uint64_t column_count() const noexcept;
  // How many leading columns are the key by which the rows are sorted and unique; 0: none.
  uint64_t key_columns() const noexcept;

  // All columns, also unreadable ones, with their metadata. Built at the first call, in time that
  // grows with the columns and their metadata. Throws Error(Corrupt) for invalid metadata,
  // Error(Limit) if columns share so much of it that a small file would fill memory.
  const Schema& schema() const;
  // One column of the schema, or a part of it. Throws Error(Argument) if there is no such column.
  Field field(uint64_t column) const;
  Field field_without_metadata(uint64_t column) const;
  std::vector<Metadata> metadata(uint64_t column) const;
  // Names are repaired (never empty, unique). Built at the first call that needs a name. Throws
  // Error(Argument) if there is no such column.
  const std::string& column_name(uint64_t column) const;
  std::optional<uint64_t> find_column(std::string_view name) const;
  std::optional<uint64_t> find_column(const char* name) const { return find_column(text_at(name)); }

  // Blocks of rows as stored; a format without blocks has blocks of 65,536 rows. If each column has
  // blocks of its own, these are the blocks of the first column.
  uint64_t block_rows() const noexcept;
  uint64_t block_count() const noexcept;
  // Throws Error(Argument) if there is no such block.
  RowRange block(uint64_t index) const;

  // Groups: consecutive rows that belong together, such as the documents of a search, in file
  // order. 0: the table has no groups.
  uint64_t group_count() const noexcept;
  // Throws Error(Argument) if there is no such group, Error(Corrupt) if the file's groups are
  // invalid; the first call checks all of them.
  RowRange group(uint64_t index) const;
  // The label column, if the format marks one.
  std::optional<uint64_t> label_column() const noexcept;
  // The column with the group number of each row, from 0, if there is one.
  std::optional<uint64_t> group_column() const noexcept;

  // Throws Error(Changed) if the file changed since it was opened. Every call that returns a batch
  // does this by itself. Costs a system call.
  void check_unchanged() const;

  class Internals;  // private to the engine

 private:
  friend const Internals& internals(const Table& table) noexcept;
  const std::unique_ptr<const Internals> internals_;
};

// Columns of one table, in the order requested: resolved once, used for any number of queries.
// Keeps its table alive. Cheap to copy.
class HERON_EXPORT Projection {
 public:
  // Projects every column except those of undefined type or codec. Throws Error(Unsupported) if
  // there are columns and all are such.
  explicit Projection(std::shared_ptr<const Table> table);
  // Throws Error(Argument) for an unknown name or number, Error(Unsupported) for a column of
  // undefined type, with the reason.
  Projection(std::shared_ptr<const Table> table, std::initializer_list<std::string_view> names);
  Projection(std::shared_ptr<const Table> table, std::span<const std::string> names);
  // Projects columns by number.
  Projection(std::shared_ptr<const Table> table, std::initializer_list<uint64_t> columns);
  Projection(std::shared_ptr<const Table> table, std::span<const uint64_t> columns);

  const std::shared_ptr<const Table>& table() const noexcept;
  uint64_t size() const noexcept;
  // The columns' numbers in the table.
  std::span<const uint64_t> indices() const noexcept;
  // Built at the first call.
  const std::shared_ptr<const Schema>& schema() const;
  // Rows per block, as in Table; if each column has its own blocks, those of the first projected
  // column.
  uint64_t block_rows() const noexcept;
  uint64_t block_count() const noexcept;
  // Throws Error(Argument) if there is no such block.
  RowRange block(uint64_t index) const;

  // The table's columns that the default leaves out, by their numbers; Field::reason says why.
  std::span<const uint64_t> left_out() const noexcept;

  class Internals;  // private to the engine

 private:
  void resolve(std::shared_ptr<const Table> table, std::vector<uint64_t> indices,
               std::vector<uint64_t> left_out = {});

  friend const Internals& internals(const Projection& columns) noexcept;
  std::shared_ptr<const Internals> internals_;
};

}  // namespace heron::inline v0

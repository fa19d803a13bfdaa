// An open file, its tables, and projections of their columns.
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

#include "heron/access.h"
#include "heron/context.h"
#include "heron/csv.h"
#include "heron/export.h"
#include "heron/format_options.h"
#include "heron/metrics.h"
#include "heron/row_range.h"
#include "heron/schema.h"

namespace heron::inline v0 {

struct DatasetContents;
struct Query;  // heron/query.h
struct TableContents;

// A table of a dataset. Immutable and thread-safe. Reads the description of a column at its first
// use.
class HERON_EXPORT Table {
 public:
  explicit Table(TableContents contents);  // called by formats
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const std::string& name() const noexcept;
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
  // The columns of a query that sets no other member; otherwise Error(Argument).
  Projection(const Query& query);

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

struct OpenOptions {
  std::string format = {};  // a format's name; empty: detect it
  // The path of the one entry of an archive to open, as if the archive held no other; empty: all.
  std::string entry = {};
  bool map = true;  // false: read with pread, safe for files that others cut short or rewrite
  // How the file's pages are read from the device. Auto suits any file, in memory or not.
  Access access = Access::Auto;
  // How many bytes of decoded blocks the cache keeps for later queries. It holds more only while
  // answers point into them.
  uint64_t cache_bytes = uint64_t{256} << 20;
  // How many bytes one query may decode: whole reads of larger payloads of containers, and distant
  // reads where a bit depends on all bits before it, throw Error(Limit).
  uint64_t max_decode = uint64_t{4} << 30;
  // If not 0, only this many rows at the start are needed: a format that would read a whole file to
  // open it, as CSV does, reads no more than these need. The table then ends soon after them, and
  // types are inferred from its rows, which a note reports. Other formats ignore it.
  uint64_t head_rows = 0;
  // Whether to use the sidecar that `index` wrote, if it belongs to the file.
  bool use_sidecar = true;
  CsvOptions csv = {};  // has no effect on files of other formats
  // Options of formats, which have no effect on files of others.
  FormatOptions format_options = {};

  void set(std::string_view name, OptionValue value) {
    format_options.set(name, std::move(value));
  }
};

// A file in an archive, such as a zip.
struct ArchiveEntry {
  std::string path;           // path in the archive, with slashes
  uint64_t bytes = 0;         // size of the file
  uint64_t stored_bytes = 0;  // size in the archive
  std::string encoding;       // "stored", "deflate"
  std::string format;         // the file's format; empty: unknown
  // Why the file has no tables, as the text of an Error; empty if nothing is wrong with it.
  std::string reason;
};

// An open file. Immutable and thread-safe: every const call may run at once with every other.
class HERON_EXPORT Dataset {
 public:
  explicit Dataset(DatasetContents contents);  // called by formats
  ~Dataset();
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  const std::string& path() const noexcept;
  uint64_t size_bytes() const noexcept;
  const std::string& format() const noexcept;  // "jay"
  // The format of the file with that table: for an archive, the entry's.
  const std::string& format(const Table& table) const;
  // The names of the containers, outermost first; empty for a plain file.
  const std::vector<std::string>& containers() const noexcept;
  // Name and text of each field of the format's header, in the order of the header, followed by
  // those of the containers' headers.
  const std::vector<std::pair<std::string, std::string>>& header() const noexcept;
  // All tables. Those of an archive are named PATH:TABLE and come from its entries, in their order,
  // except entries that are archives or cannot be opened; the first call opens all entries.
  const std::vector<std::shared_ptr<const Table>>& tables() const;
  // The table of that name; an empty name: the first. In an archive, only the entry with that table
  // is opened, and a path alone names its first table. Throws Error(Argument) if there is none,
  // Error(Unsupported, Corrupt) for an entry that cannot be opened.
  const std::shared_ptr<const Table>& table(std::string_view name = {}) const;
  const std::shared_ptr<const Table>& table(const char* name) const { return table(text_at(name)); }
  // The entries of an archive, in its order; empty for other files. The first call opens all.
  std::span<const ArchiveEntry> entries() const;

  // The work of reading so far, including open: counters of the containers, outermost first, then
  // those of the format.
  std::vector<Counter> counters() const;

 private:
  friend const DatasetContents& internals(const Dataset& dataset) noexcept;
  const std::unique_ptr<const DatasetContents> parts_;
};

// Opens a file of any format Heron knows. Reads headers only: the time grows with the number of
// columns, never with rows; for an archive, with its entries, which are opened at their first use.
// Exceptions are CSV, which is read once unless a sidecar stores the result, and gzip, which is
// decompressed into memory: both use the Context's progress and cancel. The path "-" is standard
// input. Throws Error: Io, UnknownFormat, Unsupported, Corrupt; Limit, Cancelled.
HERON_EXPORT std::shared_ptr<const Dataset> open(const std::string& path,
                                                 const OpenOptions& options = {},
                                                 const Context& context = {});
template <std::convertible_to<const char*> Text>
std::shared_ptr<const Dataset> open(Text path, const OpenOptions& options = {},
                                    const Context& context = {}) {
  return open(std::string(text_at(path)), options, context);
}

// Opens several files as one dataset: each table of the first has the rows of all of them, in this
// order, and the first file's properties; group numbers continue from file to file. One path is the
// same as open() of that file. The files share the cache limit. Throws also Error(Argument) for no
// paths, for a file without one of the tables, and, naming file and column, where the columns of a
// table differ in name or type (beyond 65,536 columns in all at a column's first use). Key columns
// whose values differ between files throw it when they are read.
HERON_EXPORT std::shared_ptr<const Dataset> open(std::span<const std::string> paths,
                                                 const OpenOptions& options = {},
                                                 const Context& context = {});
inline std::shared_ptr<const Dataset> open(std::initializer_list<std::string> paths,
                                           const OpenOptions& options = {},
                                           const Context& context = {}) {
  return open(std::span(paths.begin(), paths.size()), options, context);
}

}  // namespace heron::inline v0

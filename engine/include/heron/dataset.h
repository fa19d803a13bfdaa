// An open file, its tables, and projections of their columns.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/context.h"
#include "heron/metrics.h"
#include "heron/row_range.h"
#include "heron/schema.h"

namespace heron::inline v0 {

class ByteSource;
class Column;
class Runs;
class TableSource;
class ZoneMap;
struct CsvOptions;  // heron/csv.h
struct Query;       // heron/query.h
struct RowLayout;

class Table;

// A source of consecutive rows of a table: one of its files, or the table itself.
struct Fragment {
  const Table* table = nullptr;  // lives as long as the table that gives it
  uint64_t first_row = 0;        // the row number in the whole table of row 0 of this one
};

// A table of a dataset. Immutable and thread-safe. Reads the description of a column at its first
// use.
class Table {
 public:
  Table(std::string name, uint64_t rows, std::shared_ptr<const ByteSource> bytes,
        std::unique_ptr<const TableSource> source);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  const std::string& name() const noexcept { return name_; }
  uint64_t rows() const noexcept { return rows_; }
  uint64_t column_count() const noexcept { return column_count_; }
  // How many leading columns are the key by which the rows are sorted and unique; 0: none.
  uint64_t key_columns() const noexcept;

  // All columns, also unreadable ones, with their metadata. Built at the first call, in time that
  // grows with the columns and their metadata. Throws Error(Corrupt) for invalid metadata,
  // Error(Limit) if columns share so much of it that a small file would fill memory.
  const Schema& schema() const;
  // One column of the schema, and its parts.
  Field field(uint64_t column) const;
  Field field_without_metadata(uint64_t column) const;
  std::vector<Metadata> metadata(uint64_t column) const;
  // Names are repaired (never empty, unique). Built at the first call that needs a name.
  const std::string& column_name(uint64_t column) const;
  std::optional<uint64_t> find_column(std::string_view name) const;

  // Blocks of rows as stored; a format without blocks has blocks of 65,536 rows. If each column has
  // blocks of its own: those of the first column.
  uint64_t block_rows() const noexcept;
  uint64_t block_count() const noexcept;
  // Throws Error(Argument) if there is no such block.
  RowRange block(uint64_t index) const;

  // Rows that belong together, such as the documents of a search: consecutive, in file order. 0:
  // the table has no groups.
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

  // Internal to the engine from here on.
  const Column& column(uint64_t column) const;
  const TableSource& source() const noexcept { return *source_; }
  const std::shared_ptr<const ByteSource>& bytes() const noexcept { return bytes_; }
  const Runs* groups() const noexcept;
  const RowLayout* row_layout() const noexcept { return row_layout_.get(); }
  // The files of the table, in their order, each with the same columns; for one file, the table.
  std::span<const Fragment> fragments() const noexcept { return fragments_; }
  // Its zone map, created by the first call. Thread-safe.
  const ZoneMap& zone_map(const std::function<std::shared_ptr<const ZoneMap>()>& make) const;
  // The file whose sidecar may be used; null: none. Set before the table is shared between threads.
  const ByteSource* indexed_file() const noexcept;
  void set_indexed_file(std::shared_ptr<const ByteSource> file) const;

 private:
  struct Lazy;

  const std::string name_;
  const uint64_t rows_;
  const std::shared_ptr<const ByteSource> bytes_;
  const std::unique_ptr<const TableSource> source_;
  const uint64_t column_count_;
  const std::unique_ptr<const RowLayout> row_layout_;  // null: cells of a row are not adjacent
  const std::vector<Fragment> fragments_;
  const std::unique_ptr<Lazy> lazy_;
};

// Columns of one table, in the order requested: resolved once, used for any number of queries.
// Keeps its table alive. Cheap to copy.
class Projection {
 public:
  // The default: every column except those of undefined type or codec. Throws Error(Unsupported) if
  // there are columns and all are such.
  explicit Projection(std::shared_ptr<const Table> table);
  // Throws Error(Argument) for an unknown name, Error(Unsupported) for a column of undefined type,
  // with the reason.
  Projection(std::shared_ptr<const Table> table, std::initializer_list<std::string_view> names);
  Projection(std::shared_ptr<const Table> table, std::span<const std::string> names);
  // By number.
  Projection(std::shared_ptr<const Table> table, std::initializer_list<uint64_t> columns);
  Projection(std::shared_ptr<const Table> table, std::span<const uint64_t> columns);
  // The columns of a query without other members; otherwise Error(Argument).
  Projection(const Query& query);

  const std::shared_ptr<const Table>& table() const noexcept;
  uint64_t size() const noexcept { return columns_.size(); }
  // Built at the first call.
  const std::shared_ptr<const Schema>& schema() const;
  // As in Table, but if each column has blocks of its own, those of the first column here.
  uint64_t block_rows() const noexcept;
  uint64_t block_count() const noexcept;
  // Throws Error(Argument) if there is no such block.
  RowRange block(uint64_t index) const;

  // The table's columns that the default leaves out, by their numbers; Field::reason says why.
  std::span<const uint64_t> left_out() const noexcept;

  // Internal to the engine.
  std::span<const Column* const> columns() const noexcept { return columns_; }
  // Their numbers in the table.
  std::span<const uint64_t> indices() const noexcept;

 private:
  struct Parts;
  void resolve(std::shared_ptr<const Table> table, std::vector<uint64_t> indices,
               std::vector<uint64_t> left_out = {});

  std::shared_ptr<const Parts> parts_;
  std::span<const Column* const> columns_;  // of parts_
};

// How to show numbers that a file stores as codes into a table of scaled integers.
enum class CodedValues : uint8_t { Original /* scaled back, float64 */, Scaled, Index };

// Whether the rows of a file are in groups, for formats that do not store it.
enum class GroupMode : uint8_t { Infer, Ranking /* in groups */, Plain /* not in groups */ };

struct OpenOptions {
  std::string format = {};  // a format's name; empty: detect it
  bool map = true;  // false: read with pread, safe for files that others cut short or rewrite
  CodedValues values = CodedValues::Original;
  GroupMode mode = GroupMode::Infer;
  // Show keys as the unsigned integers that are stored, 0 for null, instead of their values.
  bool stored_keys = false;
  // How many bytes of decoded blocks the cache keeps for later queries. It holds more only while
  // answers point into them.
  uint64_t cache_bytes = uint64_t{256} << 20;
  // How many bytes one query may decode: whole reads of larger payloads of containers, and distant
  // reads where a bit depends on all bits before it, throw Error(Limit).
  uint64_t max_decode = uint64_t{4} << 30;
  // Whether to use the sidecar that `index` wrote, if it belongs to the file.
  bool use_sidecar = true;
  // Of text files: separator, header, encoding, types. Null: as CsvOptions has them.
  std::shared_ptr<const CsvOptions> text = nullptr;
};

// An open file. Immutable and thread-safe: every const call may run at once with every other.
class Dataset {
 public:
  struct Parts {
    std::string format;                   // "jay"
    std::vector<std::string> containers;  // outermost first; empty for a plain file
    std::vector<std::shared_ptr<const Table>> tables;
    // Name and text of each field of the format's header, in the order of the header, followed by
    // those of the containers' headers.
    std::vector<std::pair<std::string, std::string>> header;
    // The format's counters of reading its tables; null: none.
    std::function<std::vector<Counter>()> counters = nullptr;
  };
  // `file` is the outermost container of `bytes`; null: none.
  Dataset(std::shared_ptr<const ByteSource> bytes, Parts parts,
          std::shared_ptr<const ByteSource> file = nullptr)
      : bytes_(std::move(bytes)),
        file_(file == nullptr ? bytes_ : std::move(file)),
        parts_(std::move(parts)) {}

  const std::string& path() const noexcept;
  uint64_t size_bytes() const noexcept;
  const std::string& format() const noexcept { return parts_.format; }
  const std::vector<std::string>& containers() const noexcept { return parts_.containers; }
  const std::vector<std::pair<std::string, std::string>>& header() const noexcept {
    return parts_.header;
  }
  const std::vector<std::shared_ptr<const Table>>& tables() const noexcept { return parts_.tables; }
  // The table of that name; an empty name: the first. Throws Error(Argument) if there is none.
  const std::shared_ptr<const Table>& table(std::string_view name = {}) const;

  // The work of reading so far, including open: counters of the containers, outermost first, then
  // those of the format.
  std::vector<Counter> counters() const;

  // Internal to the engine: the bytes that hold the tables, and the file around them.
  const std::shared_ptr<const ByteSource>& bytes() const noexcept { return bytes_; }
  const std::shared_ptr<const ByteSource>& file() const noexcept { return file_; }
  const Parts& parts() const noexcept { return parts_; }

 private:
  std::shared_ptr<const ByteSource> bytes_;
  std::shared_ptr<const ByteSource> file_;
  Parts parts_;
};

// Opens a file of any format Heron knows. Reads headers only: the time grows with the number of
// columns, never with rows. Exceptions are CSV, which is read once unless a sidecar stores the
// result, and gzip, which is decompressed into memory: both use the Context's progress and cancel.
// The path "-" is standard input. Throws Error: Io, UnknownFormat, Unsupported, Corrupt; Limit,
// Cancelled.
std::shared_ptr<const Dataset> open(const std::string& path, const OpenOptions& options = {},
                                    const Context& context = {});

// Several files as one dataset: each table of the first has the rows of all of them, in this order,
// and the first file's properties; groups are numbered on from file to file. One path is the same
// as open() of that file. The files share the cache limit. Throws also Error(Argument) for no
// paths, for a file without one of the tables, and, naming file and column, where the columns of a
// table differ in name or type (beyond 65,536 columns in all at a column's first use). Key columns
// whose values differ between files throw it when they are read.
std::shared_ptr<const Dataset> open(std::span<const std::string> paths,
                                    const OpenOptions& options = {}, const Context& context = {});

}  // namespace heron::inline v0

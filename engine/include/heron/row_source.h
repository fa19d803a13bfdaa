// Sources of rows for `convert`: tables, text files, generated rows.
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

#include "heron/context.h"
#include "heron/export.h"
#include "heron/query.h"
#include "heron/schema.h"
#include "heron/values.h"
#include "heron/writer.h"

namespace heron::inline v0 {

// One pass over rows, in their order. One thread at a time.
class HERON_EXPORT RowStream {
 public:
  virtual ~RowStream() = default;
  RowStream(const RowStream&) = delete;
  RowStream& operator=(const RowStream&) = delete;

  // Fills `batch` with the next rows, some thousand of them. Returns false at the end, with an
  // empty batch. Reuses its memory if no other copy of it exists. Throws what reading throws.
  virtual bool next(RowBatch& batch) = 0;

 protected:
  RowStream() = default;
};

// Rows that can be read more than once, each time the same ones. Immutable and thread-safe.
class HERON_EXPORT RowSource {
 public:
  virtual ~RowSource() = default;
  RowSource(const RowSource&) = delete;
  RowSource& operator=(const RowSource&) = delete;

  // The name of the source in errors: usually a path.
  virtual const std::string& name() const noexcept = 0;
  // The schema of all columns, with the metadata that a writer of their format stores again;
  // statistics are counted again.
  virtual const Schema& schema() const = 0;
  // Unreadable columns that are not in the schema although the caller did not exclude them.
  virtual std::span<const Field> left_out() const { return {}; }
  // The name of the format that the metadata belongs to; empty: none.
  virtual std::string_view format() const noexcept { return {}; }
  // How many leading columns are a key by which the rows are sorted and unique; 0: none.
  virtual uint64_t key_columns() const noexcept { return 0; }
  // The column with the group number of each row, by index in the schema, if there is one.
  virtual std::optional<uint64_t> group_column() const noexcept { return std::nullopt; }
  // The number of rows; WriteOptions::kUnknownRows if only reading them shows it.
  virtual uint64_t rows() const = 0;
  // Counts the damaged rows that streams leave out; null: damage is an error.
  virtual SkippedRows* skipped() const noexcept { return nullptr; }
  // Reads these columns of all rows, by index in the schema and in the order requested;
  // Error(Argument) for an index that is out of range. The source must outlive the stream.
  virtual std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                          const Context& context) const = 0;

 protected:
  RowSource() = default;
};
using RowSourcePtr = std::shared_ptr<const RowSource>;

// Throws Error(Argument) for an index that the schema does not have: for implementations of read().
HERON_EXPORT void check_columns(std::span<const uint64_t> columns, const Schema& schema);

// How many rows of these columns to read at a time: some thousand, fewer for many columns or for
// vectors of many slots. Vectors of very many slots store few of them.
HERON_EXPORT uint64_t rows_a_batch(const Schema& schema);

// Returns the rows of a query, as Scan does. With a predicate on all rows, rows() is their count,
// computed at once; with a predicate on a range it is unknown. left_out() has the columns that the
// default projection leaves out. If the query skips damage, rows() is unknown.
HERON_EXPORT RowSourcePtr table_rows(const Query& query, const Context& context = {});

// Reads `count` rows of a table by number. draw(position, rows) fills `rows` with the numbers at
// positions position, position + 1 ..; it returns the same numbers at every call. If `skipped` is
// not null, damaged rows are left out and added to it, and rows() is unknown.
using DrawRows = std::function<void(uint64_t position, std::span<uint64_t> rows)>;
HERON_EXPORT RowSourcePtr numbered_rows(Projection columns, uint64_t count, DrawRows draw,
                                        SkippedRows* skipped = nullptr);

// Returns some columns of a source, by name and in this order. Throws Error(Argument) for an
// unknown name.
HERON_EXPORT RowSourcePtr selected_columns(RowSourcePtr source, std::span<const std::string> names);
inline RowSourcePtr selected_columns(RowSourcePtr source,
                                     std::initializer_list<std::string> names) {
  return selected_columns(std::move(source), std::span(names.begin(), names.size()));
}

}  // namespace heron::inline v0

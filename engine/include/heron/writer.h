// Writes files in a format's own form, in one pass over batches of rows.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heron/context.h"
#include "heron/values.h"

namespace heron::inline v0 {

class OutputFile;

class ByteSource;

struct WriteOptions {
  std::string format = {};  // a format's name; empty: by the ending of the path
  // The number of rows, if known: the file is then written in place, else columns are spilled to
  // temporary files first. Any other number of rows is then Error(Argument).
  uint64_t rows = kUnknownRows;
  static constexpr uint64_t kUnknownRows = UINT64_MAX;
  // For formats with blocks or compression: rows in each column's block, 0: as the format's own
  // writer does; and the compression level, 0: none, up to 12.
  uint64_t block_rows = 0;
  int compression = kUsualCompression;
  static constexpr int kUsualCompression = -1;
  // The byte order of the file, for formats that support both.
  std::endian order = std::endian::little;
  // Whether to replace a file of that name; else it is Error(Write).
  bool replace = false;
  // How many leading columns are the key by which the rows are sorted and unique, for formats with
  // keys. Rows that violate this are Error(Argument).
  uint64_t key_columns = 0;
  // The label column and the group column, for formats that have them; empty: the columns with the
  // names that the format's own files use.
  std::string label_column = {};
  std::string group_column = {};
};

// Changes to a column's values by a format that rounds, or that holds only UTF-8 texts.
struct ColumnLoss {
  uint64_t column = 0;   // index in the schema
  uint64_t changed = 0;  // rows whose value changed; texts may be items of the same row
  double largest = 0;    // the largest difference; 0 for texts
};

// Takes batches of the schema that it was created with. publish() makes the file appear under its
// name, whole and synced; before, or if the writer is destroyed without it, no file appears. One
// thread at a time. Memory does not grow with rows.
class Writer {
 public:
  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Throws Error: Argument (other schema), Write, Limit (more than the format can hold).
  virtual void write(const RowBatch& batch) = 0;
  // Finishes the content of the file; publish() syncs it and gives it its name.
  virtual void close() = 0;
  // After close(). Throws Error(Write) if the name exists, unless WriteOptions::replace; create()
  // throws it already if the name exists then.
  virtual void publish() = 0;
  virtual uint64_t bytes_written() const = 0;
  // After close(): every column with a changed value.
  virtual std::vector<ColumnLoss> losses() const { return {}; }

  // The file itself, for a caller that publishes it another way. After close(), instead of
  // publish(). Internal to the engine.
  virtual OutputFile release() = 0;

 protected:
  Writer() = default;
};

// Throws Error(Argument) if there is no such format, Error(Unsupported) if it cannot hold the
// schema.
std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                               const WriteOptions& options = {}, const Context& context = {});

}  // namespace heron::inline v0

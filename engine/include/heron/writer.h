// Files in a format's own form, written in one pass over batches of rows.
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
  std::string format;  // a format's name; empty: by the ending of the path
  // How many rows will come, if known: the file is then written in place, else columns are gathered
  // in temporary files first. Another number of rows than told is Error(Argument).
  uint64_t rows = kUnknownRows;
  static constexpr uint64_t kUnknownRows = UINT64_MAX;
  // Where the format has blocks or compression: rows in each column's block, 0: as the format's own
  // writer does, and how hard to compress, 0: not at all, up to 12.
  uint64_t block_rows = 0;
  int compression = kUsualCompression;
  static constexpr int kUsualCompression = -1;
  // The byte order of the file, where the format lets one choose.
  std::endian order = std::endian::little;
  // Whether a file that has the name may be replaced; else it is Error(Write).
  bool replace = false;
  // How many leading columns are the key by which the rows are sorted and unique, where the format
  // has keys. Rows that are not are Error(Argument).
  uint64_t key_columns = 0;
  // The columns that hold what is to be learnt, and the group a row is in, where the format has a
  // place for them; empty: those of the names that its own files have.
  std::string label_column = {};
  std::string group_column = {};
};

// What a column's values have become where a format rounds them, or has only texts that are UTF-8.
struct ColumnLoss {
  uint64_t column = 0;   // in the schema
  uint64_t changed = 0;  // rows whose value is another one now; texts may be items of the same row
  double largest = 0;    // the largest difference; 0: of texts
};

// Takes batches that all have the schema it was made with. The file appears under its name, whole
// and synced, with publish(); until then, or if the writer goes away before, there is nothing. One
// thread at a time. Memory does not grow with rows.
class Writer {
 public:
  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Throws Error: Argument (other schema), Write, Limit (more than the format can hold).
  virtual void write(const RowBatch& batch) = 0;
  // Writes what comes last; everything but making it durable and the name.
  virtual void close() = 0;
  // After close(). Throws Error(Write) for a name that another file has unless
  // WriteOptions::replace; create() throws it already if that is so by then.
  virtual void publish() = 0;
  virtual uint64_t bytes_written() const = 0;
  // After close(): every column of which a value has changed.
  virtual std::vector<ColumnLoss> losses() const { return {}; }

  // The file itself, to be published otherwise. After close(), instead of publish(). Internal to
  // the engine.
  virtual OutputFile release() = 0;

 protected:
  Writer() = default;
};

// Throws Error(Argument) if no format is meant, Error(Unsupported) if it cannot hold the schema.
std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                               const WriteOptions& options = {}, const Context& context = {});

}  // namespace heron::inline v0

// Writes files in a format's own form, in one pass over batches of rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heron/context.h"
#include "heron/export.h"
#include "heron/format_options.h"
#include "heron/values.h"

namespace heron::inline v0 {

struct WriteOptions {
  static constexpr uint64_t kUnknownRows = UINT64_MAX;

  std::string format = {};  // a format's name; empty: by the ending of the path
  // The number of rows, if known: the file is then written in place, else columns are spilled to
  // temporary files first. Any other number of rows is then Error(Argument).
  uint64_t rows = kUnknownRows;
  // Whether to replace a file of that name; else it is Error(Write).
  bool replace = false;
  // How many leading columns are the key by which the rows are sorted and unique. Rows that violate
  // this are Error(Argument); a format that does not store keys is Error(Unsupported).
  uint64_t key_columns = 0;
  // Options of the format that is written; those of another are Error(Argument).
  FormatOptions format_options = {};

  void set(std::string_view name, OptionValue value) {
    format_options.set(name, std::move(value));
  }
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
class HERON_EXPORT Writer {
 public:
  virtual ~Writer() = default;
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Throws Error: Argument (other schema), Write, Limit (more than the format can hold).
  virtual void write(const RowBatch& batch) = 0;
  // Finishes the content of the file; publish() syncs it and gives it its name.
  virtual void close() = 0;
  // Call it after close(). Throws Error(Write) if the name exists, unless WriteOptions::replace;
  // create() throws it already if the name exists then.
  virtual void publish() = 0;
  virtual uint64_t bytes_written() const = 0;
  // Every column with a changed value; call it after close().
  virtual std::vector<ColumnLoss> losses() const { return {}; }

 protected:
  Writer() = default;
};

// Throws Error(Argument) if there is no such format, Error(Unsupported) if it cannot hold the
// schema.
HERON_EXPORT std::unique_ptr<Writer> create(const std::string& path, const Schema& schema,
                                            const WriteOptions& options = {},
                                            const Context& context = {});

}  // namespace heron::inline v0

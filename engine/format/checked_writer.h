// The checks of every format's writer before it writes: that batches have the schema of the writer,
// that the number of rows is the one announced and their keys ascend, and that calls come in order.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "bytes/output_file.h"
#include "format/shared_schema.h"
#include "heron/writer.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {

class CheckedWriter : public Writer {
 public:
  void write(const RowBatch& batch) final;
  void close() final;
  void publish() final;
  // Called before the first write(), with the number of bytes of all texts of each column, none of
  // them null; UINT64_MAX: unknown. Rows with more bytes are Error(Argument) if the writer uses
  // that.
  virtual void expect_text_bytes(std::span<const uint64_t> /*bytes*/) {}
  // Returns the file itself after close(), for a caller that publishes it in another way than
  // publish().
  OutputFile release();

 protected:
  CheckedWriter(SharedSchema schema, const WriteOptions& options, const Context& context)
      : schema_(std::move(schema)),
        expected_rows_(options.rows),
        key_columns_(options.key_columns),
        context_(context) {}

  // The file to publish, which errors name.
  virtual OutputFile& file() noexcept = 0;
  // Appends a batch of the schema; rows() counts the rows before it.
  virtual void append(const RowBatch& batch) = 0;
  // Called after the last row.
  virtual void finish() = 0;

  const std::string& path() { return file().path(); }
  const Schema& schema() const noexcept { return *schema_; }
  const Context& context() const noexcept { return context_; }
  uint64_t rows() const noexcept { return rows_; }
  bool rows_are_expected() const noexcept { return expected_rows_ != WriteOptions::kUnknownRows; }
  uint64_t expected_rows() const noexcept { return expected_rows_; }
  uint64_t key_columns() const noexcept { return key_columns_; }

 private:
  enum class State : uint8_t { Open, Closed, Failed };

  void check(const RowBatch& batch);
  void check_keys(const RowBatch& batch);
  void require(State state, const char* what);

  const SharedSchema schema_;
  const uint64_t expected_rows_;
  const uint64_t key_columns_;
  const Context context_;
  uint64_t rows_ = 0;
  SortKeys keys_;               // keys of a batch
  std::string last_key_;        // key of the row before the batch
  std::string last_key_words_;  // last_key_ for error texts
  State state_ = State::Open;
};

}  // namespace heron::inline v0

// What every format's writer checks before it writes: that batches have the schema it was made
// with, that as many rows come as were told, and that calls come in order.
#pragma once

#include "bytes/output_file.h"
#include "heron/writer.h"

namespace heron::inline v0 {

class CheckedWriter : public Writer {
 public:
  void write(const RowBatch& batch) final;
  void close() final;
  void publish() final;
  OutputFile release() final;

 protected:
  CheckedWriter(const Schema& schema, const WriteOptions& options, const Context& context)
      : schema_(schema), told_rows_(options.rows), context_(context) {}

  // The file that errors name and that is published.
  virtual OutputFile& file() noexcept = 0;
  // A batch of the schema; rows() are those before it.
  virtual void append(const RowBatch& batch) = 0;
  // All rows are there.
  virtual void finish() = 0;

  const std::string& path() { return file().path(); }
  const Schema& schema() const noexcept { return schema_; }
  const Context& context() const noexcept { return context_; }
  uint64_t rows() const noexcept { return rows_; }
  bool rows_are_told() const noexcept { return told_rows_ != WriteOptions::kUnknownRows; }
  uint64_t told_rows() const noexcept { return told_rows_; }

 private:
  enum class State : uint8_t { Open, Closed, Failed };

  void check(const RowBatch& batch);
  void require(State state, const char* what);

  const Schema schema_;
  const uint64_t told_rows_;
  const Context context_;
  uint64_t rows_ = 0;
  State state_ = State::Open;
};

}  // namespace heron::inline v0

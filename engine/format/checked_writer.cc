#include "format/checked_writer.h"

#include "base/fail.h"

namespace heron::inline v0 {

// A call that throws may leave columns of different lengths, so no call may follow it.
void CheckedWriter::require(State state, const char* what) {
  if (state_ != state) fail(ErrorKind::Argument, path(), what);
  state_ = State::Failed;
}

void CheckedWriter::check(const RowBatch& batch) {
  if (batch.columns.size() != schema_->size()) {
    fail(ErrorKind::Argument, path(), "expected batches of ", schema_->size(), " columns, got ",
         batch.columns.size());
  }
  for (uint64_t i = 0; i < schema_->size(); ++i) {
    const Values& values = batch.columns[i];
    const Field& field = (*schema_)[i];
    if (values.type != field.type) {
      fail(ErrorKind::Argument, path(), "column \"", field.name, "\": expected ", field.type.name(),
           ", got ", values.type.name());
    }
    if (values.rows != batch.rows) {
      fail(ErrorKind::Argument, path(), "column \"", field.name, "\": expected ", batch.rows,
           " rows, got ", values.rows);
    }
  }
  if (batch.rows > expected_rows_ - rows_) {
    fail(ErrorKind::Argument, path(), "expected ", expected_rows_, " rows, got ", rows_, " and ",
         batch.rows, " more");
  }
}

void CheckedWriter::check_keys(const RowBatch& batch) {
  if (key_columns_ == 0 || batch.rows == 0) return;
  keys_.assign(batch, key_columns_);
  const auto words = [&](uint64_t row) { return key_text(*schema_, batch, key_columns_, row); };
  const uint64_t row = keys_.first_not_ascending(last_key_);
  if (row != batch.rows) {
    const bool same = keys_[row] == (row == 0 ? std::string_view(last_key_) : keys_[row - 1]);
    fail(ErrorKind::Argument, path(), "row ", rows_ + row, ": expected a key above ",
         row == 0 ? last_key_words_ : words(row - 1), ", that of the row before, got ",
         same ? "the same" : words(row));
  }
  last_key_ = keys_[row - 1];
  last_key_words_ = words(row - 1);
}

void CheckedWriter::write(const RowBatch& batch) {
  context_.check_cancelled();
  if (state_ == State::Open) {
    check(batch);
    check_keys(batch);
  }
  require(State::Open, "cannot be written to any more");
  append(batch);
  rows_ += batch.rows;
  state_ = State::Open;
}

void CheckedWriter::close() {
  if (rows_are_expected() && rows_ != expected_rows_) {
    fail(ErrorKind::Argument, path(), "expected ", expected_rows_, " rows, got ", rows_);
  }
  require(State::Open, "cannot be closed again or after an error");
  finish();
  state_ = State::Closed;
}

void CheckedWriter::publish() {
  require(State::Closed, "cannot be published: it is not closed");
  file().publish();
}

OutputFile CheckedWriter::release() {
  require(State::Closed, "cannot be handed on: it is not closed");
  return std::move(file());
}

}  // namespace heron::inline v0

// Rows as objects of JSON, and the text of sinks in memory.
#include <algorithm>

#include "base/fail.h"
#include "base/no_such.h"
#include "heron/error.h"
#include "heron/text.h"

namespace heron::inline v0 {

void StringSink::make_room(size_t bytes) {
  const size_t used = text().size();
  memory_.resize(std::max(2 * memory_.size(), used + bytes));
  next_ = memory_.data() + used;
  end_ = memory_.data() + memory_.size();
}

JsonRows::JsonRows(const Schema& schema, ValueForm form) : form_(form) {
  StringSink key;
  for (const Field& field : schema) {
    key.clear();
    key.append(keys_.empty() ? '{' : ',');
    append_json_text(key, field.name);
    key.append(':');
    keys_.emplace_back(key.text());
  }
}

void JsonRows::set(const RowBatch& batch) {
  if (batch.columns.size() != keys_.size()) {
    fail(ErrorKind::Argument, {}, "expected batches of ", keys_.size(), " columns, got ",
         batch.columns.size());
  }
  columns_.clear();
  for (const Values& values : batch.columns) columns_.emplace_back(values, form_);
}

void JsonRows::append(TextSink& sink, uint64_t row) const {
  if (!columns_.empty()) columns_.front().is_null(row);  // throws before anything is appended
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    sink.append(keys_[i]);
    columns_[i].append_json(sink, row);
  }
  sink.append(columns_.empty() ? "{}" : "}");
}

std::string to_json(const RowBatch& batch, uint64_t row, ValueForm form) {
  if (row >= batch.rows) fail_no_such({}, "row", row, "the batch", batch.rows);
  StringSink sink;
  for (uint64_t i = 0; i < batch.columns.size(); ++i) {
    sink.append(i == 0 ? '{' : ',');
    append_json_text(sink, (*batch.schema)[i].name);
    sink.append(':');
    sink.append(to_json(batch.columns[i], row, form));
  }
  sink.append(batch.columns.empty() ? "{}" : "}");
  return std::string(sink.text());
}

}  // namespace heron::inline v0

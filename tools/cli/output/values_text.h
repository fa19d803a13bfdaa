// Formats values as text, in JSON and plain.
#pragma once

#include <cstdint>
#include <string_view>

#include "heron/values.h"
#include "output/sink.h"

namespace heron::cli {

// How to show values.
struct ValueForm {
  bool raw = false;     // times as numbers
  bool sparse = false;  // vectors as stored
  // For lists and dense vectors: at most this many items, followed by their total number.
  uint64_t most_items = UINT64_MAX;
};

void append_number(Sink& sink, int64_t value);
void append_number(Sink& sink, uint64_t value);
// The shortest decimal that reads back as the same float or double. In JSON, NaN and infinities are
// quoted.
void append_number(Sink& sink, float value, bool json);
void append_number(Sink& sink, double value, bool json);
// A view of one column of a batch for printing: the batch must outlive it.
class ColumnText {
 public:
  // Throws Error(Limit) for a vector too long to show all slots, unless the form is sparse or
  // limits items.
  ColumnText(const Values& values, ValueForm form);

  bool is_null(uint64_t row) const noexcept {
    return values_->is_null(row) || (shown_ != values_ && shown_->is_null(shown_row(row)));
  }
  void append_json(Sink& sink, uint64_t row) const;
  // The same without quotes, for a value that is not null. Texts are unchanged.
  void append_plain(Sink& sink, uint64_t row) const;
  // Whether it shows texts; for keys with values, whether those are texts.
  bool is_text() const noexcept { return shown_->type.is_text(); }
  // Whether values are arrays or objects of JSON even in plain form.
  bool is_json() const noexcept;
  // For a text that is not null.
  std::string_view text(uint64_t row) const noexcept {
    return shown_->text(shown_ == values_ ? row : shown_row(row));
  }
  bool utf8() const noexcept { return utf8_; }

 private:
  // The row in the key values of a row of the key column.
  uint64_t shown_row(uint64_t row) const noexcept;

  const Values* values_;
  const Values* shown_;
  ValueForm form_;
  bool utf8_;
};

}  // namespace heron::cli

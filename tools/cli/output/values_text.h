// Values as text: how each type prints (SEMANTICS of the formats), in JSON and plain.
#pragma once

#include <cstdint>
#include <string_view>

#include "heron/values.h"
#include "output/sink.h"

namespace heron::cli {

// What of the ways to show a value is wanted.
struct ValueForm {
  bool raw = false;     // times as numbers
  bool sparse = false;  // vectors as they are stored
  // Of lists, and of vectors that are not sparse: so many items, then how many there are in all.
  uint64_t most_items = UINT64_MAX;
};

void append_number(Sink& sink, int64_t value);
void append_number(Sink& sink, uint64_t value);
// The shortest decimal that reads back as the same float or double. NaN and the infinities, which
// JSON has not, stand in quotes there.
void append_number(Sink& sink, float value, bool json);
void append_number(Sink& sink, double value, bool json);
// One column of a batch, ready to be printed. Only a view: the batch must stay.
class ColumnText {
 public:
  // Throws Error(Limit) for a vector too long to be shown with all its slots, unless the form
  // spares that.
  ColumnText(const Values& values, ValueForm form);

  bool is_null(uint64_t row) const noexcept {
    return values_->is_null(row) || (shown_ != values_ && shown_->is_null(shown_row(row)));
  }
  void append_json(Sink& sink, uint64_t row) const;
  // The same without quotes around it; of a value that is there. Texts as they are.
  void append_plain(Sink& sink, uint64_t row) const;
  // What is shown: of keys that stand for values, those.
  bool is_text() const noexcept { return shown_->type.is_text(); }
  // Arrays and objects of JSON, also where they are plain.
  bool is_json() const noexcept;
  // Of a text that is there.
  std::string_view text(uint64_t row) const noexcept {
    return shown_->text(shown_ == values_ ? row : shown_row(row));
  }
  bool utf8() const noexcept { return utf8_; }

 private:
  // Where in the values of a key's column that of a row stands.
  uint64_t shown_row(uint64_t row) const noexcept;

  const Values* values_;
  const Values* shown_;
  ValueForm form_;
  bool utf8_;
};

}  // namespace heron::cli

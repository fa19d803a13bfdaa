// Values as text: how each type prints (SEMANTICS of the formats), in JSON and plain.
#pragma once

#include <cstdint>
#include <string_view>

#include "heron/values.h"
#include "output/sink.h"

namespace heron::cli {

void append_number(Sink& sink, int64_t value);
void append_number(Sink& sink, uint64_t value);
// The shortest decimal that reads back as the same float or double. NaN and the infinities, which
// JSON has not, stand in quotes there.
void append_number(Sink& sink, float value, bool json);
void append_number(Sink& sink, double value, bool json);
// "2026-11-21"; a year has at least four digits.
void append_date(Sink& sink, int64_t days);
// "2026-11-21T18:30:00", with nine digits of a second if they are not all zero.
void append_timestamp(Sink& sink, int64_t nanoseconds);

// In quotes, with escapes; `utf8` says that the bytes are known to be UTF-8.
void append_json_text(Sink& sink, std::string_view text, bool utf8);

// One column of a batch, ready to be printed. Only a view: the batch must stay.
class ColumnText {
 public:
  // `raw`: dates as days, timestamps as nanoseconds.
  ColumnText(const Values& values, bool raw);

  bool is_missing(uint64_t row) const noexcept { return values_->is_missing(row); }
  const Type& type() const noexcept { return values_->type; }
  void append_json(Sink& sink, uint64_t row) const;
  // The same without quotes around it; of a value that is there. Texts as they are, lists as JSON.
  void append_plain(Sink& sink, uint64_t row) const;
  // Of a text.
  std::string_view text(uint64_t row) const noexcept { return values_->text(row); }
  bool utf8() const noexcept { return utf8_; }

 private:
  const Values* values_;
  bool raw_;
  bool utf8_;
};

}  // namespace heron::cli

// Values as text, plain and in JSON, as the command line prints them:
//
//   std::string text = heron::to_text(batch.columns[0], row);  // one value
//
//   heron::StringSink out;                                     // many, without memory for each
//   heron::JsonRows rows(*batch.schema);
//   rows.set(batch);
//   for (uint64_t row = 0; row < batch.rows; ++row) {
//     rows.append(out, row);  // {"id":7,"city":"Oslo"}
//     out.append('\n');
//   }
//
//              plain                          JSON
//   null       null                           null
//   bool       true                           true
//   integer    -7                             -7
//   float      0.1 NaN Infinity               0.1 "NaN" "Infinity"   shortest that reads back as it
//   text       as it is                       "quoted"   bytes that are not UTF-8 become U+FFFD
//   times      2026-11-21T18:30:00            "2026-11-21T18:30:00"
//   row id     32 hexadecimal digits          in quotes
//   key        its value, else its number     likewise
//   list       [1,2]  as in JSON              [1,2]
//   vector     [0,0,1]  all slots             [0,0,1]
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "heron/export.h"
#include "heron/values.h"

namespace heron::inline v0 {

// A buffer that text is appended to, without a virtual call per value. A derived class decides what
// becomes of a full one. One thread at a time.
class HERON_EXPORT TextSink {
 public:
  static constexpr size_t kRoom = 4096;

  virtual ~TextSink() = default;
  TextSink(const TextSink&) = delete;
  TextSink& operator=(const TextSink&) = delete;

  // Returns at least `bytes` (up to kRoom) writable bytes; advance() sets the end of what was
  // written.
  char* room(size_t bytes) {
    if (static_cast<size_t>(end_ - next_) < bytes) make_room(bytes);
    return next_;
  }
  void advance(char* to) noexcept { next_ = to; }

  void append(char c) {
    *room(1) = c;
    ++next_;
  }
  void append(std::string_view text) {
    while (static_cast<size_t>(end_ - next_) < text.size()) {
      const size_t fits = static_cast<size_t>(end_ - next_);
      copy(text.substr(0, fits));
      text.remove_prefix(fits);
      make_room(text.size() < kRoom ? text.size() : kRoom);
    }
    copy(text);
  }

 protected:
  TextSink() = default;
  // Makes at least `bytes`, up to kRoom, of room from next_ to end_.
  virtual void make_room(size_t bytes) = 0;

  char* next_ = nullptr;
  char* end_ = nullptr;

 private:
  void copy(std::string_view text) {
    if (!text.empty()) std::memcpy(next_, text.data(), text.size());
    next_ += text.size();
  }
};

// A sink that keeps the text. clear() empties it and keeps its memory for further text.
class HERON_EXPORT StringSink final : public TextSink {
 public:
  std::string_view text() const noexcept {
    return {memory_.data(), static_cast<size_t>(next_ - memory_.data())};
  }
  void clear() noexcept { next_ = memory_.data(); }

 private:
  void make_room(size_t bytes) override;
  std::vector<char> memory_;
};

// How to show values.
struct ValueForm {
  bool raw = false;     // times as the stored numbers
  bool sparse = false;  // vectors as stored: {"len":3,"indices":[2],"values":[1]}
  // For lists and dense vectors: at most this many items, followed by their total number.
  uint64_t max_items = UINT64_MAX;
};

// One value of a column. Throws Error(Argument) if there is no such row, Error(Limit) for a vector
// of more than ColumnText::kMaxSlots, unless the form is sparse or limits items.
HERON_EXPORT std::string to_text(const Values& values, uint64_t row, ValueForm form = {});
HERON_EXPORT std::string to_json(const Values& values, uint64_t row, ValueForm form = {});
// A value of a column of that type, such as those of stats. A datetimeoffset is its ticks in UTC.
HERON_EXPORT std::string to_text(const Type& type, const Scalar& value, ValueForm form = {});
HERON_EXPORT std::string to_json(const Type& type, const Scalar& value, ValueForm form = {});
// A row as an object.
HERON_EXPORT std::string to_json(const RowBatch& batch, uint64_t row, ValueForm form = {});

// A view of one column of a batch, which must outlive it, for printing many of its values: whether
// texts are UTF-8 is checked once. Construction reads the column's texts and lengths.
class HERON_EXPORT ColumnText {
 public:
  static constexpr uint64_t kMaxSlots = 1'000'000;

  // Throws as to_text() does, for any row.
  explicit ColumnText(const Values& values, ValueForm form = {});

  // These throw Error(Argument) for a row that is out of range.
  bool is_null(uint64_t row) const {
    return values_->is_null(row) || (shown_ != values_ && shown_->is_null(shown_row(row)));
  }
  void append_json(TextSink& sink, uint64_t row) const;
  // The value must not be null.
  void append_plain(TextSink& sink, uint64_t row) const;
  // Returns whether it shows texts; for keys with values, whether those are texts.
  bool is_text() const noexcept { return shown_->type.is_text(); }
  // Returns whether values are arrays or objects of JSON even in plain form.
  bool is_json() const noexcept;
  // The bytes of a text that is not null.
  std::string_view text(uint64_t row) const {
    return shown_->text(shown_ == values_ ? row : shown_row(row));
  }
  // Returns whether all texts are UTF-8. False may also mean that they were not worth a check.
  bool utf8() const noexcept { return utf8_; }

 private:
  // The row in the key values of a row of the key column.
  uint64_t shown_row(uint64_t row) const;

  const Values* values_;
  const Values* shown_;
  ValueForm form_;
  bool utf8_;
};

// Rows as objects of JSON, whose names are escaped once. One thread at a time.
class HERON_EXPORT JsonRows {
 public:
  explicit JsonRows(const Schema& schema, ValueForm form = {});

  // Sets the batch, of that schema, whose rows append() writes from now on; the batch must outlive
  // these calls. Throws as ColumnText does, and Error(Argument) for a batch of another number of
  // columns.
  void set(const RowBatch& batch);
  // Throws Error(Argument) for a row that is out of range.
  void append(TextSink& sink, uint64_t row) const;

 private:
  ValueForm form_;
  std::vector<std::string> keys_;  // the text before each value: {"name":
  std::vector<ColumnText> columns_;
};

// Building blocks of plain and JSON text, for text of other forms.
HERON_EXPORT void append_number(TextSink& sink, int64_t value);
HERON_EXPORT void append_number(TextSink& sink, uint64_t value);
HERON_EXPORT void append_number(TextSink& sink, float value, bool json);
HERON_EXPORT void append_number(TextSink& sink, double value, bool json);
// Appends a text quoted and escaped; `utf8`: the bytes are known to be UTF-8.
HERON_EXPORT void append_json_text(TextSink& sink, std::string_view text, bool utf8 = false);
// Appends a text, with bytes that are not UTF-8 replaced.
HERON_EXPORT void append_utf8(TextSink& sink, std::string_view text);

}  // namespace heron::inline v0

// Rows as the text of RFC 4180, with a header line, so that they are read back as they were: null
// is an empty field, and a text that would be read as null or as another value is quoted. Lists and
// vectors are JSON in a field; binary is a text of hexadecimal digits.
#pragma once

#include <string_view>
#include <vector>

#include "heron/text.h"
#include "heron/values.h"

namespace heron::inline v0::csv {

// One thread at a time.
class RowText {
 public:
  explicit RowText(const Schema& schema, ValueForm form = {});

  // Appends the rows of a batch of the schema, after the header if none were written before.
  void append(TextSink& sink, const RowBatch& batch);
  // Appends the header unless append() did.
  void finish(TextSink& sink);

 private:
  void append_field(TextSink& sink, const ColumnText& column, bool is_binary, uint64_t row);

  ValueForm form_;
  StringSink header_;  // empty once it is written
  StringSink text_;  // of a field
  std::vector<ColumnText> columns_;
};

// Appends a field, quoted if necessary, and if empty, because null is the empty field. `utf8`: the
// bytes are known to be UTF-8.
void append_field(TextSink& sink, std::string_view text, bool utf8);
// Appends a value of type text: also quoted if it would otherwise be read as null, a number or
// another value that is not text, or if its outer blanks might be removed.
void append_text(TextSink& sink, std::string_view text, bool utf8);

}  // namespace heron::inline v0::csv

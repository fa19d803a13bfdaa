#include "output/json_writer.h"

#include "heron/text.h"

namespace heron::cli {

JsonWriter& JsonWriter::name(std::string_view text) {
  separate();
  append_json_text(sink_, text, false);
  sink_.append(indented_ ? std::string_view(": ") : std::string_view(":"));
  after_name_ = true;
  return *this;
}

void JsonWriter::value(std::string_view text) {
  separate();
  append_json_text(sink_, text, false);
}

void JsonWriter::value(uint64_t number) {
  separate();
  append_number(sink_, number);
}

void JsonWriter::value(double number) {
  separate();
  append_number(sink_, number, true);
}

void JsonWriter::value(bool truth) {
  separate();
  sink_.append(truth ? std::string_view("true") : std::string_view("false"));
}

void JsonWriter::begin(char bracket) {
  separate();
  sink_.append(bracket);
  ++depth_;
  first_ = true;
}

void JsonWriter::end(char bracket) {
  --depth_;
  if (!first_) break_line();
  sink_.append(bracket);
  first_ = false;
}

// Call before a name, or a value without one.
void JsonWriter::separate() {
  if (after_name_) {
    after_name_ = false;
    return;
  }
  if (!first_) sink_.append(',');
  first_ = false;
  if (depth_ > 0) break_line();
}

void JsonWriter::break_line() {
  if (!indented_) return;
  sink_.append('\n');
  for (uint32_t i = 0; i < depth_; ++i) sink_.append(std::string_view("  "));
}

}  // namespace heron::cli

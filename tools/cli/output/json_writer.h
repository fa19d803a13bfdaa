// A JSON document, written as it is gone through. (A tree of values would do, but the one at hand
// asks for memory when it is taken apart, where a lack of it ends the process.)
#pragma once

#include <cstdint>
#include <string_view>

#include "output/sink.h"

namespace heron::cli {

// One value, which may be an array or object of others. Text need not be UTF-8.
class JsonWriter {
 public:
  // `indented`: a line for each member and element, else all of it in one.
  JsonWriter(Sink& sink, bool indented) : sink_(sink), indented_(indented) {}

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  // Of the member whose value comes next.
  JsonWriter& name(std::string_view text);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(uint64_t number);
  void value(bool truth);
  template <class T>
  void member(std::string_view text, const T& of) {
    name(text).value(of);
  }

 private:
  void begin(char bracket);
  void end(char bracket);
  void separate();
  void break_line();

  Sink& sink_;
  const bool indented_;
  uint32_t depth_ = 0;
  bool first_ = true;        // of what it is in
  bool after_name_ = false;  // it stands where it belongs already
};

}  // namespace heron::cli

// Writes a JSON document in order. (A tree of values would do, but the library at hand allocates
// memory when it destroys one, and ends the process if that fails.)
#pragma once

#include <cstdint>
#include <string_view>

#include "output/sink.h"

namespace heron::cli {

// Writes one value, which may be an array or object. Text need not be UTF-8.
class JsonWriter {
 public:
  // `indented`: a line per member and element, else everything on one line.
  JsonWriter(TextSink& sink, bool indented) : sink_(sink), indented_(indented) {}

  void begin_object() { begin('{'); }
  void end_object() { end('}'); }
  void begin_array() { begin('['); }
  void end_array() { end(']'); }
  // Writes the name of the member whose value follows.
  JsonWriter& name(std::string_view text);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(uint64_t number);
  void value(double number);  // NaN and infinities are texts
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

  TextSink& sink_;
  const bool indented_;
  uint32_t depth_ = 0;
  bool first_ = true;        // the next value is the first in its array or object
  bool after_name_ = false;  // no separator is needed
};

}  // namespace heron::cli

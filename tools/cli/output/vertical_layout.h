// Records one under the other, a line a field: its name, then its value. What is wider than the
// terminal goes on in the next line, below the value.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output/row_writer.h"
#include "output/sink.h"

namespace heron::cli {

class VerticalLayout {
 public:
  VerticalLayout(TextSink& sink, const Display& display, std::vector<std::string> names);

  // Before the fields of each record.
  void next_record();
  // `i` is an index in the names.
  void field(uint64_t i, std::string_view text, bool is_null = false);

 private:
  void write_name(std::string_view name, bool alone);
  void write_value(std::string_view printable);

  TextSink& sink_;
  bool colour_;
  std::vector<std::string> names_;
  uint32_t name_cells_;   // at most
  uint32_t indent_ = 0;   // where values begin, in cells: behind all names but very long ones
  uint32_t value_cells_;  // of a line, at most
  bool empty_ = true;
  StringSink scratch_;
};

}  // namespace heron::cli

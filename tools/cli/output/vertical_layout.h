// Writes records one under the other, a line per field: its name, then its value. A value wider
// than the terminal continues in the next line, below its beginning.
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

  // Called before the fields of each record.
  void next_record();
  // Writes a field; `i` is an index in the names.
  void field(uint64_t i, std::string_view text, bool is_null = false);

 private:
  void write_name(std::string_view name, bool alone);
  void write_value(std::string_view printable);

  TextSink& sink_;
  bool colour_;
  std::vector<std::string> names_;
  uint32_t name_cells_;   // maximum width of a name
  uint32_t indent_ = 0;   // cells before values: behind all names but very long ones
  uint32_t value_cells_;  // maximum width of a line of a value
  bool empty_ = true;
  StringSink scratch_;
};

}  // namespace heron::cli

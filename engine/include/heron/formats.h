// What the names of files say of their formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heron::inline v0 {

// "x.jay.tz": a Jay file in one container.
struct NamedFormat {
  std::string format;       // a format's name; empty: the ending is none's
  uint64_t containers = 0;  // around it
};
NamedFormat format_by_name(const std::string& path);

// What the names of a format's files end in, with the dot. Throws Error(Argument) if there is no
// such format.
std::string_view ending_of(std::string_view format);

// Which of WriteOptions mean something to a format; to one that is only read, none.
struct WriteChoices {
  bool order = false;
  bool block_rows = false;
  bool compression = false;
  bool key_columns = false;
  bool roles = false;  // label_column and group_column
};
// Throws Error(Argument) if there is no such format.
WriteChoices write_choices(std::string_view format);

}  // namespace heron::inline v0

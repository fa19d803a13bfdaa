// What file names say about formats.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heron::inline v0 {

// "x.jay.tz": a Jay file in one container.
struct NamedFormat {
  std::string format;       // a format's name; empty: no format has this ending
  uint64_t containers = 0;  // around it
};
NamedFormat format_by_name(const std::string& path);

// The ending of file names of a format, with the dot. Throws Error(Argument) for an unknown format.
std::string_view ending_of(std::string_view format);

// Which WriteOptions apply to a format; none for one that is only read.
struct WriteChoices {
  bool order = false;
  bool block_rows = false;
  bool compression = false;
  bool key_columns = false;
  bool roles = false;  // label_column and group_column
};
// Throws Error(Argument) for an unknown format.
WriteChoices write_choices(std::string_view format);

}  // namespace heron::inline v0

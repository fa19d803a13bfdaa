// The flags that formats bring: one for each option in their tables.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heron/convert.h"
#include "parsing/command.h"
#include "session.h"

namespace heron::cli {

// The values given for options of formats.
struct FormatValues {
  FormatOptions open, write;
};

// The format with the most flags for opening files: the section Text of the help has them.
std::string_view format_of_section();

// The flags of all formats for opening files, or for writing them.
const std::vector<Option>& format_flags(FormatOption::Use use);

// The first of the given flags for writing; empty: none is given.
std::string_view first_write_flag(const Session& session);

// Sets the values given for writing a file of that format and name in `options`: those of the
// format, and of the containers in the file's name. An empty format is unknown, which the writer of
// the file reports. Throws Error(Argument) for a flag that does not apply to the file.
void set_format_options(const Session& session, const std::string& format, const std::string& out,
                        ConvertOptions& options);

}  // namespace heron::cli

// Helpers of the verbs that write files of a format.
#pragma once

#include <string>

#include "heron/convert.h"
#include "parsing/command.h"
#include "session.h"

namespace heron::cli {

// Options of written files, and of columns that do not fit their format.
struct WritingOptions {
  std::string to_format;
  std::string sort_key;
  bool cast = false;
  bool drop_unsupported = false;
};

inline constexpr Option kCast{
    .names = "--cast",
    .value = "",
    .what = "write columns that do not fit as another type, if it holds all their values",
    .read = into<&WritingOptions::cast>,
    .elsewhere = "--coerce --convert-types"};
inline constexpr Option kDropUnsupported{.names = "--drop-unsupported",
                                         .value = "",
                                         .what = "leave out columns that do not fit",
                                         .read = into<&WritingOptions::drop_unsupported>,
                                         .elsewhere = "--drop --ignore-unsupported"};
inline constexpr Option kSortKey{
    .names = "--key",
    .value = "A,B",
    .what = "sort the rows by these columns, in which they must be unique",
    .read = into<&WritingOptions::sort_key>,
    .kind = Kind::Columns,
    .elsewhere = "--sort --sort-by --order-by --sort-key --primary-key"};

// Returns the options for a file of that name, of the requested format or else of the one that its
// name implies. Throws Error(Argument) for an option that does not apply to the format.
ConvertOptions convert_options(const Session& session, const std::string& out);
// Reports rows, bytes and time, in a line.
void report_written(Session& session, const ConvertReport& report);

}  // namespace heron::cli

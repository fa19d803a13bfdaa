// Helpers of the verbs that write files of a format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command.h"
#include "heron/convert.h"
#include "session.h"

namespace heron::cli {

// Of what is written, and what becomes of columns that do not fit.
struct WritingOptions {
  std::string to_format;
  std::string byte_order;  // "little", "big" or not given
  std::optional<uint64_t> block_rows;
  std::optional<uint64_t> compression;
  std::string layout;  // "typed", "legacy" or not given
  std::string label_column;
  std::string group_column;
  std::string sort_key;
  bool cast = false;
  bool drop_unsupported = false;
};

inline constexpr Option kCast{
    "--cast", "", "columns that do not fit get another type, if it holds all their values",
    into<&WritingOptions::cast>};
inline constexpr Option kDropUnsupported{"--drop-unsupported", "",
                                         "columns that do not fit are left out",
                                         into<&WritingOptions::drop_unsupported>};
inline constexpr Option kTarget{"--target", "COLUMN",
                                "which column is to be learnt (default: target)",
                                into<&WritingOptions::label_column>};
inline constexpr Option kQuery{"--query", "COLUMN",
                               "rows with the same number belong together (default: query)",
                               into<&WritingOptions::group_column>};
inline constexpr Option kSortKey{"--key", "A,B", "sort by these columns, which must be unique",
                                 into<&WritingOptions::sort_key>};
inline constexpr Option kOrder{"--order", "ORDER",
                               "byte order, where the format lets one choose (default: little)",
                               into<&WritingOptions::byte_order>, "little big"};
inline constexpr Option kBlockRows{"--block-rows", "N",
                                   "of a format with blocks (default: as its own program)",
                                   into<&WritingOptions::block_rows>};
inline constexpr Option kCompression{
    "--compression", "N", "of a format with compression: 0 none, 1 to 12 (default: its usual)",
    into<&WritingOptions::compression>};

inline constexpr Option kLayout{
    "--layout", "LAYOUT", "of .jay: legacy, which datatable before 1.1 reads, too (default: typed)",
    into<&WritingOptions::layout>, "typed legacy"};

// Whether an option is given that belongs to one format of binary files.
bool has_format_options(const WritingOptions& asked);
// For a file of that name, of the format that is asked for or else of the one it is named after.
// Throws Error(Argument) for an option that means nothing to the format.
WriteOptions write_options(const Session& session, const std::string& out);
// Rows, bytes and time, in a line.
void report_written(Session& session, const ConvertReport& report);

}  // namespace heron::cli

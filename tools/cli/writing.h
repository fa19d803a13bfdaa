// Helpers of the verbs that write files of a format.
#pragma once

#include "command.h"
#include "heron/convert.h"
#include "session.h"

namespace heron::cli {

inline constexpr Option kCast{
    "--cast", "", "columns that do not fit get another type, if it holds all their values",
    &Request::cast};
inline constexpr Option kDropUnsupported{
    "--drop-unsupported", "", "columns that do not fit are left out", &Request::drop_unsupported};
inline constexpr Option kTarget{
    "--target", "COLUMN", "which column is to be learnt (default: target)", &Request::label_column};
inline constexpr Option kQuery{"--query", "COLUMN",
                               "rows with the same number belong together (default: query)",
                               &Request::group_column};
inline constexpr Option kSortKey{"--key", "A,B", "sort by these columns, which must be unique",
                                 &Request::sort_key};
inline constexpr Option kOrder{"--order", "ORDER",
                               "byte order, where the format lets one choose (default: little)",
                               &Request::byte_order, "little big"};
inline constexpr Option kBlockRows{"--block-rows", "N",
                                   "of a format with blocks (default: as its own program)",
                                   &Request::block_rows};
inline constexpr Option kCompression{
    "--compression", "N", "of a format with compression: 0 none, 1 to 12 (default: its usual)",
    &Request::compression};

// For a file of that name, in the requested format or else by its ending. Throws Error(Argument)
// for an option that does not apply to the format.
WriteOptions write_options(const Request& request, const std::string& out);
// Prints rows, bytes and time in one line.
void tell_written(Session& session, const ConvertReport& report);

}  // namespace heron::cli

// The options of IDV files.
#pragma once

#include "format/format_options.h"

namespace heron::inline v0::idv {

inline constexpr std::string_view kStoredKeys = "stored_keys", kBlockRows = "block_rows",
                                  kCompression = "compression";
inline constexpr int64_t kHardestLevel = 12;  // the highest level of DEFLATE

inline constexpr FormatOption kOptions[] = {
    {.name = kStoredKeys,
     .use = FormatOption::Use::Open,
     .kind = FormatOption::Kind::Switch,
     .what = "show keys of IDV as the unsigned integers that are stored, 0 for null, instead of "
             "their values",
     .flag = "-"},  // --raw
    {.name = kBlockRows,
     .what = "write IDV in blocks of N rows (default: as its own program)",
     .value = "N",
     .elsewhere = "row-group-size block-size rows-per-block"},
    {.name = kCompression,
     .what = "compress the blocks of IDV: 0 not at all, 1 to 12 (default: as its own program)",
     .value = "N",
     .max = kHardestLevel,
     .elsewhere = "compress level compression-level z"},
};

}  // namespace heron::inline v0::idv

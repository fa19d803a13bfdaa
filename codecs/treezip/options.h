// The options of TreeZip containers.
#pragma once

#include "format/format_options.h"

namespace heron::inline v0::treezip {

inline constexpr std::string_view kPrevious = "previous_bits", kAddress = "address_bits";
inline constexpr int64_t kMaxBits = 255;
inline constexpr char kMoreBits[] = ": a larger {address_bits} or {previous_bits} may";  // a hint

inline constexpr FormatOption kOptions[] = {
    // A file made with 0 is read at any offset without decoding the bytes before it.
    {.name = kPrevious,
     .what = "predict a bit of .tz by the N bits before it (default: 0)",
     .value = "N",
     .max = kMaxBits,
     .flag = "prev"},
    {.name = kAddress,
     .what = "predict a bit of .tz by N bits of its address (default: all)",
     .value = "N",
     .max = kMaxBits,
     .flag = "addr"},
};

}  // namespace heron::inline v0::treezip

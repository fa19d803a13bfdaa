// The options of Balsa files.
#pragma once

#include <bit>

#include "format/format_options.h"
#include "heron/writer.h"

namespace heron::inline v0::balsa {

inline constexpr std::string_view kByteOrder = "order", kClassCount = "class_count",
                                  kFeatureCount = "feature_count";
inline constexpr int64_t kMaxCount = 255;

inline constexpr FormatOption kOptions[] = {
    {.name = kByteOrder,
     .kind = FormatOption::Kind::Word,
     .what = "write Balsa in this byte order (default: little)",
     .value = "ORDER",
     .choices = "little big",
     .elsewhere = "endian endianness byte-order"},
    {.name = kClassCount,
     .what = "write a Balsa forest of N classes (default: as IN says, or the largest label + 1)",
     .value = "N",
     .min = 1,
     .max = kMaxCount,
     .elsewhere = "classes n-classes num-class"},
    {.name = kFeatureCount,
     .what = "write a Balsa forest of N features (default: as IN says, or the largest feature + 1)",
     .value = "N",
     .min = 1,
     .max = kMaxCount,
     .elsewhere = "features n-features num-features"},
};

inline std::endian byte_order(const WriteOptions& options) {
  const bool is_big = text_option(options.format_options, kByteOrder) == "big";
  return is_big ? std::endian::big : std::endian::little;
}

}  // namespace heron::inline v0::balsa

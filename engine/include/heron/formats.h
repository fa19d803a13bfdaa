// Formats by the endings of file names, and what they can store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heron/export.h"

namespace heron::inline v0 {

// "x.jay.tz": a Jay file in one container.
struct NamedFormat {
  std::string format;       // a format's name; empty: no format has this ending
  uint64_t containers = 0;  // number of containers around the file
};
HERON_EXPORT NamedFormat format_by_name(const std::string& path);

// The ending of file names of a format, with the dot. Throws Error(Argument) for an unknown format.
HERON_EXPORT std::string_view ending_of(std::string_view format);

// Whether files of a format are containers, which wrap() makes. Throws Error(Argument) for an
// unknown format.
HERON_EXPORT bool is_container(std::string_view format);

// Whether files of a format store by which columns their rows are sorted and unique
// (WriteOptions::key_columns). Throws Error(Argument) for an unknown format.
HERON_EXPORT bool stores_keys(std::string_view format);

// Whether files of a format hold forests (create_forest()). Throws Error(Argument) for an unknown
// format.
HERON_EXPORT bool stores_forests(std::string_view format);

}  // namespace heron::inline v0

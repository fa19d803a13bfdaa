// The options of Jay files.
#pragma once

#include "format/format_options.h"
#include "heron/writer.h"

namespace heron::inline v0::jay {

// The layout in which the file describes columns.
enum class Layout : uint8_t {
  Typed,  // since datatable 1.1: every type, with bitmaps where cells cannot mark nulls
  // The layout of datatable before 1.1, which cannot read Typed; 1.1 reads both. Holds no lists, no
  // columns of type null, no integer that is its type's minimum; dates and times are known since
  // 1.0.
  Legacy,
};

inline constexpr std::string_view kLayout = "layout";

inline constexpr FormatOption kOptions[] = {
    {.name = kLayout,
     .kind = FormatOption::Kind::Word,
     .what = "write Jay in this layout; datatable before 1.1 reads only legacy (default: typed)",
     .value = "LAYOUT",
     .choices = "typed legacy"},
};

inline Layout layout_of(const WriteOptions& options) {
  const bool is_legacy = text_option(options.format_options, kLayout) == "legacy";
  return is_legacy ? Layout::Legacy : Layout::Typed;
}

}  // namespace heron::inline v0::jay

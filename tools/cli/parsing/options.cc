#include "parsing/options.h"

#include <algorithm>

#include "parsing/format_flags.h"

namespace heron::cli {

const std::vector<Option>& common_options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> made = {kEntry, kFormat, kNoMmap, kAccess, kNoIndex};
    const std::vector<Option>& of_formats = format_flags(FormatOption::Use::Open);
    made.insert(made.end(), of_formats.begin(), of_formats.end());
    made.insert(made.end(), {
      // running
      kThreads, kCacheMib, kMaxDecode, kExplain, kQuiet, kVerbose, kHelp});
    return made;
  }();
  return all;
}

std::vector<Option> opening_options(std::vector<Option> own,
                                    std::initializer_list<Option> left_out) {
  std::vector<Option> all = own;
  for (const Option& option : common_options()) {
    const auto is_it = [&](const Option& other) { return other.names == option.names; };
    if (std::ranges::none_of(own, is_it) && std::ranges::none_of(left_out, is_it))
      all.push_back(option);
  }
  return all;
}

std::vector<Option> row_options(std::initializer_list<Option> own) {
  std::vector<Option> all = own;
  all.insert(all.end(), {kColumns, kTable, kOutputRows, kRowNumber, kRaw, kSparse, kDtype, kExact,
                         kTo, kForce, kSkipDamaged});
  all.insert(all.end(), common_options().begin(), common_options().end());
  return all;
}

}  // namespace heron::cli

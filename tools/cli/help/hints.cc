#include "help/hints.h"

#include <algorithm>
#include <map>

#include "base/hints.h"
#include "heron/formats.h"

namespace heron::cli {
namespace {

// Options that the library and the command line name differently.
const std::map<std::string_view, std::string_view> kOtherNames = {
    {"mmap", "--no-mmap"},
    {"replace", "--force"},
    {"features", "--columns"},
    {"nulls_as_nan", "--nulls nan"}};

std::string with_dashes(std::string_view name) {
  std::string flag = "--" + std::string(name);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::string flag_of(std::string_view name) {
  if (const auto other = kOtherNames.find(name); other != kOtherNames.end()) {
    return std::string(other->second);
  }
  for (const std::string_view format : heron::format_names()) {
    for (const FormatOption& option : format_options(format)) {
      if (option.name == name && !option.flag.empty()) return with_dashes(option.flag);
    }
  }
  return with_dashes(name);
}

}  // namespace

std::string hint_text(std::string_view hint) {
  return hint::shown(hint, [](std::string_view name, std::string_view value) {
    const bool is_switch = value == "true" || value == "false";
    return value.empty() || is_switch ? flag_of(name) : flag_of(name).append(" ").append(value);
  });
}

}  // namespace heron::cli

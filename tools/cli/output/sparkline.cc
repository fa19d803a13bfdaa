#include "output/sparkline.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>

namespace heron::cli {
namespace {

constexpr std::array<std::string_view, 8> kBlocks = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> kInk = {"_", ".", ":", "-", "=", "+", "*", "#"};

}  // namespace

std::string sparkline(std::span<const uint64_t> counts, bool ascii) {
  std::string line;
  if (counts.empty()) return line;
  const uint64_t max_count = std::max<uint64_t>(1, *std::ranges::max_element(counts));
  for (const uint64_t count : counts) {
    const double share = static_cast<double>(count) / static_cast<double>(max_count);
    const auto level = static_cast<size_t>(share * (kBlocks.size() - 1));
    line += (ascii ? kInk : kBlocks)[count == 0 ? 0 : std::max<size_t>(1, level)];
  }
  return line;
}

bool uses_ascii() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale;
    for (const char* c = value; *c != '\0'; ++c) {
      if (*c != '-') locale += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
    }
    return locale.find("utf8") == std::string::npos;
  }
  return true;
}

}  // namespace heron::cli

#include "kit/wrapped_files.h"

#include <map>

#include "base/fail.h"
#include "temp_folder.h"

namespace heron::inline v0 {
namespace {

WrapOptions tree(unsigned previous_bits) {
  return {.container = "treezip", .format_options = {{"previous_bits", previous_bits}}};
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Wrapping& wrapping) {
  return out << wrapping.name;
}

std::vector<Wrapping> wrappings() {
  return {{"_direct", {tree(0)}}, {"_looking_back", {tree(8)}}, {"_twice", {tree(8), tree(0)}}};
}

std::string wrapped(const RealFile& file, const Wrapping& wrapping) {
  static const test::TempFolder folder;
  static std::map<std::string, std::string> made;
  std::string path = file.path.string();
  std::string name = file.test_name();
  for (const WrapOptions& layer : wrapping.layers) {
    name += concat("_p", *layer.format_options.get<int64_t>("previous_bits"));
    std::string& outer = made[name];
    if (outer.empty()) {
      // The endings of the name may choose the format of what is inside.
      outer = folder / concat(name, '_', file.path.filename().string());
      wrap(path, outer, layer);
    }
    path = outer;
  }
  return path;
}

std::vector<RealFile> files_to_wrap() {
  constexpr uint64_t kMinBytes = 300, kMaxBytes = 8192;
  constexpr int kOneOf = 11;
  std::vector<RealFile> some;
  int number = kOneOf / 2;
  for (RealFile& file : real_files()) {
    const uint64_t bytes = std::filesystem::file_size(file.path);
    if (bytes <= kMinBytes || bytes > kMaxBytes) continue;
    if (++number % kOneOf == 0) some.push_back(std::move(file));
  }
  return some;
}

}  // namespace heron::inline v0

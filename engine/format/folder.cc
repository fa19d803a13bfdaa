#include "format/folder.h"

#include <algorithm>
#include <filesystem>

#include "base/fail.h"

namespace heron::inline v0 {

std::vector<std::string> names_in_folder(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  if (error) fail(ErrorKind::Io, path, "the folder cannot be listed: ", error.message());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace heron::inline v0

#include "parsing/files.h"

#include <glob.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/fail.h"
#include "files/open_folder.h"
#include "heron/error.h"

namespace heron::cli {
namespace {

std::vector<std::string> matches(const std::string& pattern) {
  glob_t found = {};
  const std::unique_ptr<glob_t, decltype(&::globfree)> freed(&found, &::globfree);
  const int outcome = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  if (outcome != 0 && outcome != GLOB_NOMATCH) {
    fail(ErrorKind::Io, pattern, std::strerror(outcome == GLOB_NOSPACE ? ENOMEM : EIO));
  }
  std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  std::erase_if(paths, [](const std::string& path) { return path.ends_with(".heron"); });
  if (paths.empty()) fail(ErrorKind::Io, pattern, "no such file: no name matches this pattern");
  std::sort(paths.begin(), paths.end());  // glob() sorts by the locale
  return paths;
}

}  // namespace

std::vector<std::string> matching_files(std::span<const std::string> words) {
  std::vector<std::string> files;
  for (const std::string& word : words) {
    std::error_code ignored;
    const bool is_glob =
        word.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(word, ignored);
    for (std::string& path : is_glob ? matches(word) : std::vector{word}) {
      files.push_back(std::move(path));
    }
  }
  return with_files_of_folders(files, {});
}

}  // namespace heron::cli

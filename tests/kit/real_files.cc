#include "kit/real_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "files/formats.h"
#include "files/open.h"

namespace heron::inline v0 {

namespace fs = std::filesystem;

const fs::path& data_dir() {
  static const fs::path folder = HERON_DATA_DIR;
  return folder;
}

namespace {

bool tells_about_files(const fs::path& path) {
  const auto ending = path.extension();
  return ending == ".json" || ending == ".jsonl" || ending == ".md" || ending == ".raw";
}

std::vector<RealFile> files_in(const char* folder) {
  std::vector<RealFile> files;
  for (const Format& format : formats()) {
    const fs::path of_format = data_dir() / format.name / folder;
    if (!fs::is_directory(of_format)) continue;
    for (const auto& entry : fs::directory_iterator(of_format)) {
      if (entry.is_regular_file() && !tells_about_files(entry.path()))
        files.push_back({std::string(format.name), entry.path()});
    }
  }
  std::ranges::sort(files, {}, &RealFile::path);
  return files;
}

}  // namespace

std::string RealFile::test_name() const {
  std::string name = format + "_" + path.stem().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

fs::path RealFile::golden(const std::string& table) const {
  std::string ending = table;  // in an archive, the name of a table has a path
  std::ranges::replace_if(
      ending, [](char c) { return c == '/' || c == ':'; }, '_');
  return fs::path(path).replace_extension(table.empty() ? ".jsonl" : '.' + ending + ".jsonl");
}
fs::path RealFile::golden_sample(const std::string& table) const {
  return golden(table).replace_extension(".sample.jsonl");
}

std::ostream& operator<<(std::ostream& out, const RealFile& file) {
  return out << file.path.string();
}

std::vector<RealFile> real_files() {
  return files_in("");
}
std::vector<RealFile> bad_files() {
  return files_in("bad");
}

std::vector<std::byte> read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  const std::string content{std::istreambuf_iterator<char>(in), {}};
  const auto bytes = std::as_bytes(std::span(content));
  return {bytes.begin(), bytes.end()};
}

}  // namespace heron::inline v0

// The files in data/, found by walking the registry: a new format's are tested by lying there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace heron::inline v0 {

// The folder of the real files, one a format.
const std::filesystem::path& data_dir();

struct RealFile {
  std::string format;
  std::filesystem::path path;

  // As part of a test's name.
  std::string test_name() const;
  // The golden answers of a table, a line a row; of a larger one a sample with `row` numbers in
  // front. An empty name: the file's first table.
  std::filesystem::path golden(const std::string& table) const;
  std::filesystem::path golden_sample(const std::string& table) const;
};
std::ostream& operator<<(std::ostream& out, const RealFile& file);

// data/<format>/ and data/<format>/bad/, sorted; answers and descriptions left out, and so are
// other folders in there.
std::vector<RealFile> real_files();
std::vector<RealFile> bad_files();

std::vector<std::byte> read_file(const std::filesystem::path& path);

}  // namespace heron::inline v0

// The files in data/, found by walking the registry: files of a new format are tested without other
// changes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace heron::inline v0 {

// Returns the folder of the real files, which has one folder per format.
const std::filesystem::path& data_dir();

struct RealFile {
  std::string format;
  std::filesystem::path path;

  // Returns the part of a test name for this file.
  std::string test_name() const;
  // Return the path of a table's golden answers, a line a row; for a larger one, of a sample with
  // `row` numbers in front. An empty name: the file's first table.
  std::filesystem::path golden(const std::string& table) const;
  std::filesystem::path golden_sample(const std::string& table) const;
};
std::ostream& operator<<(std::ostream& out, const RealFile& file);

// Return the files of data/<format>/ and of data/<format>/bad/, sorted, without answers,
// descriptions and other folders.
std::vector<RealFile> real_files();
std::vector<RealFile> bad_files();

std::vector<std::byte> read_file(const std::filesystem::path& path);

}  // namespace heron::inline v0

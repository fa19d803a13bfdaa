// The files in data/, found by walking the registry: a new format's are tested by lying there.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace heron::inline v0 {

struct RealFile {
  std::string format;
  std::filesystem::path path;

  // As part of a test's name.
  std::string test_name() const;
  // Its golden answers, a line a row; of a larger file a sample with `row` numbers in front.
  std::filesystem::path golden() const { return with_ending(".jsonl"); }
  std::filesystem::path golden_sample() const { return with_ending(".sample.jsonl"); }

 private:
  std::filesystem::path with_ending(const char* ending) const;
};
std::ostream& operator<<(std::ostream& out, const RealFile& file);

// data/<format>/ and data/<format>/bad/, sorted; answers and descriptions left out.
std::vector<RealFile> real_files();
std::vector<RealFile> bad_files();

std::vector<std::byte> read_file(const std::filesystem::path& path);

}  // namespace heron::inline v0

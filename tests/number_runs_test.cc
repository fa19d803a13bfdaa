// The fuzzers' tables of where numbers lie in files, and the mutator of numbers.
#include "kit/number_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "kit/real_files.h"

namespace heron {
namespace {

bool has_table(const std::string& format) {
  static const std::set<std::string> kWithout = {"gzip", "bzip2", "xz", "zstd"};
  return !kWithout.contains(format);
}

// A text may have no digits.
bool is_text(const std::string& format) {
  return format == "csv" || format == "svmlight";
}

uint64_t end_of(const NumberRun& run) {
  if (run.kind != NumberRun::Kind::Integer) return run.offset + run.count;
  return run.offset + (run.count - 1) * run.step + run.width;
}

TEST(NumberRuns, LieInEveryFileAlsoIfItIsCutShort) {
  for (const RealFile& file : real_files()) {
    const std::vector<std::byte> bytes = read_file(file.path);
    if (!has_table(file.format)) continue;
    for (size_t part = 0; part <= 8; ++part) {
      const auto kept = std::span(bytes).first(bytes.size() * part / 8);
      const auto runs = number_runs(file.format, kept);
      if (part == 8 && !is_text(file.format)) {
        EXPECT_EQ(runs.empty(), bytes.empty()) << file;
      }
      for (const NumberRun& run : runs) {
        ASSERT_GT(run.count, 0U) << file;
        ASSERT_LE(end_of(run), kept.size()) << file << " at " << run.offset;
      }
    }
  }
}

TEST(NumberRuns, HaveTheOffsetsAndSizesOfAFile) {
  const auto has = [](const char* path, const char* format, uint64_t offset, uint8_t width) {
    const auto runs = number_runs(format, read_file(data_dir() / path));
    return std::ranges::any_of(runs, [&](const NumberRun& run) {
      return run.width == width && offset >= run.offset &&
             offset < run.offset + run.count * run.step && (offset - run.offset) % run.step == 0;
    });
  };
  const uint64_t jay_bytes = read_file(data_dir() / "jay/types_stats.jay").size();
  EXPECT_TRUE(has("jay/types_stats.jay", "jay", jay_bytes - 16, 8));
  EXPECT_TRUE(has("idv/scalars_all_none_1block.idv", "idv", 40, 8));  // rows
  EXPECT_TRUE(has("idv/keys_deflate_rpb32.idv", "idv", 1747, 8));     // the block of the values of keys
  EXPECT_TRUE(has("jforests/types_ranking.bin", "jforests", 12, 4));  // the first record's size
  const uint64_t zip_bytes = read_file(data_dir() / "zip/stored.zip").size();
  EXPECT_TRUE(has("zip/stored.zip", "zip", zip_bytes - 22 + 16, 4));  // the directory's offset
  EXPECT_TRUE(has("treezip/addr70.tz", "treezip", 8, 8));             // bytes of the payload
}

// Mutants stay inside of the buffer, and few of them are the file.
TEST(MutateNumbers, ChangesAFileInPlace) {
  std::mt19937_64 random(7);
  for (const RealFile& file : real_files()) {
    const std::vector<std::byte> bytes = read_file(file.path);
    if (!has_table(file.format) || bytes.empty() || bytes.size() > 20'000) continue;
    const auto runs = number_runs(file.format, bytes);
    if (runs.empty() && is_text(file.format)) continue;
    int changed = 0;
    constexpr int kMutants = 40;
    for (int i = 0; i < kMutants; ++i) {
      std::vector<std::byte> mutant = bytes;
      mutant.resize(bytes.size() + 64);
      const size_t size = mutate_numbers(mutant, bytes.size(), runs, random);
      ASSERT_LE(size, mutant.size()) << file;
      mutant.resize(size);
      changed += mutant != bytes;
    }
    EXPECT_GT(changed, kMutants / 2) << file;
  }
}

}  // namespace
}  // namespace heron

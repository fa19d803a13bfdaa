// A damaged file gives an answer or an Error: every file in data/, cut short everywhere and with
// bits flipped, gets every query from memory whose neighbours must not be touched. A wrong read is
// a signal, a hang is ctest's timeout.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "files/formats.h"
#include "files/open.h"
#include "kit/effort.h"
#include "kit/guarded_bytes.h"
#include "kit/interrogate.h"
#include "kit/real_files.h"

namespace heron {
namespace {

// Returns a number n of bytes: damage is tried at each of the last n bytes of a file, at the first
// n / 4, and at n bytes evenly in between. A large file takes long to query, and files that are
// already damaged are much alike.
size_t thoroughness(const RealFile& file, size_t bytes) {
  const bool is_bad = std::filesystem::path(file.path).parent_path().filename() == "bad";
  return std::max<size_t>(1, tries(12) / (bytes > 100'000 ? 10 : is_bad ? 6 : 1));
}

constexpr int kMaxFastQuestions = 120;

// Returns offsets in a file of `bytes` bytes at which damage is tried.
std::vector<size_t> damage_offsets(const RealFile& file, size_t bytes) {
  const size_t many = thoroughness(file, bytes);
  const size_t stride = std::max<size_t>(1, bytes / many);
  const size_t end = bytes - std::min(bytes, many);
  std::vector<size_t> all;
  for (size_t at = 0; at < bytes;) {
    all.push_back(at);
    at += at >= many / 4 && at < end ? std::min(stride, end - at) : 1;
  }
  return all;
}

bool is_container(const std::string& format) {
  return std::ranges::any_of(formats(), [&](const Format& known) {
    return known.name == format && known.unwrap != nullptr;
  });
}

class Corruption : public testing::TestWithParam<RealFile> {
 protected:
  const std::vector<std::byte> bytes_ = read_file(GetParam().path);
  GuardedBytes guarded_{bytes_.size()};
};

TEST_P(Corruption, Whole) {
  interrogate(guarded_.hold(bytes_));
}

TEST_P(Corruption, CutShort) {
  for (const size_t length : damage_offsets(GetParam(), bytes_.size()))
    interrogate(guarded_.hold(std::span(bytes_).first(length)), GetParam().format);
}

TEST_P(Corruption, FlippedBits) {
  const auto held = guarded_.hold(bytes_);
  // Queries take a while for a large file, one with many columns, or a container: one bit a byte is
  // tried in these.
  const bool slow = bytes_.size() > 16384 || is_container(GetParam().format) ||
                    interrogate(held) > kMaxFastQuestions;
  const unsigned step = slow ? 8 : 1;
  for (const size_t at : damage_offsets(GetParam(), bytes_.size())) {
    for (unsigned bit = step == 1 ? 0 : static_cast<unsigned>(at % 8); bit < 8; bit += step) {
      held[at] ^= std::byte{1} << bit;
      interrogate(held, GetParam().format);
      held[at] = bytes_[at];
    }
  }
}

const auto test_name = [](const auto& test) { return test.param.test_name(); };
INSTANTIATE_TEST_SUITE_P(Real, Corruption, testing::ValuesIn(real_files()), test_name);
INSTANTIATE_TEST_SUITE_P(Bad, Corruption, testing::ValuesIn(bad_files()), test_name);

TEST(Interrogate, IsAnsweredByAWholeFile) {
  for (const RealFile& file : real_files()) {
    const bool is_known = format_named(file.format).resembles == nullptr;
    EXPECT_GT(interrogate(read_file(file.path), is_known ? "" : file.format), 2) << file;
  }
}

}  // namespace
}  // namespace heron

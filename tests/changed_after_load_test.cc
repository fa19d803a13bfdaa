// Numbers of a file that change right after they were loaded: a query that loads one of them once more
// is answered or ends in an Error.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "kit/changed_after_load.h"
#include "kit/effort.h"
#include "kit/traced_source.h"
#include "kit/watched_source.h"

namespace heron {
namespace {

TEST(TracedSource, RecordsEachAccess) {
  if (!kSeesAccesses) GTEST_SKIP() << "accesses cannot be seen";
  const TracedSource source(std::vector<std::byte>(100));
  const volatile std::byte* bytes = source.base();
  for (const uint32_t i : {10, 30, 10}) static_cast<void>(bytes[i]);
  EXPECT_TRUE(std::ranges::equal(source.trace(), std::vector<uint32_t>{10, 30, 10}));
}

TEST(WatchedSource, ChangesAfterTheChosenAccess) {
  if (!WatchedSource::is_possible()) GTEST_SKIP() << "bytes cannot be watched";
  const std::vector<std::byte> first(100, std::byte{1});
  const std::vector<WatchedSource::Watch> watches = {{10, 2}, {30, 1}};
  const WatchedSource source(first, watches, [](std::span<std::byte> bytes, size_t offset) {
    bytes[offset] = std::byte{2};
  });
  const volatile std::byte* bytes = source.base();
  const std::vector<std::byte> got = {bytes[10], bytes[30], bytes[10],
                                      bytes[10], bytes[30], bytes[20]};
  EXPECT_EQ(got, (std::vector<std::byte>{std::byte{1}, std::byte{1}, std::byte{1}, std::byte{2},
                                         std::byte{2}, std::byte{1}}));
}

class ChangedAfterLoad : public testing::TestWithParam<const char*> {};

TEST_P(ChangedAfterLoad, GivesAnAnswerOrAnError) {
  if (!kSeesAccesses || !WatchedSource::is_possible()) GTEST_SKIP() << "bytes cannot be watched";
  ChangedFile file(GetParam());
  std::mt19937_64 random(1);
  for (const Question& question : questions()) {
    const std::vector<uint32_t>& offsets = file.reloaded(question);
    if (offsets.empty()) continue;
    for (uint64_t i = 0; i < tries(100); ++i) {
      file.ask(question, offsets[random() % offsets.size()], random);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ChangedAfterLoad, testing::ValuesIn(kChangedFiles),
                         [](const auto& test) {
                           std::string name;
                           for (const char c : std::string_view(test.param)) {
                             name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace heron

#include "treezip/read/checkpoints.h"

#include <gtest/gtest.h>

#include "error_of.h"

namespace heron {
namespace {

using treezip::Checkpoints;

std::array<std::byte, 3> end_of(uint64_t block) {
  return {static_cast<std::byte>(block), static_cast<std::byte>(block >> 8), std::byte{7}};
}

TEST(Checkpoints, KeepTheEndOfEveryBlock) {
  Checkpoints checkpoints(5000, 3, nullptr);
  for (uint64_t block = 0; block < 5000; ++block) {
    EXPECT_EQ(checkpoints.frontier(), block);
    checkpoints.append(end_of(block));
  }
  for (uint64_t block = 1; block <= 5000; ++block) {
    const auto expected = end_of(block - 1);
    EXPECT_TRUE(std::ranges::equal(checkpoints.before(block), expected)) << block;
  }
  EXPECT_EQ(checkpoints.bytes(), 5001u * 3);  // blocks beyond the payload have none
}

TEST(Checkpoints, StayWhereTheyAreWhenTheBudgetIsUsedUp) {
  Checkpoints checkpoints(uint64_t{1} << 55, 3, std::make_shared<MemoryBudget>(200'000));
  const Error error = test::error_of([&] {
    for (uint64_t block = 0;; ++block) checkpoints.append(end_of(block));
  });
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  const uint64_t reached = checkpoints.frontier();
  EXPECT_GT(reached, 1000u);
  EXPECT_TRUE(std::ranges::equal(checkpoints.before(reached), end_of(reached - 1)));
}

TEST(Checkpoints, AreRestoredIfTheyLeaveAsMuchOfTheBudget) {
  std::vector<std::byte> ends;
  for (uint64_t block = 0; block < 50'000; ++block) {
    const auto end = end_of(block);
    ends.insert(ends.end(), end.begin(), end.end());
  }
  for (const uint64_t limit : {0, 1000, 150'000, 299'000}) {
    const auto budget = std::make_shared<MemoryBudget>(limit);
    Checkpoints checkpoints(50'000, 3, budget);
    checkpoints.restore(ends);
    EXPECT_EQ(checkpoints.frontier(), 0u) << limit;
    EXPECT_EQ(budget->used(), 0u) << limit;
  }
  for (const auto& budget :
       {std::shared_ptr<MemoryBudget>(), std::make_shared<MemoryBudget>(320'000)}) {
    Checkpoints checkpoints(50'000, 3, budget);
    checkpoints.restore(ends);
    EXPECT_EQ(checkpoints.frontier(), 50'000u);
    EXPECT_TRUE(std::ranges::equal(checkpoints.before(40'000), end_of(39'999)));
  }
}

}  // namespace
}  // namespace heron

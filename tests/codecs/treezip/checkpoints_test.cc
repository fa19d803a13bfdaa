#include "treezip/checkpoints.h"

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
  EXPECT_EQ(checkpoints.bytes(), 5001u * 3);  // none for blocks there are not
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

}  // namespace
}  // namespace heron

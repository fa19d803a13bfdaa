#include "base/arena.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "error_of.h"

namespace heron {
namespace {

using test::error_of;

bool aligned(const std::byte* piece) {
  return reinterpret_cast<uintptr_t>(piece) % Arena::kAlignment == 0;
}

TEST(Arena, PiecesAreAlignedAndApartAndHaveSlack) {
  Arena arena;
  std::vector<std::pair<std::byte*, uint64_t>> pieces;
  for (uint64_t bytes : {0, 1, 63, 64, 65, 4000, 70'000, 300'000, 5}) {
    pieces.emplace_back(arena.allocate(bytes), bytes);
    ASSERT_TRUE(aligned(pieces.back().first));
    std::memset(pieces.back().first, static_cast<int>(pieces.size()), bytes + Arena::kSlack);
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto [piece, bytes] = pieces[i];
    for (uint64_t at = 0; at < bytes + Arena::kSlack; ++at) {
      ASSERT_EQ(std::to_integer<size_t>(piece[at]), i + 1);
    }
  }
}

TEST(Arena, SettlesAtOneChunk) {
  const auto budget = std::make_shared<MemoryBudget>(1 << 30);
  Arena arena(budget);
  const auto fill = [&arena] {
    std::byte* first = arena.allocate(100);
    for (int i = 0; i < 100; ++i) arena.allocate(10'000);
    return first;
  };
  fill();
  const uint64_t settled = budget->used();
  arena.reset();
  std::byte* first = fill();
  for (int round = 0; round < 3; ++round) {
    arena.reset();
    EXPECT_EQ(fill(), first);
    EXPECT_EQ(budget->used(), settled);
  }
}

TEST(Arena, GivesAllBackToTheBudget) {
  const auto budget = std::make_shared<MemoryBudget>(1 << 30);
  {
    Arena arena(budget);
    for (int i = 0; i < 10; ++i) arena.allocate(50'000);
    EXPECT_GE(budget->used(), 500'000u);
    arena.reset();
    arena.allocate(1);
  }
  EXPECT_EQ(budget->used(), 0u);
}

TEST(Arena, RefusedIsUsableStill) {
  const auto budget = std::make_shared<MemoryBudget>(1 << 20);
  Arena arena(budget);
  std::byte* piece = arena.allocate(1000);
  std::memset(piece, 1, 1000);
  const uint64_t used = budget->used();
  EXPECT_EQ(error_of([&] { arena.allocate(1 << 20); }).kind(), ErrorKind::Limit);
  EXPECT_EQ(budget->used(), used);
  EXPECT_EQ(std::to_integer<int>(piece[999]), 1);
  arena.allocate(1000);
  arena.reset();
  EXPECT_EQ(arena.allocate(1000), piece);
}

TEST(Arena, RoomToSpareDoesNotBreakTheBudget) {
  const auto budget = std::make_shared<MemoryBudget>(10'000);  // smaller than a first chunk
  Arena arena(budget);
  EXPECT_TRUE(aligned(arena.allocate(9'000)));
  EXPECT_EQ(error_of([&] { arena.allocate(9'000); }).kind(), ErrorKind::Limit);
}

TEST(Arena, CountsThatWrapAreRefused) {
  const auto budget = std::make_shared<MemoryBudget>(1 << 20);
  Arena arena(budget);
  EXPECT_EQ(error_of([&] { arena.allocate(UINT64_MAX - 3); }).kind(), ErrorKind::Limit);
  EXPECT_EQ(error_of([&] { arena.allocate_array<uint64_t>(UINT64_MAX / 4); }).kind(),
            ErrorKind::Limit);
  EXPECT_EQ(budget->used(), 0u);
  EXPECT_TRUE(aligned(arena.allocate(10)));
}

}  // namespace
}  // namespace heron

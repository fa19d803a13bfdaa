// Small pieces of a view are the same whether or not its source has an address, and take few reads.
#include "bytes/view_reader.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

#include "kit/made_table.h"

namespace heron {
namespace {

constexpr uint64_t kCells = 20'000;

class Views : public testing::TestWithParam<bool> {
 protected:
  Views() {
    std::vector<uint32_t> cells(kCells);
    std::iota(cells.begin(), cells.end(), 0u);
    pieces_.add(std::vector<char>(3, '<'));
    piece_ = pieces_.add(cells, 1);
    source_ = pieces_.source(GetParam());
  }
  ByteView view() const { return piece_.in(*source_); }

  Pieces pieces_;
  Piece piece_;
  std::shared_ptr<const ByteSource> source_;
};

uint32_t cell(ViewReader& reader, uint64_t i) {
  uint32_t value = 0;
  reader.copy(i * 4, 4, reinterpret_cast<std::byte*>(&value));
  return value;
}

TEST_P(Views, GivePiecesInAnyOrder) {
  const ByteView all = view();
  const Context context;
  ViewReader reader(all, context);
  std::mt19937 random(3);
  uint64_t at = 0;
  for (int i = 0; i < 50'000; ++i) {  // reads near and far cells, ahead and back
    at = random() % 4 == 0 ? random() % kCells : std::min(at + random() % 600, kCells - 1);
    ASSERT_EQ(cell(reader, at), at);
  }
}

// This is not inlined: g++ 12 sees copies out of bounds that the size of a piece rules out.
[[gnu::noinline]] void copy_cells(ViewReader& reader, uint64_t first, std::span<uint32_t> cells) {
  reader.copy(first * 4, cells.size_bytes(), std::as_writable_bytes(cells).data());
}

TEST_P(Views, GivePiecesSmallerAndLargerThanWhatIsKept) {
  const ByteView all = view();
  const Context context;
  for (const uint64_t count : {1023, 1024, 1025, 5000}) {
    ViewReader reader(all, context);
    std::vector<uint32_t> many(count);
    for (const uint64_t first : {uint64_t{0}, uint64_t{1}, count, kCells - count}) {
      copy_cells(reader, first, many);
      EXPECT_EQ(many.front(), first);
      EXPECT_EQ(many.back(), first + count - 1);
    }
  }
}

TEST_P(Views, WindowsAreAligned) {
  Arena arena;
  for (uint64_t first = 0; first < 5; ++first) {
    const std::byte* cells = window(view(), first * 4, 40, 4, arena, {});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(cells) % 4, 0);
    EXPECT_EQ(*reinterpret_cast<const uint32_t*>(cells), first);
  }
}

INSTANTIATE_TEST_SUITE_P(Bytes, Views, testing::Bool(),
                         [](const auto& test) { return test.param ? "mapped" : "copied"; });

TEST(ViewReader, PiecesCloseBehindEachOtherShareReads) {
  const CopyingSource source("made.file", std::vector<std::byte>(80'000));
  const ByteView view{&source, 0, 80'000};
  const Context context;
  ViewReader reader(view, context);
  for (uint64_t i = 0; i < kCells; ++i) cell(reader, i);
  EXPECT_LE(source.reads(), 80'000 / 4096 + 3);
}

}  // namespace
}  // namespace heron

// Blocks with one buffer in the frame and one in a file without a map.
#include "cache/decoded_block.h"

#include <gtest/gtest.h>

#include <cstring>

#include "bytes/memory_source.h"
#include "columns/fixed_column.h"
#include "columns/text_column.h"
#include "kit/made_table.h"

namespace heron {
namespace {

// One block of two rows in the frame, with the characters "ab" or a bitmap without nulls in a file.
class TwoSources final : public BlockSource {
 public:
  TwoSources(const ByteSource& file, bool is_text) : file_(file), is_text_(is_text) {}

  const std::string& name() const noexcept override { return file_.name(); }
  uint64_t frame_bytes(uint64_t, const Context&) const override { return sizeof kOffsets; }
  ColumnPtr open(uint64_t, uint64_t rows, const BlockFrame& frame, const Context&) const override {
    std::memcpy(frame.memory, kOffsets, sizeof kOffsets);
    const ByteView cells{frame.source, 0, sizeof kOffsets}, stored{&file_, 0, 2};
    if (is_text_) {
      return std::make_unique<TextColumn>(rows, ColumnLabel{"t", ""}, OffsetCells{cells}, stored);
    }
    return std::make_unique<FixedColumn>(Type::Int32, rows, ColumnLabel{"n", ""},
                                         FixedCells{cells, stored, NullEncoding::Bitmap});
  }

 private:
  static constexpr uint32_t kOffsets[] = {0, 1, 2};
  const ByteSource& file_;
  bool is_text_;
};

bool has_cells(const ByteSource& file, bool is_text) {
  BlockSlots slots(std::make_shared<BlockCache>(1 << 20), 1,
                   std::make_shared<TwoSources>(file, is_text));
  return slots.pin(0, 2, BlockUse::Take, {})->cells != nullptr;
}

TEST(DecodedBlock, HasCellsIfAllOfThemAreInMemory) {
  const std::vector<std::byte> bytes(2, std::byte{'a'});
  const MemorySource mapped("file", bytes);
  const CopyingSource copied("file", bytes);
  for (const bool is_text : {false, true}) {
    EXPECT_TRUE(has_cells(mapped, is_text)) << is_text;
    EXPECT_FALSE(has_cells(copied, is_text)) << is_text;
  }
}

}  // namespace
}  // namespace heron

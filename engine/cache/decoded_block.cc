#include "cache/decoded_block.h"

#include <cassert>
#include <span>
#include <utility>

#include "columns/prefetch.h"

namespace heron::inline v0 {
namespace {

void find_cells(DecodedBlock& block) {
  const auto address = [](const ByteView& view) {
    return view.source == nullptr ? nullptr : view.data();
  };
  block.flat = block.column->flat();
  if (!block.flat) return;
  block.cells = address(block.flat->cells);
  if (block.cells == nullptr) return;
  const bool is_nullable = has_bitmap(block.flat->nulls);
  if (is_nullable) block.validity = address(block.flat->validity);
  block.characters = address(block.flat->characters);
  block.character_bytes = block.flat->characters.bytes;
  // A buffer that is not compressed stays in the file: without a map, its rows are taken.
  if ((is_nullable && block.flat->validity.bytes != 0 && block.validity == nullptr) ||
      (block.character_bytes != 0 && block.characters == nullptr)) {
    block.cells = nullptr;
  }
}

class ColumnLoader final : public CacheLoader {
 public:
  ColumnLoader(const BlockSource& source, uint64_t block, uint64_t rows) noexcept
      : source_(source), block_(block), rows_(rows) {}

  uint64_t frame_bytes(const Context& context) const override {
    return source_.frame_bytes(block_, context);
  }
  std::unique_ptr<CacheEntry> load(const CacheFrame& frame, const Context& context) const override {
    auto decoded = std::make_unique<DecodedBlock>();
    BlockFrame in{frame.memory, frame.bytes};
    if (frame.bytes != 0) {
      in.source = &decoded->source.emplace(source_.name(), std::span(frame.memory, frame.bytes));
    }
    decoded->column = source_.open(block_, rows_, in, context);
    assert(decoded->column->rows() == rows_);
    find_cells(*decoded);
    return decoded;
  }

 private:
  const BlockSource& source_;
  const uint64_t block_;
  const uint64_t rows_;
};

}  // namespace

BlockSlots::Pin BlockSlots::load(uint64_t block, uint64_t rows, BlockUse use,
                                 const Context& context) {
  return Pin(slots_.pin(block, use, ColumnLoader(*source_, block, rows), context));
}

ByteView BlockSlots::stored(uint64_t block, const Context& context) const {
  try {
    return source_->stored(block, context);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Corrupt) throw;
    return {};
  }
}

void BlockSlots::locate(uint64_t block, uint64_t block_rows, const RowsToRead& rows, unsigned round,
                        Prefetch& bytes, const Context& context) {
  try {
    Pin pin = pin_if_cached(block, BlockUse::Scan);
    if (!pin && source_->frame_bytes(block, context) != 0) {
      if (round != 0) return;
      const ByteView whole = source_->stored(block, context);
      return bytes.add(whole, 0, whole.bytes);
    }
    if (!pin) pin = load(block, block_rows, BlockUse::Scan, context);
    if (!pin->source) pin->column->locate(rows, round, bytes, context);
  } catch (const Error& error) {
    if (!may_come_of_change(error.kind())) throw;  // the reader reports damage
  }
}

std::shared_ptr<const void> BlockSlots::keep(Pin pin) {
  struct Kept {
    std::shared_ptr<BlockSlots> slots;
    Pin pin;  // destroyed before slots
  };
  return std::make_shared<Kept>(Kept{shared_from_this(), std::move(pin)});
}

}  // namespace heron::inline v0

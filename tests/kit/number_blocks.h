// Blocks of int64 numbers for tests of the block cache: cell i of block k is one number of k and i.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "bytes/memory_source.h"
#include "cache/decoded_block.h"
#include "columns/fixed_column.h"

namespace heron {

class NumberBlocks final : public BlockSource {
 public:
  // Every column has its own numbers. With `in_place`, blocks need no frame.
  NumberBlocks(uint64_t column, uint64_t rows, bool in_place = false)
      : column_(column), rows_(rows), in_place_(in_place) {}

  uint64_t rows() const noexcept { return rows_; }
  uint64_t number(uint64_t block, uint64_t row) const noexcept {
    return column_ << 48 ^ block << 24 ^ row;
  }
  // Returns whether the cells from first to last are those of the block.
  bool holds(uint64_t block, const DecodedBlock& decoded) const {
    const std::byte* cells = decoded.flat->cells.data();
    for (uint64_t row = 0; row < decoded.column->rows(); ++row) {
      uint64_t cell = 0;
      std::memcpy(&cell, cells + row * sizeof cell, sizeof cell);
      if (cell != number(in_place_ ? 0 : block, row)) return false;
    }
    return true;
  }
  // Sets a function that every open() calls, and that may throw.
  void on_open(std::function<void(uint64_t block)> call) { on_open_ = std::move(call); }

  const std::string& name() const noexcept override { return name_; }
  uint64_t frame_bytes(uint64_t, const Context&) const override {
    return in_place_ ? 0 : rows_ * sizeof(uint64_t);
  }
  ColumnPtr open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                 const Context&) const override {
    if (on_open_) on_open_(block);
    for (uint64_t row = 0; row < frame.bytes / sizeof(uint64_t); ++row) {
      const uint64_t cell = number(block, row);
      std::memcpy(frame.memory + row * sizeof cell, &cell, sizeof cell);
    }
    const ByteView cells = {in_place_ ? &file_ : frame.source, 0, rows * sizeof(uint64_t)};
    return std::make_unique<FixedColumn>(Type::Int64, rows, ColumnLabel{"numbers", "made"},
                                         FixedCells{cells});
  }

 private:
  const uint64_t column_;
  const uint64_t rows_;
  const bool in_place_;
  const std::string name_ = "made";
  std::function<void(uint64_t)> on_open_;
  const std::vector<uint64_t> file_cells_ = make_file_cells();
  const MemorySource file_{"made", std::as_bytes(std::span(file_cells_))};

  std::vector<uint64_t> make_file_cells() const {
    std::vector<uint64_t> cells(in_place_ ? rows_ : 0);
    for (uint64_t row = 0; row < cells.size(); ++row) cells[row] = number(0, row);
    return cells;
  }
};

// A column of number blocks in a cache.
struct CachedNumbers {
  std::shared_ptr<NumberBlocks> source;
  std::shared_ptr<BlockSlots> slots;

  CachedNumbers(std::shared_ptr<BlockCache> cache, uint64_t count, uint64_t rows,
                uint64_t column = 0, bool in_place = false)
      : source(std::make_shared<NumberBlocks>(column, rows, in_place)),
        slots(std::make_shared<BlockSlots>(std::move(cache), count, source)) {}

  BlockSlots::Pin pin(uint64_t block, BlockUse use = BlockUse::Take) const {
    return slots->pin(block, source->rows(), use, Context{});
  }
  bool is_cached(uint64_t block) const {
    return static_cast<bool>(slots->pin_if_cached(block, BlockUse::Scan));
  }
  bool right(uint64_t block, const BlockSlots::Pin& pin) const {
    return source->holds(block, *pin);
  }
};

}  // namespace heron

// The cells of a column whose blocks are read in place: nothing is decoded, so that any rows are
// copied from the map, whichever blocks they are in, without pins and without sorting by block.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "cache/decoded_block.h"

namespace heron::inline v0 {

// How row numbers are those of blocks of equally many rows.
struct EvenBlocks {
  uint64_t rows;   // of a block, not 0
  unsigned shift;  // `rows` as a power of two; 64 if it is not one

  uint64_t block_of(uint64_t row) const noexcept { return shift < 64 ? row >> shift : row / rows; }
  uint64_t row_in_block(uint64_t row) const noexcept {
    return shift < 64 ? row & (rows - 1) : row % rows;
  }
  // Returns whether all rows, of which there is one at least, are in one block.
  bool are_together(std::span<const uint64_t> group) const noexcept {
    const uint64_t start = group[0] - row_in_block(group[0]);
    uint64_t together = 0;  // a block of a power of two rows has all below its highest bit
    bool is_outside = false;
    if (shift < 64) {
      for (const uint64_t row : group) together |= row ^ start;
      return together >> shift == 0;
    }
    for (const uint64_t row : group) is_outside |= row - start >= rows;
    return !is_outside;
  }
};

// Thread-safe. Serves blocks whose cells are in a map, packed, in the machine's byte order, and
// never null: numbers, bits and texts.
class InPlaceCells {
 public:
  struct Block {
    std::atomic<const std::byte*> cells{nullptr};  // null: the block was not opened yet
    const std::byte* characters = nullptr;
    uint64_t character_bytes = 0;
  };

  InPlaceCells(EvenBlocks even, uint64_t count) : even_(even), count_(count) {}

  // Opens the blocks of the rows that were not opened yet, by open(block), which returns a pin.
  // Returns whether all of them have such cells; if not, the column has to be read in another way.
  // Throws what opening throws.
  template <class Open>
  bool prepare(std::span<const uint64_t> rows, Open open) {
    if (!is_served()) return false;
    if (closed_.load(std::memory_order_acquire) == 0) return true;
    make_blocks();
    uint64_t last = UINT64_MAX;
    for (const uint64_t row : rows) {
      const uint64_t block = even_.block_of(row);
      if (block == last) continue;
      last = block;
      if (blocks_[block].cells.load(std::memory_order_acquire) != nullptr) continue;
      const BlockSlots::Pin pin = open(block);
      if (!add(block, *pin)) return false;
    }
    return true;
  }

  // Returns false if a block was found whose cells are of another kind.
  bool is_served() const noexcept { return !refused_.load(std::memory_order_relaxed); }

  // For rows that were prepared, or one at least was; those of others have no cells.
  const Block& block_of(uint64_t row) const noexcept { return blocks_[even_.block_of(row)]; }
  const std::byte* cell_of(uint64_t row) const noexcept {
    return cells_of(block_of(row)) + even_.row_in_block(row) * form_.stride;
  }
  // What blocks have in common; its views are of one of them.
  const FlatCells& form() const noexcept { return form_; }

  // Prefetches the cells of the rows whose blocks were opened.
  void prefetch(std::span<const uint64_t> rows) const noexcept;
  // Takes prepared rows. Returns nullopt for texts that have to be read in another way, as their
  // offsets are damaged, or they are too many.
  std::optional<Values> take(const Type& type, std::span<const uint64_t> rows, Arena& arena,
                             const Context& context) const;

 private:
  static const std::byte* cells_of(const Block& block) noexcept {
    return block.cells.load(std::memory_order_relaxed);
  }
  // The block of a row, and the block's first row.
  struct Located {
    const Block* block;
    uint64_t first_row;
  };

  void make_blocks();
  bool add(uint64_t number, const DecodedBlock& decoded);
  // Calls work(first, end, located) for the rows in order, some hundred at once, with
  // located(row); which costs nothing if all of these are in one block.
  template <class Work>
  void in_groups(std::span<const uint64_t> rows, const Context& context, Work work) const;
  template <uint64_t Width>
  void gather(std::span<const uint64_t> rows, std::byte* to, const Context& context) const;
  template <uint64_t Width>
  void gather_scattered(std::span<const uint64_t> rows, std::byte* to,
                        const Context& context) const;
  void gather_bits(std::span<const uint64_t> rows, std::byte* to, const Context& context) const;
  template <class Offset>
  bool take_texts(Values& values, std::span<const uint64_t> rows, Arena& arena,
                  const Context& context) const;

  const EvenBlocks even_;
  const uint64_t count_;
  std::atomic<bool> refused_{false};
  std::atomic<uint64_t> closed_{UINT64_MAX};  // blocks not opened yet
  std::mutex mutex_;                          // of additions
  std::unique_ptr<Block[]> blocks_;           // not moved once it is made
  FlatCells form_;
  std::atomic<uint64_t> character_bytes_{0};  // of the blocks opened
};

}  // namespace heron::inline v0

// The cells of a column whose blocks are read in place: nothing is decoded, so that any rows are
// copied from the map, whichever blocks they are in, without pins and without sorting by block.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "cache/decoded_block.h"
#include "columns/runs.h"

namespace heron::inline v0 {

// How row numbers are those of blocks, of equally many rows or as runs say.
struct BlockRows {
  uint64_t rows = 0;           // of a block, not 0; unused if there are runs
  unsigned shift = 64;         // `rows` as a power of two; 64 if it is not one
  const Runs* runs = nullptr;  // made of starts, so that reading them does not throw

  uint64_t block_of(uint64_t row) const noexcept {
    if (runs != nullptr) return runs->run_of(row);
    return shift < 64 ? row >> shift : row / rows;
  }
  uint64_t row_in_block(uint64_t row) const noexcept {
    if (runs != nullptr) return row - (*runs)[runs->run_of(row)].first;
    return shift < 64 ? row & (rows - 1) : row % rows;
  }
  uint64_t first_row(uint64_t block) const noexcept {
    return runs != nullptr ? (*runs)[block].first : block * rows;
  }
  // Returns whether all rows, of which there is one at least, are in one block.
  bool are_together(std::span<const uint64_t> group) const noexcept {
    const uint64_t block = block_of(group[0]), start = first_row(block);
    if (shift < 64) {  // the numbers of a block of a power of two rows differ in lower bits only
      uint64_t together = 0;
      for (const uint64_t row : group) together |= row ^ start;
      return together >> shift == 0;
    }
    const uint64_t count = runs != nullptr ? (*runs)[block].rows() : rows;
    bool is_outside = false;
    for (const uint64_t row : group) is_outside |= row - start >= count;
    return !is_outside;
  }
};

// Thread-safe. Serves blocks whose cells are in a map, packed and in the machine's byte order:
// numbers, bits and texts, with a validity bitmap in the map or without nulls.
class InPlaceCells {
 public:
  struct Block {
    std::atomic<const std::byte*> cells{nullptr};  // null: the block was not opened yet
    const std::byte* validity = nullptr;           // null: no row is null
    const std::byte* characters = nullptr;
    uint64_t character_bytes = 0;
  };

  // Runs outlive this.
  InPlaceCells(BlockRows blocks, uint64_t count) : numbering_(blocks), count_(count) {}

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
      const uint64_t block = numbering_.block_of(row);
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
  const Block& block_of(uint64_t row) const noexcept { return blocks_[numbering_.block_of(row)]; }
  const std::byte* cell_of(uint64_t row) const noexcept {
    return cells_of(block_of(row)) + numbering_.row_in_block(row) * form_.stride;
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
  bool take_cells(Values& values, std::span<const uint64_t> rows, Arena& arena,
                  const Context& context) const;
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
  void gather_validity(std::span<const uint64_t> rows, Values& values, Arena& arena,
                       const Context& context) const;
  template <class Offset>
  bool take_texts(Values& values, std::span<const uint64_t> rows, Arena& arena,
                  const Context& context) const;

  const BlockRows numbering_;
  const uint64_t count_;
  std::atomic<bool> refused_{false};
  std::atomic<uint64_t> closed_{UINT64_MAX};  // blocks not opened yet
  std::mutex mutex_;                          // of additions
  std::unique_ptr<Block[]> blocks_;           // not moved once it is made
  FlatCells form_;
  std::atomic<uint64_t> character_bytes_{0};  // of the blocks opened
};

}  // namespace heron::inline v0

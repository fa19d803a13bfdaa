#include "cache/block_column.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <span>
#include <vector>

#include "base/parallel.h"
#include "columns/column_chunk.h"
#include "columns/prefetch.h"
#include "values/assemble.h"
#include "values/gather.h"
#include "values/rows_by_part.h"

namespace heron::inline v0 {
namespace {

// The most blocks to pin and decode in parallel: enough for many threads and, unless a single block
// is large, few beside a cache.
constexpr uint64_t kBlocksAtOnce = 32;
constexpr uint64_t kBytesAtOnce = uint64_t{16} << 20;

// Up to this many cells are copied: holding their block costs more, and for a million columns more
// memory than the cache may have.
constexpr uint64_t kCellsCopied = 16;

// More blocks have no table of their cells, which takes some bytes a block.
constexpr uint64_t kMaxBlocksInPlace = uint64_t{1} << 16;

// Fewer cells are read block by block.
constexpr uint64_t kCellsPicked = 4096;

// Returns whether `numbers` contain each number below `most`.
bool have_all(std::span<const uint32_t> numbers, uint64_t most) {
  std::vector<bool> found(most);
  for (const uint32_t number : numbers) found[number] = true;
  return std::find(found.begin(), found.end(), false) == found.end();
}

}  // namespace

BlockColumn::BlockColumn(Type type, uint64_t rows, ColumnLabel label, uint64_t block_rows,
                         bool nullable, std::shared_ptr<const BlockSource> source,
                         std::shared_ptr<BlockCache> cache,
                         std::shared_ptr<const KeyValues> key_values)
    : BlockColumn(std::move(type), rows, std::move(label),
                  {.rows = block_rows,
                   .shift = std::has_single_bit(block_rows)
                                ? static_cast<unsigned>(std::countr_zero(block_rows))
                                : 64},
                  nullptr, nullable, std::move(source), std::move(cache), std::move(key_values)) {}

BlockColumn::BlockColumn(Type type, uint64_t rows, ColumnLabel label,
                         std::shared_ptr<const Runs> runs, bool nullable,
                         std::shared_ptr<const BlockSource> source,
                         std::shared_ptr<BlockCache> cache,
                         std::shared_ptr<const KeyValues> key_values)
    : BlockColumn(std::move(type), rows, std::move(label), {.runs = runs.get()}, runs, nullable,
                  std::move(source), std::move(cache), std::move(key_values)) {}

BlockColumn::BlockColumn(Type type, uint64_t rows, ColumnLabel label, BlockRows blocks,
                         std::shared_ptr<const Runs> runs, bool nullable,
                         std::shared_ptr<const BlockSource> source,
                         std::shared_ptr<BlockCache> cache,
                         std::shared_ptr<const KeyValues> key_values)
    : Column(std::move(type), rows, std::move(label)),
      runs_(std::move(runs)),
      numbering_(blocks),
      nullable_(nullable),
      key_values_(std::move(key_values)),
      slots_(std::make_shared<BlockSlots>(std::move(cache), block_count(), std::move(source))) {
  if (slots_->is_in_place() && block_count() <= kMaxBlocksInPlace) {
    in_place_ = std::make_unique<InPlaceCells>(numbering_, block_count());
  }
}

RowRange BlockColumn::rows_of(uint64_t block) const noexcept {
  if (runs_ != nullptr) return (*runs_)[block];
  const uint64_t first = block * block_rows();
  return {first, first + std::min(block_rows(), rows() - first)};
}

void BlockColumn::keep(BlockSlots::Pin pin, Arena& arena) const {
  const bool outside = pin.is_outside();
  std::shared_ptr<const void> kept = keep(std::move(pin));
  outside ? arena.keep_for_next(std::move(kept)) : arena.keep(std::move(kept));
}

template <class BlockAt, class Make>
void BlockColumn::each_block(uint64_t count, BlockUse use, const Context& context, BlockAt block_at,
                             Make make) const {
  std::array<BlockSlots::Pin, kBlocksAtOnce> pins;
  for (uint64_t done = 0; done < count;) {
    context.check_cancelled();
    uint64_t some = 1;
    if (context.threads != 1) {
      uint64_t bytes = frame_bytes(block_at(done), context);
      for (; some < std::min(count - done, kBlocksAtOnce); ++some) {
        bytes += frame_bytes(block_at(done + some), context);
        if (bytes > kBytesAtOnce) break;
      }
    }
    parallel_for(some, context, [&](uint64_t i, const Context& one_thread) {
      pins[i] = pin(block_at(done + i), use, one_thread);
    });
    for (uint64_t i = 0; i < some; ++i) {
      make(done + i, std::move(pins[i]));
      pins[i] = {};
    }
    done += some;
  }
}

Values BlockColumn::read_few(RowRange rows, Arena& arena, const Context& context) const {
  std::array<uint64_t, kCellsCopied> within;
  std::iota(within.begin(), within.end(), row_in_block(rows.first));
  BlockSlots::Pin block = pin(block_of(rows.first), BlockUse::Scan, context);
  Values values = block->column->take(std::span(within).first(rows.rows()), arena, context);
  if (block.is_outside()) keep(std::move(block), arena);
  return values;
}

Values BlockColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  if (rows.rows() == 0) return concatenate(type(), {}, arena);
  const uint64_t first = block_of(rows.first);
  const uint64_t count = block_of(rows.last - 1) - first + 1;
  if (count == 1 && rows.rows() <= kCellsCopied && type().width() != 0) {
    return read_few(rows, arena, context);
  }
  std::vector<Values> pieces(count);
  std::vector<BlockSlots::Pin> pins(count);
  each_block(
      count, BlockUse::Scan, context, [first](uint64_t i) { return first + i; },
      [&](uint64_t i, BlockSlots::Pin&& pin) {
        const RowRange all = rows_of(first + i);
        const RowRange overlap{std::max(rows.first, all.first), std::min(rows.last, all.last)};
        pieces[i] = pin->column->read({overlap.first - all.first, overlap.last - all.first}, arena,
                                      context);
        pins[i] = std::move(pin);
      });
  // Keeps the block although its values are copied: the next rows may be in it, too.
  if (count == 1 || pins.back().is_outside()) keep(std::move(pins.back()), arena);
  return concatenate(type(), pieces, arena);
}

std::optional<uint64_t> BlockColumn::only_block(std::span<const uint64_t> rows) const noexcept {
  if (!are_dense(rows)) return std::nullopt;
  const uint64_t block = block_of(rows[0]);
  const RowRange all = rows_of(block);
  bool is_outside = false;
  for (const uint64_t row : rows) is_outside |= row - all.first >= all.rows();
  return is_outside ? std::nullopt : std::optional(block);
}

Values BlockColumn::take_in_block(uint64_t block, std::span<const uint64_t> rows, Arena& arena,
                                  const Context& context) const {
  auto* within = arena.allocate_array<uint64_t>(rows.size());
  const uint64_t first = rows_of(block).first;
  for (uint64_t i = 0; i < rows.size(); ++i) within[i] = rows[i] - first;
  BlockSlots::Pin pin = this->pin(block, BlockUse::Take, context);
  Values values = pin->column->take({within, rows.size()}, arena, context);
  if (pin.is_outside()) keep(std::move(pin), arena);
  return values;
}

Values BlockColumn::take(std::span<const uint64_t> rows, Arena& arena,
                         const Context& context) const {
  if (rows.empty()) return concatenate(type(), {}, arena);
  if (const InPlaceCells* cells = cells_in_place(rows, context)) {
    if (auto values = cells->take(type(), rows, arena, context)) return *std::move(values);
  }
  if (const auto block = only_block(rows)) return take_in_block(*block, rows, arena, context);
  if (rows.size() == 1) return take_in_block(block_of(rows[0]), rows, arena, context);
  const auto [lowest, highest] = std::minmax_element(rows.begin(), rows.end());
  const uint64_t first = block_of(*lowest);
  auto* part_of = arena.allocate_array<uint32_t>(rows.size());
  for (uint64_t i = 0; i < rows.size(); ++i) {
    part_of[i] = static_cast<uint32_t>(block_of(rows[i]) - first);
  }
  // If most rows of all these blocks are requested, reading all and picking visits each row once
  // less than going block by block. No block without a requested row is read: it may be damaged.
  const uint64_t span = *highest - *lowest + 1;
  if (type().width() != 0 && rows.size() >= kCellsPicked && span / 2 <= rows.size() &&
      span <= UINT32_MAX && have_all({part_of, rows.size()}, block_of(*highest) - first + 1)) {
    for (uint64_t i = 0; i < rows.size(); ++i) {
      part_of[i] = static_cast<uint32_t>(rows[i] - *lowest);
    }
    return pick(read({*lowest, *highest + 1}, arena, context), {part_of, rows.size()}, arena);
  }
  const RowsByPart by_block({part_of, rows.size()}, block_of(*highest) - first + 1, arena);
  auto* within = arena.allocate_array<uint64_t>(rows.size());
  std::vector<Values> pieces(by_block.size());
  each_block(
      by_block.size(), BlockUse::Take, context,
      [&](uint64_t k) { return first + by_block.part(k); },
      [&](uint64_t k, BlockSlots::Pin&& pin) {
        uint64_t count = 0;
        for (const uint32_t index : by_block.indices(k))
          within[count++] = row_in_block(rows[index]);
        pieces[k] = pin->column->take({within, count}, arena, context);
        if (k + 1 == by_block.size() && pin.is_outside()) keep(std::move(pin), arena);
      });
  return by_block.restore(type(), pieces);
}

ColumnChunk BlockColumn::chunk(RowRange rows, Arena& arena, const Context& context) const {
  const uint64_t block = block_of(rows.first);
  if (block_of(rows.last - 1) != block) return Column::chunk(rows, arena, context);
  BlockSlots::Pin pin = this->pin(block, BlockUse::Scan, context);
  if (pin->flat && pin->flat->dictionary != nullptr) return Column::chunk(rows, arena, context);
  const uint64_t before = rows_of(block).first;
  ColumnChunk chunk = pin->column->chunk({rows.first - before, rows.last - before}, arena, context);
  chunk.rows = rows;
  keep(std::move(pin), arena);
  return chunk;
}

std::optional<ColumnCodes> BlockColumn::codes(RowRange rows, Arena& arena,
                                              const Context& context) const {
  const uint64_t block = block_of(rows.first);
  if (!slots_->keeps_dictionaries() || block_of(rows.last - 1) != block) return std::nullopt;
  BlockSlots::Pin pin = this->pin(block, BlockUse::Scan, context);
  const uint64_t before = rows_of(block).first;
  auto codes = pin->column->codes({rows.first - before, rows.last - before}, arena, context);
  keep(std::move(pin), arena);
  return codes;
}

void BlockColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                         const Context& context) const {
  if (slots_->is_in_place()) return locate_in_place(rows, round, bytes, context);
  if (round != 0) return;
  std::vector<uint64_t> blocks;
  for (uint64_t i = 0; i < rows.size();) {
    const uint64_t block = block_of(rows[i]);
    if (blocks.empty() || blocks.back() != block) blocks.push_back(block);
    i = rows.list.empty() ? rows_of(block).last - rows.range.first : i + 1;
  }
  std::sort(blocks.begin(), blocks.end());
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  for (const uint64_t block : blocks) {
    if (pin_if_cached(block, BlockUse::Scan)) continue;
    const ByteView stored = slots_->stored(block, context);
    bytes.add(stored, 0, stored.bytes);
  }
}

void BlockColumn::locate_in_place(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                                  const Context& context) const {
  if (rows.size() == 0) return;
  if (rows.list.empty()) {
    for (uint64_t first = rows.range.first; first < rows.range.last;) {
      const uint64_t block = block_of(first);
      const RowRange all = rows_of(block);
      const uint64_t end = std::min(all.last, rows.range.last);
      const RowRange within{first - all.first, end - all.first};
      slots_->locate(block, all.rows(), {{}, within}, round, bytes, context);
      first = end;
    }
    return;
  }
  std::vector<uint64_t> sorted(rows.list.begin(), rows.list.end());
  std::sort(sorted.begin(), sorted.end());
  for (auto from = sorted.begin(); from != sorted.end();) {
    const uint64_t block = block_of(*from);
    const RowRange all = rows_of(block);
    const auto end = std::lower_bound(from, sorted.end(), all.last);
    std::for_each(from, end, [&](uint64_t& row) { row -= all.first; });
    slots_->locate(block, all.rows(), {{from, end}, {}}, round, bytes, context);
    from = end;
  }
}

void BlockColumn::prefetch(std::span<const uint64_t> rows) const noexcept {
  if (in_place_ != nullptr && in_place_->is_served()) return in_place_->prefetch(rows);
  for (const uint64_t row : rows) {
    const uint64_t within = row_in_block(row);
    if (const auto pin = pin_if_cached(block_of(row), BlockUse::Take)) {
      pin->column->prefetch({&within, 1});
    }
  }
}

}  // namespace heron::inline v0

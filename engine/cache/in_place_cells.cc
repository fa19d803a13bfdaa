#include "cache/in_place_cells.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "bytes/view_reader.h"
#include "values/bitmap.h"
#include "values/copy_short.h"
#include "values/gather.h"
#include "values/validity.h"

namespace heron::inline v0 {
namespace {

// Returns whether the view is of the file, not of the block's frame, which may be freed.
bool is_mapped(const ByteView& view, const DecodedBlock& block) noexcept {
  return !block.source || view.source != &*block.source;
}

// Returns whether the cells are in the file and served. Times outside the calendar are refused,
// cell by cell: they are not.
bool can_serve(const Type& type, const DecodedBlock& block) {
  if (!block.flat || block.cells == nullptr || !is_mapped(block.flat->cells, block) ||
      block.flat->dictionary != nullptr || type.is(Type::DateTime) ||
      type.is(Type::DateTimeOffset)) {
    return false;
  }
  switch (block.flat->kind) {
    case FlatCells::Kind::Bits: return true;
    case FlatCells::Kind::Fixed: return block.flat->packed() && block.flat->cell_bytes <= 8;
    case FlatCells::Kind::Text:
      return block.characters != nullptr && is_mapped(block.flat->characters, block);
    default: return false;
  }
}

// Sets the validity bitmap of a block; null if it has no nulls. Returns false if it has to be read
// in another way.
bool find_validity(const DecodedBlock& block, const std::byte*& validity) {
  validity = nullptr;
  if (block.flat->nulls == NullEncoding::Never) return true;
  if (block.flat->nulls != NullEncoding::Bitmap || block.validity == nullptr) return false;
  if (is_mapped(block.flat->validity, block)) {
    validity = block.validity;
    return true;
  }
  return count_clear(block.validity, block.column->rows()) == 0;
}

}  // namespace

void InPlaceCells::make_blocks() {
  const std::lock_guard lock(mutex_);
  if (blocks_ != nullptr) return;
  blocks_ = std::make_unique<Block[]>(count_);
  closed_.store(count_, std::memory_order_release);
}

bool InPlaceCells::add(uint64_t number, const DecodedBlock& decoded) {
  const std::lock_guard lock(mutex_);
  Block& block = blocks_[number];
  if (block.cells.load(std::memory_order_relaxed) != nullptr) return true;
  const bool has_form =
      form_.kind == FlatCells::Kind::Null || (decoded.flat && decoded.flat->nulls == form_.nulls);
  if (!has_form || !can_serve(decoded.column->type(), decoded) ||
      !find_validity(decoded, block.validity)) {
    refused_.store(true, std::memory_order_relaxed);
    return false;
  }
  // All blocks have the same form but for their views, which nobody uses.
  if (form_.kind == FlatCells::Kind::Null) form_ = *decoded.flat;
  block.characters = decoded.characters;
  block.character_bytes = decoded.character_bytes;
  character_bytes_.fetch_add(decoded.character_bytes, std::memory_order_relaxed);
  block.cells.store(decoded.cells, std::memory_order_release);
  closed_.fetch_sub(1, std::memory_order_release);
  return true;
}

void InPlaceCells::prefetch(std::span<const uint64_t> rows) const noexcept {
  if (closed_.load(std::memory_order_acquire) == UINT64_MAX) return;
  for (const uint64_t row : rows) {
    const std::byte* cells = block_of(row).cells.load(std::memory_order_acquire);
    if (cells == nullptr) continue;
    const uint64_t within = numbering_.row_in_block(row);
    const bool is_bit = form_.kind == FlatCells::Kind::Bits;
    __builtin_prefetch(cells + (is_bit ? within / 8 : within * form_.stride));
  }
}

template <class Work>
void InPlaceCells::in_groups(std::span<const uint64_t> rows, const Context& context,
                             Work work) const {
  constexpr uint64_t kGroupRows = 256;  // a multiple of 8, for bits
  // Local copies, because the compiler must assume that writes change the members.
  const auto located = [numbering = numbering_, blocks = blocks_.get()](uint64_t row) {
    const uint64_t block = numbering.block_of(row);
    return Located{&blocks[block], numbering.first_row(block)};
  };
  in_parts(rows.size(), context, [&](uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; i += kGroupRows) {
      const uint64_t end = std::min(last, i + kGroupRows);
      if (numbering_.are_together(rows.subspan(i, end - i))) {
        work(i, end, [one = located(rows[i])](uint64_t) { return one; });
      } else {
        work(i, end, located);
      }
    }
  });
}

template <uint64_t Width>
void InPlaceCells::gather(std::span<const uint64_t> rows, std::byte* to,
                          const Context& context) const {
  if (!are_dense(rows)) return gather_scattered<Width>(rows, to, context);
  in_groups(rows, context, [&](uint64_t first, uint64_t end, auto located) {
    for (uint64_t i = first; i < end; ++i) {
      const Located at = located(rows[i]);
      std::memcpy(to + i * Width, cells_of(*at.block) + (rows[i] - at.first_row) * Width, Width);
    }
  });
}

// Looks up the block of each row once, when it prefetches its cell.
template <uint64_t Width>
void InPlaceCells::gather_scattered(std::span<const uint64_t> rows, std::byte* to,
                                    const Context& context) const {
  // A local copy, because the compiler must assume that writes change the members.
  const auto cell = [numbering = numbering_, blocks = blocks_.get()](uint64_t row) {
    const uint64_t block = numbering.block_of(row);
    return cells_of(blocks[block]) + (row - numbering.first_row(block)) * Width;
  };
  const std::byte* coming[kPrefetchAhead];
  for (uint64_t i = 0; i < std::min(kPrefetchAhead, rows.size()); ++i) {
    coming[i] = cell(rows[i]);
    __builtin_prefetch(coming[i]);
  }
  in_parts(rows.size(), context, [&](uint64_t first, uint64_t end) {
    uint64_t i = first;
    for (; i < end && i + kPrefetchAhead < rows.size(); ++i) {
      const std::byte*& next = coming[i % kPrefetchAhead];
      const std::byte* ahead = cell(rows[i + kPrefetchAhead]);
      __builtin_prefetch(ahead);
      std::memcpy(to + i * Width, next, Width);
      next = ahead;
    }
    for (; i < end; ++i) std::memcpy(to + i * Width, coming[i % kPrefetchAhead], Width);
  });
}

void InPlaceCells::gather_bits(std::span<const uint64_t> rows, std::byte* to,
                               const Context& context) const {
  const bool dense = are_dense(rows);
  const auto prefetch_byte = [&](uint64_t row) {
    __builtin_prefetch(cells_of(block_of(row)) + numbering_.row_in_block(row) / 8);
  };
  in_groups(rows, context, [&](uint64_t first, uint64_t end, auto located) {
    for (uint64_t i = first; i < end;) {
      unsigned bits = 0;
      const uint64_t begin = i, stop = std::min(end, begin + 8);
      for (; i < stop; ++i) {
        if (!dense && i + kPrefetchAhead < rows.size()) prefetch_byte(rows[i + kPrefetchAhead]);
        const Located at = located(rows[i]);
        const uint64_t within = rows[i] - at.first_row;
        const auto byte = std::to_integer<unsigned>(cells_of(*at.block)[within / 8]);
        bits |= (byte >> within % 8 & 1) << (i - begin);
      }
      to[begin / 8] = static_cast<std::byte>(bits);
    }
  });
}

// The characters that rows may have together are bounded as in Offsets: a little more than all
// there are, so that damaged offsets do not turn a small file into much data.
template <class Offset>
bool InPlaceCells::take_texts(Values& values, std::span<const uint64_t> rows, Arena& arena,
                              const Context& context) const {
  constexpr uint64_t kMaximum = std::numeric_limits<std::make_signed_t<Offset>>::max();
  const uint64_t count = rows.size();
  const bool dense = are_dense(rows);
  auto* offsets = arena.allocate_array<Offset>(count + 1);
  auto* starts = arena.allocate_array<Offset>(count);
  uint64_t total = 0;
  bool is_valid = true;
  offsets[0] = 0;
  in_groups(rows, context, [&](uint64_t first, uint64_t end, auto located) {
    for (uint64_t i = first; i < end; ++i) {
      if (!dense && i + kPrefetchAhead < count) {
        __builtin_prefetch(cell_of(rows[i + kPrefetchAhead]));
      }
      const Located at = located(rows[i]);
      Offset pair[2];
      std::memcpy(pair, cells_of(*at.block) + (rows[i] - at.first_row) * sizeof(Offset),
                  sizeof pair);
      const Offset start = loaded_once(pair[0]), stop = loaded_once(pair[1]);
      is_valid &= start <= stop && stop <= at.block->character_bytes;
      starts[i] = start;
      total += static_cast<Offset>(stop - start);
      offsets[i + 1] = static_cast<Offset>(total);
    }
  });
  const uint64_t most = character_bytes_.load(std::memory_order_relaxed);
  if (!is_valid || total > std::min(kMaximum, most)) return false;
  std::byte* to = arena.allocate(total);
  in_groups(rows, context, [&](uint64_t first, uint64_t end, auto located) {
    for (uint64_t i = first; i < end; ++i) {
      if (!dense && i + kPrefetchAhead < count) {
        const std::byte* ahead =
            block_of(rows[i + kPrefetchAhead]).characters + starts[i + kPrefetchAhead];
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + kShortBytes - 1);
      }
      const Block& block = *located(rows[i]).block;
      copy_short(block.characters + starts[i], block.character_bytes - starts[i],
                 offsets[i + 1] - offsets[i], to + offsets[i]);
    }
  });
  values.offsets = {reinterpret_cast<const std::byte*>(offsets), (count + 1) * sizeof(Offset)};
  values.data = {to, total};
  return true;
}

void InPlaceCells::gather_validity(std::span<const uint64_t> rows, Values& values, Arena& arena,
                                   const Context& context) const {
  auto* are_valid = arena.allocate_array<uint8_t>(rows.size());
  in_groups(rows, context, [&](uint64_t first, uint64_t end, auto located) {
    for (uint64_t i = first; i < end; ++i) {
      const Located at = located(rows[i]);
      const std::byte* bits = at.block->validity;
      are_valid[i] = bits == nullptr || get_bit(bits, rows[i] - at.first_row);
    }
  });
  set_validity_from_flags(values, are_valid, arena);
}

bool InPlaceCells::take_cells(Values& values, std::span<const uint64_t> rows, Arena& arena,
                              const Context& context) const {
  if (form_.kind == FlatCells::Kind::Text) {
    return form_.cell_bytes == 4 ? take_texts<uint32_t>(values, rows, arena, context)
                                 : take_texts<uint64_t>(values, rows, arena, context);
  }
  const bool is_bits = form_.kind == FlatCells::Kind::Bits;
  const uint64_t bytes = is_bits ? bitmap_bytes(rows.size()) : rows.size() * form_.cell_bytes;
  std::byte* to = arena.allocate(bytes);
  values.data = {to, bytes};
  if (is_bits) {
    gather_bits(rows, to, context);
    return true;
  }
  switch (form_.cell_bytes) {
    case 1: gather<1>(rows, to, context); break;
    case 2: gather<2>(rows, to, context); break;
    case 4: gather<4>(rows, to, context); break;
    default: gather<8>(rows, to, context); break;
  }
  return true;
}

std::optional<Values> InPlaceCells::take(const Type& type, std::span<const uint64_t> rows,
                                         Arena& arena, const Context& context) const {
  Values values(type, rows.size());
  if (!take_cells(values, rows, arena, context)) return std::nullopt;
  if (form_.nulls != NullEncoding::Never) gather_validity(rows, values, arena, context);
  return values;
}

}  // namespace heron::inline v0

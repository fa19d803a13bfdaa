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

template <uint64_t Width>
void InPlaceCells::gather(std::span<const uint64_t> rows, std::byte* to,
                          const Context& context) const {
  // Local copies, because the compiler must assume that writes change the members.
  const auto all = [even = numbering_, blocks = blocks_.get()](uint64_t row) {
    return cells_of(blocks[even.block_of(row)]) + even.row_in_block(row) * Width;
  };
  const bool dense = are_dense(rows);
  in_parts(rows.size(), context, [&](uint64_t first, uint64_t end) {
    uint64_t i = first;
    for (; !dense && i < end && i + kPrefetchAhead < rows.size(); ++i) {
      __builtin_prefetch(all(rows[i + kPrefetchAhead]));
      std::memcpy(to + i * Width, all(rows[i]), Width);
    }
    for (; i < end; ++i) std::memcpy(to + i * Width, all(rows[i]), Width);
  });
}

void InPlaceCells::gather_bits(std::span<const uint64_t> rows, std::byte* to) const {
  const auto byte_of = [this](uint64_t row) {
    return cells_of(block_of(row)) + numbering_.row_in_block(row) / 8;
  };
  for (uint64_t first = 0; first < rows.size(); first += 8) {
    const uint64_t end = std::min<uint64_t>(first + 8, rows.size());
    unsigned bits = 0;
    for (uint64_t i = first; i < end; ++i) {
      if (i + kPrefetchAhead < rows.size()) __builtin_prefetch(byte_of(rows[i + kPrefetchAhead]));
      const auto byte = std::to_integer<unsigned>(*byte_of(rows[i]));
      bits |= (byte >> numbering_.row_in_block(rows[i]) % 8 & 1) << (i - first);
    }
    to[first / 8] = static_cast<std::byte>(bits);
  }
}

// The characters that rows may have together are bounded as in Offsets: a little more than all
// there are, so that damaged offsets do not turn a small file into much data.
template <class Offset>
bool InPlaceCells::take_texts(Values& values, std::span<const uint64_t> rows, Arena& arena,
                              const Context& context) const {
  constexpr uint64_t kMaximum = std::numeric_limits<std::make_signed_t<Offset>>::max();
  const uint64_t count = rows.size();
  auto* offsets = arena.allocate_array<Offset>(count + 1);
  auto* starts = arena.allocate_array<Offset>(count);
  uint64_t total = 0;
  bool is_valid = true;
  offsets[0] = 0;
  in_parts(count, context, [&](uint64_t first, uint64_t end) {
    for (uint64_t i = first; i < end; ++i) {
      if (i + kPrefetchAhead < count) __builtin_prefetch(cell_of(rows[i + kPrefetchAhead]));
      Offset pair[2];
      std::memcpy(pair, cell_of(rows[i]), sizeof pair);
      const Offset start = loaded_once(pair[0]), stop = loaded_once(pair[1]);
      is_valid &= start <= stop && stop <= block_of(rows[i]).character_bytes;
      starts[i] = start;
      total += static_cast<Offset>(stop - start);
      offsets[i + 1] = static_cast<Offset>(total);
    }
  });
  const uint64_t most = character_bytes_.load(std::memory_order_relaxed);
  if (!is_valid || total > std::min(kMaximum, most)) return false;
  std::byte* to = arena.allocate(total);
  in_parts(count, context, [&](uint64_t first, uint64_t end) {
    for (uint64_t i = first; i < end; ++i) {
      if (i + kPrefetchAhead < count) {
        const std::byte* ahead =
            block_of(rows[i + kPrefetchAhead]).characters + starts[i + kPrefetchAhead];
        __builtin_prefetch(ahead);
        __builtin_prefetch(ahead + kShortBytes - 1);
      }
      const Block& block = block_of(rows[i]);
      copy_short(block.characters + starts[i], block.character_bytes - starts[i],
                 offsets[i + 1] - offsets[i], to + offsets[i]);
    }
  });
  values.offsets = {reinterpret_cast<const std::byte*>(offsets), (count + 1) * sizeof(Offset)};
  values.data = {to, total};
  return true;
}

void InPlaceCells::gather_validity(std::span<const uint64_t> rows, Values& values,
                                   Arena& arena) const {
  auto* are_valid = arena.allocate_array<uint8_t>(rows.size());
  for (uint64_t i = 0; i < rows.size(); ++i) {
    const std::byte* bits = block_of(rows[i]).validity;
    are_valid[i] = bits == nullptr || get_bit(bits, numbering_.row_in_block(rows[i]));
  }
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
    gather_bits(rows, to);
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
  if (form_.nulls != NullEncoding::Never) gather_validity(rows, values, arena);
  return values;
}

}  // namespace heron::inline v0

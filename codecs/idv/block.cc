#include "idv/block.h"

#include <algorithm>

#include "base/fail.h"
#include "bytes/view_reader.h"

namespace heron::inline v0::idv {
namespace {

void load_block(const ByteSource& file, Compression compression, const StoredBlock& stored,
                std::span<std::byte> into, const BlockPosition& position, const Context& context) {
  if (compression == Compression::None) {
    file.read(stored.offset, into, context);
    return;
  }
  const ByteView view{&file, stored.offset, stored.stored_bytes};
  Arena arena(context.memory, view.bytes);  // no more: holes between blocks that are kept add up
  // A copy of what may change: libdeflate loads lengths twice, and would believe the second.
  const std::byte* bytes = own_window(view, 0, view.bytes, 1, arena, context);
  switch (inflate(deflate_format(compression), {bytes, view.bytes}, into, context)) {
    case InflateResult::Ok: return;
    case InflateResult::TooShort:
      position.corrupt("expected ", into.size(), " decompressed bytes, got fewer");
    case InflateResult::Corrupt: position.corrupt("compressed data is corrupt");
    case InflateResult::TooLong:
      position.over_limit("expected ", into.size(), " decompressed bytes, got far more");
  }
}

}  // namespace

uint64_t Blocks::frame_bytes(uint64_t block, const Context& context) const {
  BlockPosition where = position(block);
  const StoredBlock stored = column_.lookup.find(where, context);
  where.offset = stored.offset;
  const uint64_t rows = std::min(column_.block_rows, column_.rows - block * column_.block_rows);
  const ByteView in_file{&file_, stored.offset, stored.bytes};
  if (column_.compression == Compression::None &&
      readable_in_place(column_.codec, rows, in_file, where, context)) {
    return 0;
  }
  return unpacked_bytes(column_.codec, stored.bytes) + stored.bytes;
}

ByteView Blocks::stored(uint64_t block, const Context& context) const {
  const StoredBlock stored = column_.lookup.find(position(block), context);
  return {&file_, stored.offset, stored.stored_bytes};
}

ColumnPtr Blocks::open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                       const Context& context) const {
  BlockPosition where = position(block);
  const StoredBlock stored = column_.lookup.find(where, context);
  where.offset = stored.offset;
  BlockBytes bytes{{&file_, stored.offset, stored.bytes}, nullptr};
  if (frame.bytes != 0) {
    const uint64_t unpacked = unpacked_bytes(column_.codec, stored.bytes);
    if (frame.bytes != unpacked + stored.bytes) file_.throw_changed("was rewritten while open");
    load_block(file_, column_.compression, stored, {frame.memory + unpacked, stored.bytes}, where,
               context);
    bytes = {{frame.source, unpacked, stored.bytes}, frame.memory};
  }
  const ColumnLabel label{concat(column_.name, " block ", block), column_.encoding};
  ColumnPtr column = decode(column_.codec, rows, label, bytes, column_.key_values, where, context);
  file_.check_lost();
  return column;
}

}  // namespace heron::inline v0::idv

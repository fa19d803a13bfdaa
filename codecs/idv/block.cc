#include "idv/block.h"

#include <algorithm>

#include "bytes/view_reader.h"
#include "idv/inflate.h"

namespace heron::inline v0::idv {

uint64_t Blocks::frame_bytes(uint64_t block, const Context& context) const {
  return at_place(file_, place(block), parts_.name, [&] {
    const StoredBlock stored = parts_.lookup.block(block, context);
    const ByteView in_file{&file_, stored.offset, stored.bytes};
    const bool in_place =
        parts_.compression == Compression::None &&
        readable_in_place(parts_.codec, rows_of(block).rows(), in_file, context);
    file_.check_lost();
    return in_place ? 0 : unpacked_bytes(parts_.codec, stored.bytes) + stored.bytes;
  });
}

ColumnPtr Blocks::open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                       const Context& context) const {
  return at_place(file_, place(block), parts_.name, [&] {
    const StoredBlock stored = parts_.lookup.block(block, context);
    BlockBytes bytes{{&file_, stored.offset, stored.bytes}, nullptr};
    if (frame.bytes != 0) {
      const uint64_t unpacked = frame.bytes - stored.bytes;
      load_block(file_, parts_.compression, stored, {frame.memory + unpacked, stored.bytes},
                 context);
      bytes = {{frame.source, unpacked, stored.bytes}, frame.memory};
    }
    const ColumnLabel label{parts_.name, parts_.encoding};
    ColumnPtr column = decode(parts_.codec, rows, label, bytes, parts_.key_values, context);
    file_.check_lost();
    return column;
  });
}

RowRange Blocks::rows_of(uint64_t block) const noexcept {
  const uint64_t first = block * parts_.block_rows;
  return {first, first + std::min(parts_.block_rows, parts_.rows - first)};
}

std::string Blocks::place(uint64_t block) const {
  const RowRange rows = rows_of(block);
  return concat("column \"", parts_.name, "\" block ", block, " (rows ", rows.first, " to ",
                rows.last - 1, ')');
}

void load_block(const ByteSource& file, Compression compression, const StoredBlock& stored,
                std::span<std::byte> into, const Context& context) {
  if (compression == Compression::None) {
    file.read(stored.offset, into, context);
    return;
  }
  Arena arena(context.memory);
  const ByteView view{&file, stored.offset, stored.stored_bytes};
  const std::byte* bytes = window(view, 0, view.bytes, 1, arena, context);
  const InflateResult result = inflate(compression, {bytes, view.bytes}, into, context);
  file.check_lost();
  if (result == InflateResult::Ok) return;
  fail(ErrorKind::Corrupt, {}, "stored bytes from byte ", stored.offset, " to ",
       stored.offset + stored.stored_bytes, ": expected ", into.size(),
       " bytes when decompressed, got ",
       result == InflateResult::TooShort ? "fewer" : "what no compression makes");
}

void throw_at_place(const ByteSource& file, const std::string& place, std::string_view column,
                    const Error& error) {
  std::string_view text = error.what();
  const std::string in_column = concat("column \"", column, '"');
  for (const std::string& told : {concat(file.name(), ": "), in_column}) {
    if (text.starts_with(told)) text.remove_prefix(told.size());
  }
  const bool goes_on = text.starts_with(" ") || text.starts_with(": ");
  fail(ErrorKind::Corrupt, file.name(), place, goes_on ? "" : ": ", text);
}

}  // namespace heron::inline v0::idv

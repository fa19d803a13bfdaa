#include "idv/lookup.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/fail.h"
#include "bytes/inflate.h"
#include "bytes/view_reader.h"

namespace heron::inline v0::idv {
namespace {

constexpr int64_t kFirstOffset = sizeof(Header);

}  // namespace

LookupTable::LookupTable(const ByteSource& file, std::string_view column, int64_t offset,
                         uint64_t blocks, Compression compression, uint64_t tail_offset)
    : compression_(compression), tail_offset_(tail_offset) {
  if (blocks == 0) return;  // a table without blocks may have any offset
  const uint64_t most = std::min<uint64_t>(
      INT32_MAX, offset < kFirstOffset || static_cast<uint64_t>(offset) > tail_offset
                     ? 0
                     : (tail_offset - static_cast<uint64_t>(offset)) / sizeof(LookupEntry));
  if (blocks > most) {
    fail(ErrorKind::Corrupt, file.name(), "column \"", column, "\": lookup table at byte ", offset,
         ": expected ", blocks, " entries of ", sizeof(LookupEntry), " bytes, got room for ", most,
         " between byte ", kFirstOffset, " and the tail at byte ", tail_offset);
  }
  entries_ = {&file, static_cast<uint64_t>(offset), blocks * sizeof(LookupEntry)};
}

StoredBlock LookupTable::find(BlockPosition position, const Context& context) const {
  LookupEntry entry;
  const uint64_t at = position.block * sizeof entry;
  if (const std::byte* entries = entries_.data()) {
    std::memcpy(&entry, entries + at, sizeof entry);
  } else {
    entries_.read(at, std::as_writable_bytes(std::span(&entry, 1)), context);
  }
  position.offset = entries_.offset + at;  // for error texts
  const int64_t offset = loaded_once(int64_t{entry.offset});
  const int64_t stored = loaded_once(int64_t{entry.stored_bytes});
  const int64_t bytes = loaded_once(int64_t{entry.bytes});
  const auto tail = static_cast<int64_t>(tail_offset_);
  if (stored < 0 || offset < kFirstOffset || offset > tail || stored > tail - offset) {
    position.corrupt("lookup entry: expected stored bytes between byte ", kFirstOffset,
                     " and the tail at byte ", tail, ", got ", stored, " from byte ", offset,
                     " on");
  }
  const auto stored_bytes = static_cast<uint64_t>(stored);
  const uint64_t most =
      compression_ == Compression::None ? stored_bytes : most_inflated(stored_bytes);
  if (bytes <= 0 || static_cast<uint64_t>(bytes) > most) {
    position.corrupt("lookup entry: expected 1 to ", most, " bytes, which is what ", stored,
                     " stored ones can become, got ", bytes);
  }
  return {static_cast<uint64_t>(offset), stored_bytes, static_cast<uint64_t>(bytes)};
}

uint64_t LookupTable::total_bytes(const Context& context) const {
  if (entries_.bytes == 0) return 0;
  Arena arena(context.memory);
  const std::byte* entries = window(entries_, 0, entries_.bytes, 1, arena, context);
  uint64_t bytes = 0;
  for (uint64_t at = 0; at < entries_.bytes; at += sizeof(LookupEntry)) {
    LookupEntry entry;
    std::memcpy(&entry, entries + at, sizeof entry);
    const int32_t stored = entry.stored_bytes;
    const int32_t becomes = entry.bytes;
    bytes += static_cast<uint64_t>(std::max({stored, becomes, 0}));
  }
  return bytes;
}

}  // namespace heron::inline v0::idv

#include "idv/lookup.h"

#include <span>

#include "idv/inflate.h"

namespace heron::inline v0::idv {

LookupTable::LookupTable(const ByteSource& file, int64_t offset, uint64_t blocks,
                         Compression compression, uint64_t tail_offset)
    : compression_(compression), tail_offset_(tail_offset) {
  if (blocks == 0) return;  // then anything stands there
  if (offset < int64_t{sizeof(Header)} || static_cast<uint64_t>(offset) > tail_offset ||
      (tail_offset - static_cast<uint64_t>(offset)) / sizeof(LookupEntry) < blocks) {
    fail(ErrorKind::Corrupt, {}, "lookup table at byte ", offset, ": expected ", blocks, " x ",
         sizeof(LookupEntry), " bytes from byte ", sizeof(Header), " to ", tail_offset);
  }
  entries_ = {&file, static_cast<uint64_t>(offset), blocks * sizeof(LookupEntry)};
}

StoredBlock LookupTable::block(uint64_t index, const Context& context) const {
  LookupEntry entry;
  const uint64_t at = index * sizeof entry;
  if (const std::byte* entries = entries_.data()) {
    std::memcpy(&entry, entries + at, sizeof entry);
  } else {
    entries_.read(at, std::as_writable_bytes(std::span(&entry, 1)), context);
  }
  const int64_t stored = entry.stored_bytes;
  const int64_t bytes = entry.bytes;
  const int64_t offset = entry.offset;
  const auto damaged = [&](const auto&... parts) {
    fail(ErrorKind::Corrupt, {}, "lookup entry at byte ", entries_.offset + at, ": ", parts...);
  };
  const auto tail = static_cast<int64_t>(tail_offset_);
  if (stored < 0 || offset < int64_t{sizeof(Header)} || offset > tail || stored > tail - offset) {
    damaged("expected stored bytes from byte ", sizeof(Header), " to ", tail_offset_, ", got ",
            stored, " at byte ", offset);
  }
  const auto stored_bytes = static_cast<uint64_t>(stored);
  const uint64_t most = most_inflated(compression_, stored_bytes);
  if (bytes <= 0 || static_cast<uint64_t>(bytes) > most) {
    damaged("expected a block of 1 to ", most, " bytes, which ", stored, " stored ones can become, ",
            "got ", bytes);
  }
  return {static_cast<uint64_t>(offset), stored_bytes, static_cast<uint64_t>(bytes)};
}

}  // namespace heron::inline v0::idv

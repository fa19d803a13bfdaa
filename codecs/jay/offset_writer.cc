#include "jay/offset_writer.h"

#include <array>
#include <cassert>
#include <cstring>
#include <vector>

#include "jay/column_sink.h"

namespace heron::inline v0::jay {
namespace {

constexpr uint32_t kNarrowNull = uint32_t{1} << 31;

uint32_t narrowed(uint64_t end) {
  return static_cast<uint32_t>(end) | ((end & OffsetWriter::kNull) != 0 ? kNarrowNull : 0);
}

uint64_t widened(uint32_t end) {
  return (end & ~kNarrowNull) | ((end & kNarrowNull) != 0 ? OffsetWriter::kNull : 0);
}

}  // namespace

OffsetWriter::OffsetWriter(Store& store, uint64_t narrow_limit)
    : store_(&store),
      narrow_limit_(narrow_limit),
      wide_(narrow_limit == 0),
      narrow_entries_(store),
      wide_entries_(store) {
  const std::array<uint64_t, 1> first = {0};
  append(first);
  rows_ = 0;
}

void OffsetWriter::reserve(uint64_t rows) {
  if (wide_ || rows > narrow_limit_) return;
  const uint64_t bytes = (rows + 1) * sizeof(uint32_t);
  narrow_entries_.put_at(store_->reserve(bytes), bytes);
}

void OffsetWriter::append(std::span<const uint64_t> ends) {
  assert(ends.size() <= kSliceRows);
  if (ends.empty()) return;
  rows_ += ends.size();
  wide_ = wide_ || (ends.back() & ~kNull) > narrow_limit_ || rows_ > narrow_limit_;
  if (wide_) return wide_entries_.append_cells(ends);

  std::array<uint32_t, kSliceRows> entries;
  for (uint64_t i = 0; i < ends.size(); ++i) entries[i] = narrowed(ends[i]);
  narrow_entries_.append_cells(std::span<const uint32_t>(entries.data(), ends.size()));
}

bool OffsetWriter::append_as_stored(std::span<const int32_t> ends) {
  if (wide_ || ends.empty() || static_cast<uint64_t>(ends.back()) > narrow_limit_ ||
      rows_ + ends.size() > narrow_limit_) {
    return false;
  }
  rows_ += ends.size();
  narrow_entries_.append_cells(ends);
  return true;
}

Extent OffsetWriter::finish() {
  if (!wide_) return narrow_entries_.finish();
  if (narrow_entries_.bytes() == 0) return wide_entries_.finish();

  const uint64_t widened_bytes = 2 * narrow_entries_.bytes();
  const uint64_t bytes = widened_bytes + wide_entries_.bytes();
  const uint64_t offset = store_->reserve(bytes);
  std::vector<uint64_t> entries;
  narrow_entries_.visit([&](uint64_t position, std::span<const std::byte> piece) {
    entries.resize(piece.size() / sizeof(uint32_t));
    for (uint64_t i = 0; i < entries.size(); ++i) {
      uint32_t entry;
      std::memcpy(&entry, piece.data() + i * sizeof entry, sizeof entry);
      entries[i] = widened(entry);
    }
    store_->file().write_at(offset + 2 * position, std::as_bytes(std::span(entries)));
  });
  wide_entries_.visit([&](uint64_t position, std::span<const std::byte> piece) {
    store_->file().write_at(offset + widened_bytes + position, piece);
  });
  return {offset, bytes};
}

}  // namespace heron::inline v0::jay

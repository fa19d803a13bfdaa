#include "csv/kept_values.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace heron::inline v0::csv {
namespace {

// Of a column at a time: little for files of few rows, and in huge pages for many.
constexpr uint64_t kLeastMemory = uint64_t{64} << 10;
constexpr uint64_t kMostMemory = uint64_t{8} << 20;

void clear_nulls(const Values& values, RowRange rows, std::byte* validity, uint64_t at) {
  for (uint64_t row = rows.first; row < rows.last; ++row, ++at) {
    if (values.is_null(row)) validity[at / 8] &= ~(std::byte{1} << at % 8);
  }
}

Buffer copied(const Buffer& from, Arena& memory) {
  std::byte* to = memory.allocate(from.bytes);
  std::memcpy(to, from.data, from.bytes);
  return {to, from.bytes};
}

}  // namespace

bool KeptValues::wants(const Type& type, uint64_t rows) const noexcept {
  if (!type.is_integer() && !type.is_float()) return false;
  const uint64_t kept = bytes_.load(std::memory_order_relaxed);
  return kept < most_bytes_ && rows <= (most_bytes_ - kept) / type.width();
}

void KeptValues::add(uint64_t column, uint64_t first, const Values& values) {
  if (values.rows == 0) return;
  Column& to = columns_[column];
  const auto room_for = [](const Buffer& part) { return part.bytes + 2 * Arena::kSlack; };
  const uint64_t bytes = room_for(values.data) + room_for(values.validity);
  if (to.free_bytes < bytes) {
    to.memory_bytes = std::max(bytes, std::clamp(2 * to.memory_bytes, kLeastMemory, kMostMemory));
    to.memory = std::make_shared<Arena>(memory_, to.memory_bytes);
    to.free_bytes = to.memory_bytes;
    bytes_.fetch_add(to.memory_bytes, std::memory_order_relaxed);
  }
  Chunk chunk{first, values.rows, Values(values.type, values.rows), to.memory};
  chunk.values.null_count = values.null_count;
  chunk.values.data = copied(values.data, *to.memory);
  if (values.null_count != 0) chunk.values.validity = copied(values.validity, *to.memory);
  to.free_bytes -= bytes;
  to.chunks.push_back(std::move(chunk));
}

bool KeptValues::give(uint64_t column, const Type& type, RowRange rows, std::byte* cells,
                      std::byte* validity) {
  Column& from = columns_[column];
  std::vector<std::shared_ptr<Arena>> given;  // freed after the lock
  const std::lock_guard lock(from.mutex);
  auto chunk = std::ranges::upper_bound(from.chunks, rows.first, {}, &Chunk::first);
  if (chunk == from.chunks.begin()) return false;
  const uint64_t width = type.width();
  uint64_t done = 0;
  for (--chunk; done < rows.rows(); ++chunk) {
    const uint64_t next = rows.first + done;
    if (chunk == from.chunks.end() || chunk->memory == nullptr || next < chunk->first ||
        next - chunk->first >= chunk->values.rows || chunk->values.type != type ||
        (chunk->values.null_count != 0 && validity == nullptr)) {
      return false;
    }
    const uint64_t place = next - chunk->first;
    const uint64_t some = std::min(rows.rows() - done, chunk->values.rows - place);
    std::memcpy(cells + done * width, chunk->values.data.data + place * width, some * width);
    if (chunk->values.null_count != 0) {
      clear_nulls(chunk->values, {place, place + some}, validity, done);
    }
    chunk->left -= std::min(chunk->left, some);
    if (chunk->left == 0) given.push_back(std::move(chunk->memory));
    done += some;
  }
  return true;
}

}  // namespace heron::inline v0::csv

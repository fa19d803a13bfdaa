#include "csv/kept_values.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/round_up.h"

namespace heron::inline v0::csv {
namespace {

// Bounds of the memory that a column takes at a time: little for files of few rows, in huge pages
// for many.
constexpr uint64_t kMinMemory = uint64_t{64} << 10;
constexpr uint64_t kMaxMemory = uint64_t{8} << 20;

void clear_nulls(const Values& values, RowRange rows, std::byte* validity, uint64_t at) {
  for (uint64_t row = rows.first; row < rows.last; ++row, ++at) {
    if (values.is_null(row)) validity[at / 8] &= ~(std::byte{1} << at % 8);
  }
}

// Copies the buffer to `to`, and advances `to` behind the copy.
Buffer copied(const Buffer& from, std::byte*& to) {
  std::memcpy(to, from.data, from.bytes);
  return {std::exchange(to, to + padded(from.bytes)), from.bytes};
}

}  // namespace

bool KeptValues::wants(const Type& type, uint64_t rows) const noexcept {
  if (!type.is(Type::Int32) && !type.is(Type::Int64) && !type.is(Type::Float64)) return false;
  return rows <= left_.load(std::memory_order_relaxed) / type.width();
}

// Returns false if memory of that size is not available.
bool KeptValues::make_room(Column& column, uint64_t bytes) {
  if (column.free_bytes >= bytes) return true;
  constexpr uint64_t kOwn = 2 * Arena::kSlack;  // bytes that the arena itself needs
  const uint64_t more = std::clamp(2 * column.memory_bytes, kMinMemory, kMaxMemory);
  const uint64_t reserved = std::max(bytes + kOwn, more);
  uint64_t left = left_.load(std::memory_order_relaxed);
  do {
    if (left < reserved) return false;
  } while (!left_.compare_exchange_weak(left, left - reserved, std::memory_order_relaxed));
  try {
    auto memory = std::make_shared<Arena>(memory_, reserved);
    column.next = memory->allocate(reserved - kOwn);
    column.memory = std::move(memory);
  } catch (const Error&) {
    return false;
  }
  column.free_bytes = reserved - kOwn;
  column.memory_bytes = reserved;
  return true;
}

void KeptValues::add(uint64_t column, uint64_t first, const Values& values) {
  if (values.rows == 0) return;
  Column& to = columns_[column];
  const uint64_t validity_bytes = values.null_count == 0 ? 0 : padded(values.validity.bytes);
  const uint64_t bytes = padded(values.data.bytes) + validity_bytes;
  if (!make_room(to, bytes)) return;
  Chunk chunk{first, values.rows, Values(values.type, values.rows), to.memory};
  chunk.values.null_count = values.null_count;
  chunk.values.data = copied(values.data, to.next);
  if (validity_bytes != 0) chunk.values.validity = copied(values.validity, to.next);
  to.free_bytes -= bytes;
  to.chunks.push_back(std::move(chunk));
}

bool KeptValues::give(uint64_t column, const Type& type, RowRange rows, std::byte* cells,
                      std::byte* validity) {
  Column& from = columns_[column];
  std::vector<std::shared_ptr<Arena>> given;  // freed after the lock
  const std::lock_guard lock(from.mutex);
  from.memory.reset();  // nothing more is added
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
    const uint64_t index = next - chunk->first;
    const uint64_t some = std::min(rows.rows() - done, chunk->values.rows - index);
    std::memcpy(cells + done * width, chunk->values.data.data + index * width, some * width);
    if (chunk->values.null_count != 0) {
      clear_nulls(chunk->values, {index, index + some}, validity, done);
    }
    chunk->left -= std::min(chunk->left, some);
    if (chunk->left == 0) given.push_back(std::move(chunk->memory));
    done += some;
  }
  return true;
}

}  // namespace heron::inline v0::csv

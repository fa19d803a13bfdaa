#include "csv/kept_values.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "values/bitmap.h"

namespace heron::inline v0::csv {
namespace {

void clear_nulls(const Values& values, RowRange rows, std::byte* validity, uint64_t at) {
  for (uint64_t row = rows.first; row < rows.last; ++row, ++at) {
    if (values.is_null(row)) validity[at / 8] &= ~(std::byte{1} << at % 8);
  }
}

}  // namespace

bool KeptValues::wants(const Type& type, uint64_t rows) const noexcept {
  if (!type.is_integer() && !type.is_float()) return false;
  const uint64_t kept = bytes_.load(std::memory_order_relaxed);
  return kept < most_bytes_ && rows <= (most_bytes_ - kept) / type.width();
}

std::shared_ptr<Arena> KeptValues::arena(const Type& type, uint64_t rows) const {
  constexpr uint64_t kPadding = 8 * Arena::kSlack;
  const uint64_t flags_and_bits = rows + bitmap_bytes(rows);
  return std::make_shared<Arena>(memory_, rows * type.width() + flags_and_bits + kPadding);
}

void KeptValues::add(uint64_t column, uint64_t first, Values values,
                     std::shared_ptr<Arena> memory) {
  if (values.rows == 0) return;
  bytes_.fetch_add(memory->held_bytes(), std::memory_order_relaxed);
  const uint64_t rows = values.rows;
  columns_[column].chunks.push_back({first, rows, std::move(values), std::move(memory)});
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

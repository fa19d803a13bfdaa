#include "safetensors/tensor_sink.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "values/cells.h"

namespace heron::inline v0::safetensors {
namespace {

// Elements are written as they are in memory.
static_assert(std::endian::native == std::endian::little);

// Elements are converted in slices of this many.
constexpr uint64_t kSlice = 1024;

template <class Cell>
void append_with_nulls(const Values& values, RowRange rows, TensorSink& sink) {
  std::array<Cell, kSlice> cells;
  for (uint64_t row = rows.first; row < rows.last;) {
    const uint64_t count = std::min(kSlice, rows.last - row);
    for (uint64_t i = 0; i < count; ++i) {
      cells[i] = values.is_null(row + i) ? std::numeric_limits<Cell>::quiet_NaN()
                                         : cell_of<Cell>(values, row + i);
    }
    sink.append(std::as_bytes(std::span(cells).first(count)));
    row += count;
  }
}

template <class Cell>
void append_as_small(const Values& values, RowRange rows, Rounding& rounding, TensorSink& sink) {
  std::array<uint16_t, kSlice> cells;
  std::array<float, kSlice> read;
  for (uint64_t row = rows.first; row < rows.last;) {
    const uint64_t count = std::min(kSlice, rows.last - row);
    const auto given = [&](uint64_t i) {
      return values.is_null(row + i) ? std::numeric_limits<Cell>::quiet_NaN()
                                     : cell_of<Cell>(values, row + i);
    };
    for (uint64_t i = 0; i < count; ++i) cells[i] = narrow_float(rounding.kind, given(i));
    const auto bytes = std::as_bytes(std::span(cells).first(count));
    widen_floats(rounding.kind, bytes.data(), count, read.data());
    for (uint64_t i = 0; i < count; ++i) {
      const double before = given(i), after = read[i];
      if (before == after || before != before) continue;
      ++rounding.changed;
      rounding.largest = std::max(rounding.largest, std::abs(before - after));
    }
    sink.append(bytes);
    row += count;
  }
}

void append_bools(const Values& values, RowRange rows, TensorSink& sink) {
  std::array<std::byte, kSlice> bytes;
  for (uint64_t row = rows.first; row < rows.last;) {
    const uint64_t count = std::min(kSlice, rows.last - row);
    for (uint64_t i = 0; i < count; ++i) bytes[i] = std::byte{values.data.bit(row + i)};
    sink.append(std::span(bytes).first(count));
    row += count;
  }
}

}  // namespace

uint64_t ChunkStore::put_aside(std::span<const std::byte> chunk_and_link) {
  scratch_.write_at(chunks_ * (chunk_bytes_ + sizeof(uint64_t)), chunk_and_link);
  return chunks_++;
}

uint64_t ChunkStore::bring_back(uint64_t chunk, uint64_t offset) {
  const uint64_t from = chunk * (chunk_bytes_ + sizeof(uint64_t));
  file_.copy_from(scratch_.descriptor(), from, chunk_bytes_, offset);
  uint64_t link;
  scratch_.read_at(from + chunk_bytes_, std::as_writable_bytes(std::span(&link, 1)));
  return link;
}

void TensorSink::append(std::span<const std::byte> bytes) {
  const uint64_t room = store_->chunk_bytes();
  if (offset_ != kUnknown && bytes.size() >= room) {
    flush();
    store_->file().write_at(offset_ + flushed_, bytes);
    flushed_ += bytes.size();
    return;
  }
  while (!bytes.empty()) {
    if (chunk_ == nullptr) {
      chunk_ = std::make_unique_for_overwrite<std::byte[]>(room + sizeof last_);
    }
    const uint64_t some = std::min<uint64_t>(bytes.size(), room - used_);
    std::memcpy(chunk_.get() + used_, bytes.data(), some);
    used_ += some;
    bytes = bytes.subspan(some);
    if (used_ == room) flush();
  }
}

// Without an offset, called only for full chunks.
void TensorSink::flush() {
  if (used_ == 0) return;
  if (offset_ != kUnknown) {
    store_->file().write_at(offset_ + flushed_, {chunk_.get(), used_});
  } else {
    std::memcpy(chunk_.get() + used_, &last_, sizeof last_);
    last_ = store_->put_aside({chunk_.get(), used_ + sizeof last_});
  }
  flushed_ += used_;
  used_ = 0;
}

void TensorSink::finish() {
  uint64_t end = flushed_;
  while (last_ != kUnknown) {
    end -= store_->chunk_bytes();
    last_ = store_->bring_back(last_, offset_ + end);
  }
  flush();
  chunk_.reset();
}

void append_rounded(const Values& values, RowRange rows, Rounding& rounding, TensorSink& sink) {
  if (values.type.is(Type::Float32)) return append_as_small<float>(values, rows, rounding, sink);
  append_as_small<double>(values, rows, rounding, sink);
}

void append_elements(const Values& values, RowRange rows, TensorSink& sink) {
  if (values.type.is(Type::Bool)) return append_bools(values, rows, sink);
  if (values.null_count != 0) {
    if (values.type.is(Type::Float32)) return append_with_nulls<float>(values, rows, sink);
    return append_with_nulls<double>(values, rows, sink);
  }
  const uint64_t width = values.type.width();
  sink.append({values.data.data + rows.first * width, rows.rows() * width});
}

}  // namespace heron::inline v0::safetensors

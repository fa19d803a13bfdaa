#include "arrow_ipc/write/encoder.h"

#include <cstring>

#include "arrow_ipc/body_compression.h"
#include "base/parallel.h"
#include "base/round_up.h"
#include "values/bitmap.h"
#include "values/cells.h"

namespace heron::inline v0::arrow_ipc {
namespace {

constexpr uint64_t kBufferAlignment = 64;

// Buffers of compressed bodies are copied before they are read.
constexpr uint64_t kCompressedAlignment = 8;

}  // namespace

void BodyEncoder::clear() noexcept {
  nodes_.clear();
  buffers_.clear();
  body_.clear();
}

std::byte* BodyEncoder::add_buffer(uint64_t bytes) {
  const uint64_t offset = body_.size();
  StoredBuffer buffer;
  buffer.offset = offset;
  buffer.bytes = bytes;
  buffers_.push_back(buffer);
  body_.resize(offset + round_up(bytes, kBufferAlignment));
  return body_.data() + offset;
}

void BodyEncoder::compress(BodyCodec codec, const Context& context) {
  std::vector<std::vector<std::byte>> frames(buffers_.size());
  parallel_for(buffers_.size(), context, [&](uint64_t i, const Context& one_thread) {
    one_thread.check_cancelled();
    const StoredBuffer& buffer = buffers_[i];
    if (buffer.bytes == 0) return;
    frames[i] = compressed(codec, std::span(body_).subspan(buffer.offset, buffer.bytes));
  });
  body_.clear();
  for (uint64_t i = 0; i < frames.size(); ++i) {
    buffers_[i].offset = body_.size();
    buffers_[i].bytes = frames[i].size();
    body_.insert(body_.end(), frames[i].begin(), frames[i].end());
    body_.resize(round_up(body_.size(), kCompressedAlignment));
  }
}

void BodyEncoder::add_bits(const Buffer& bits, RowRange rows) {
  std::byte* to = add_buffer(bitmap_bytes(rows.rows()));
  if (rows.rows() != 0) copy_bits(bits.data, rows.first, rows.rows(), to);
}

// A bitmap without nulls is left out.
void BodyEncoder::add_validity(const Values& values, RowRange rows) {
  StoredNode node;
  node.length = rows.rows();
  node.null_count = 0;
  if (values.type.is(Type::Null)) {
    node.null_count = rows.rows();
    nodes_.push_back(node);
    return;
  }
  if (values.null_count != 0 && rows.rows() != 0) {
    add_bits(values.validity, rows);
    const std::byte* bits = body_.data() + buffers_.back().offset;
    node.null_count = count_clear(bits, rows.rows());
  }
  if (node.null_count == 0) {
    if (values.null_count != 0 && rows.rows() != 0) {
      body_.resize(buffers_.back().offset);
      buffers_.pop_back();
    }
    add_buffer(0);
  }
  nodes_.push_back(node);
}

// Returns the characters or items of the rows; their offsets count from the first of them.
template <class Offset>
RowRange BodyEncoder::add_offsets(const Values& values, RowRange rows) {
  std::byte* to = add_buffer((rows.rows() + 1) * sizeof(Offset));
  if (rows.rows() == 0) return {};
  const Offset* from = values.offsets.as<Offset>() + rows.first;
  for (uint64_t i = 0; i <= rows.rows(); ++i) {
    const auto offset = static_cast<Offset>(from[i] - from[0]);
    std::memcpy(to + i * sizeof offset, &offset, sizeof offset);
  }
  return {static_cast<uint64_t>(from[0]), static_cast<uint64_t>(from[rows.rows()])};
}

// Null keys have the code 0.
void BodyEncoder::add_codes(const Values& keys, RowRange rows) {
  std::byte* to = add_buffer(rows.rows() * keys.type.width());
  visit_unsigned_type(keys.type, [&]<class T>() {
    for (uint64_t row = rows.first; row < rows.last; ++row) {
      const bool is_null = keys.null_count != 0 && keys.is_null(row);
      const T code = is_null ? T{0} : static_cast<T>(cell_of<T>(keys, row) - 1);
      std::memcpy(to + (row - rows.first) * sizeof code, &code, sizeof code);
    }
  });
}

void BodyEncoder::add_struct(const Values& values, std::span<const Values> children,
                             RowRange rows) {
  add_validity(values, rows);
  for (const Values& child : children) add(child, rows);
}

void BodyEncoder::add(const Values& values, RowRange rows, bool has_fixed_size) {
  const Type& type = values.type;
  add_validity(values, rows);
  if (has_fixed_size) {
    const RowRange items = {values.extent(rows.first), values.extent(rows.last)};
    return add(values.children[0], items);
  }
  if (type.is(Type::Null)) return;
  if (type.is(Type::Bool)) return add_bits(values.data, rows);
  if (type.is(Type::Key) && !values.children.empty()) return add_codes(values, rows);
  if (!type.has_offsets()) {
    const uint64_t width = type.width();
    std::byte* to = add_buffer(rows.rows() * width);
    if (rows.rows() != 0) {
      std::memcpy(to, values.data.data + rows.first * width, rows.rows() * width);
    }
    return;
  }
  const bool is_large = type.has_large_offsets();
  const RowRange extent =
      is_large ? add_offsets<int64_t>(values, rows) : add_offsets<int32_t>(values, rows);
  if (type.is_list()) return add(values.children[0], extent);
  std::byte* to = add_buffer(extent.rows());
  if (extent.rows() != 0) {
    std::memcpy(to, values.data.data + extent.first, extent.rows());
  }
}

}  // namespace heron::inline v0::arrow_ipc

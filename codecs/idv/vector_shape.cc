#include "idv/vector_shape.h"

#include <algorithm>

#include "base/fail.h"
#include "bytes/on_disk.h"
#include "bytes/view_reader.h"

namespace heron::inline v0::idv {
namespace {

constexpr uint64_t kNumberBytes = sizeof(i32le);

// Reads numbers from the front of a block.
class Front {
 public:
  Front(const ByteView& block, const BlockPosition& position, const Context& context)
      : left_(block), position_(position), context_(context) {}

  ByteView take(uint64_t numbers, std::string_view what) {
    const uint64_t bytes = numbers * kNumberBytes;  // no overflow: at most 2^31 numbers
    if (bytes > left_.bytes) {
      position_.corrupt(what, ": expected ", bytes, " bytes, got ", left_.bytes);
    }
    const ByteView taken{left_.source, left_.offset, bytes};
    left_ = {left_.source, left_.offset + bytes, left_.bytes - bytes};
    return taken;
  }
  int64_t take_one(std::string_view what) {
    const ByteView taken = take(1, what);
    if (const std::byte* data = taken.data()) return loaded_once(load<i32le>(data));
    i32le number;
    taken.read(0, std::as_writable_bytes(std::span(&number, 1)), context_);
    return number;
  }
  const ByteView& left() const noexcept { return left_; }

 private:
  ByteView left_;
  const BlockPosition& position_;
  const Context& context_;
};

}  // namespace

VectorShape::VectorShape(const Type& type, uint64_t rows_of_block, const ByteView& block,
                         const BlockPosition& position, const Context& context)
    : rows(rows_of_block) {
  Front front(block, position, context);
  const int64_t stored_rows = front.take_one("number of vectors");
  if (stored_rows < 0 || static_cast<uint64_t>(stored_rows) != rows) {
    position.corrupt("number of vectors: expected ", rows, ", got ", stored_rows);
  }
  const int64_t stored_length = front.take_one("length of vectors");
  if (stored_length < 0 ||
      (type.size() != 0 && static_cast<uint64_t>(stored_length) != type.size())) {
    position.corrupt("length of vectors: expected ",
                     type.size() == 0 ? "at least 0" : concat(type.size()), ", got ",
                     stored_length);
  }
  length = static_cast<uint64_t>(stored_length);
  if (length == 0) lengths = front.take(rows, "lengths");
  counts = front.take(rows, "counts");
  const int64_t stored_indices = front.take_one("number of indices");
  if (stored_indices < 0) {
    position.corrupt("number of indices: expected at least 0, got ", stored_indices);
  }
  indices = front.take(static_cast<uint64_t>(stored_indices), "indices");
  items = front.left();
}

StoredItems VectorShape::count_items(const Context& context) const {
  Arena arena(context.memory);
  const std::byte* count_at = window(counts, 0, counts.bytes, 1, arena, context);
  const std::byte* length_at =
      length != 0 ? nullptr : window(lengths, 0, lengths.bytes, 1, arena, context);
  StoredItems stored;
  for (uint64_t row = 0; row < rows; ++row) {
    const int64_t count = load<i32le>(count_at + row * kNumberBytes);
    const int64_t all = length_at == nullptr ? static_cast<int64_t>(length)
                                             : load<i32le>(length_at + row * kNumberBytes);
    stored.total += static_cast<uint64_t>(std::max<int64_t>(count == -1 ? all : count, 0));
    stored.all_dense &= count == -1;
  }
  return stored;
}

SparseCells VectorShape::cells(const StoredItems& stored) const {
  SparseCells cells;
  cells.length = length;
  if (!all_alike(stored)) {
    cells.lengths = lengths;
    cells.counts = counts;
    cells.indices = indices;
  }
  return cells;
}

}  // namespace heron::inline v0::idv

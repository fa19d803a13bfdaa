#include "idv/decode.h"

#include <algorithm>
#include <cstring>

#include "bytes/view_reader.h"
#include "columns/bit_column.h"
#include "columns/bitmap.h"
#include "columns/fixed_column.h"
#include "columns/sparse_list_column.h"
#include "idv/text.h"

namespace heron::inline v0::idv {
namespace {

constexpr uint64_t kLocalTimeBytes = sizeof(i16le) + sizeof(i64le);
constexpr uint64_t kPairsInWord = 16;  // of two bits

constexpr uint64_t padded(uint64_t bytes) {
  return (bytes + 63) / 64 * 64;
}

template <class... Parts>
[[noreturn]] void damaged(const Parts&... parts) {
  fail(ErrorKind::Corrupt, {}, parts...);
}

ByteView behind(const ByteView& view, uint64_t bytes) {
  return {view.source, view.offset + bytes, view.bytes - bytes};
}

// The first bytes of the block that hold all values.
ByteView need(const ByteView& block, uint64_t values, uint64_t bytes) {
  if (block.bytes < bytes) {
    damaged("expected ", bytes, " bytes for ", values, " values, got ", block.bytes);
  }
  return {block.source, block.offset, bytes};
}

// Values below 2^62, as sums of 32-bit numbers of which each took memory are.
uint64_t cells_bytes(uint64_t values, uint64_t width) {
  return values > UINT64_MAX / width ? UINT64_MAX : values * width;
}

bool bytes_hold(const Codec& codec, uint64_t values, uint64_t bytes) {
  return codec.layout == BlockLayout::Bits ? bytes >= bitmap_bytes(values)
                                           : bytes >= cells_bytes(values, codec.type.width());
}

// How the rows of a block of vectors are stored: where the numbers of each kind begin.
struct VectorShape {
  uint64_t rows;
  uint64_t length = 0;  // of every row; 0: they differ
  ByteView lengths;
  ByteView counts;
  ByteView indices;
  ByteView items;
};

// Takes numbers off the front of a block.
class NumberTaker {
 public:
  NumberTaker(const ByteView& block, const Context& context) : left_(block), context_(context) {}

  ByteView take(uint64_t numbers, std::string_view what) {
    const uint64_t bytes = numbers * sizeof(i32le);
    if (bytes > left_.bytes) {
      damaged(what, ": expected ", bytes, " bytes, got ", left_.bytes);
    }
    const ByteView taken{left_.source, left_.offset, bytes};
    left_ = behind(left_, bytes);
    return taken;
  }
  int64_t take_one(std::string_view what) {
    const ByteView taken = take(1, what);
    if (const std::byte* data = taken.data()) return load<i32le>(data);
    i32le number;
    taken.read(0, std::as_writable_bytes(std::span(&number, 1)), context_);
    return number;
  }
  const ByteView& left() const noexcept { return left_; }

 private:
  ByteView left_;
  const Context& context_;
};

VectorShape read_shape(const Type& type, uint64_t rows, const ByteView& block,
                       const Context& context) {
  NumberTaker numbers(block, context);
  const int64_t stored_rows = numbers.take_one("number of vectors");
  if (stored_rows < 0 || static_cast<uint64_t>(stored_rows) != rows) {
    damaged("expected ", rows, " vectors, got ", stored_rows);
  }
  const int64_t length = numbers.take_one("length of vectors");
  if (length < 0 || (type.size() != 0 && static_cast<uint64_t>(length) != type.size())) {
    damaged("expected vectors of length ", type.size(), ", got ", length);
  }
  VectorShape shape;
  shape.rows = rows;
  shape.length = static_cast<uint64_t>(length);
  if (length == 0) shape.lengths = numbers.take(rows, "lengths of vectors");
  shape.counts = numbers.take(rows, "counts of vectors");
  const int64_t indices = numbers.take_one("number of indices");
  if (indices < 0) damaged("expected a number of indices that is not negative, got ", indices);
  shape.indices = numbers.take(static_cast<uint64_t>(indices), "indices of vectors");
  shape.items = numbers.left();
  return shape;
}

// How many items the rows store together, and whether all are dense. What is no length or count
// is found by the column that is made of them.
struct StoredItems {
  uint64_t total = 0;
  bool all_dense = true;
};
StoredItems count_items(const VectorShape& shape, const Context& context) {
  StoredItems stored;
  if (shape.length != 0 && shape.rows == 0) return stored;
  Arena arena(context.memory);
  const std::byte* counts = window(shape.counts, 0, shape.counts.bytes, 1, arena, context);
  const std::byte* lengths =
      shape.length != 0 ? nullptr
                        : window(shape.lengths, 0, shape.lengths.bytes, 1, arena, context);
  for (uint64_t row = 0; row < shape.rows; ++row) {
    const int64_t count = load<i32le>(counts + row * sizeof(i32le));
    const int64_t length = lengths == nullptr ? static_cast<int64_t>(shape.length)
                                              : load<i32le>(lengths + row * sizeof(i32le));
    stored.total += static_cast<uint64_t>(std::max<int64_t>(count < 0 ? length : count, 0));
    stored.all_dense &= count == -1;
  }
  return stored;
}

bool all_alike(const VectorShape& shape, const StoredItems& stored) {
  return shape.length != 0 && shape.indices.bytes == 0 && stored.all_dense;
}

ColumnPtr decode_vectors(const Codec& codec, uint64_t rows, const ColumnLabel& label,
                         const BlockBytes& block, const std::shared_ptr<const KeyValues>& values,
                         const Context& context) {
  const VectorShape shape = read_shape(codec.type, rows, block.view, context);
  // In the file are only such blocks as readable_in_place() has looked at.
  const StoredItems stored = block.memory == nullptr ? StoredItems{rows * shape.length, true}
                                                     : count_items(shape, context);
  ColumnPtr items =
      decode(*codec.item, stored.total, label, {shape.items, block.memory}, values, context);
  SparseCells cells;
  cells.length = shape.length;
  if (!all_alike(shape, stored)) {
    cells.lengths = shape.lengths;
    cells.counts = shape.counts;
    cells.indices = shape.indices;
  }
  return std::make_unique<SparseListColumn>(codec.type, rows, label, cells, std::move(items),
                                            context);
}

ColumnPtr decode_cells(const Codec& codec, uint64_t rows, const ColumnLabel& label,
                       const ByteView& block, const std::shared_ptr<const KeyValues>& values) {
  FixedCells cells;
  cells.cells = need(block, rows, cells_bytes(rows, codec.type.width()));
  cells.missing = codec.missing;
  auto column = std::make_unique<FixedColumn>(codec.type, rows, label, cells);
  if (values == nullptr || !codec.type.is(Type::Key)) return column;
  return std::make_unique<KeyColumn>(label, std::move(column), values);
}

// Offsets of all rows, then ticks of all, become cells.
ColumnPtr decode_local_times(const Codec& codec, uint64_t rows, const ColumnLabel& label,
                             const BlockBytes& block) {
  const ByteView stored = need(block.view, rows, cells_bytes(rows, kLocalTimeBytes));
  const std::byte* minutes = stored.data();
  const std::byte* ticks = minutes + rows * sizeof(i16le);
  for (uint64_t row = 0; row < rows; ++row) {
    const DateTimeOffset cell{load<i64le>(ticks + row * sizeof(i64le)),
                              load<i16le>(minutes + row * sizeof(i16le))};
    std::memcpy(block.memory + row * sizeof cell, &cell, sizeof cell);
  }
  const ByteView cells{stored.source, 0, rows * sizeof(DateTimeOffset)};
  return std::make_unique<FixedColumn>(codec.type, rows, label,
                                       FixedCells{.cells = cells, .missing = codec.missing});
}

// Of 32 bits every other one, packed.
constexpr uint16_t even_bits(uint32_t bits) {
  bits &= 0x55555555;
  bits = (bits | bits >> 1) & 0x33333333;
  bits = (bits | bits >> 2) & 0x0F0F0F0F;
  bits = (bits | bits >> 4) & 0x00FF00FF;
  return static_cast<uint16_t>(bits | bits >> 8);
}

// Two bits a row (0 false, 1 true, 2 missing) become two bitmaps.
ColumnPtr decode_bit_pairs(uint64_t rows, const ColumnLabel& label, const BlockBytes& block) {
  const uint64_t words = rows / kPairsInWord + (rows % kPairsInWord != 0);
  const ByteView stored = need(block.view, rows, words * sizeof(u32le));
  const uint64_t bitmap = words * sizeof(uint16_t);
  for (uint64_t i = 0; i < words; ++i) {
    uint32_t word = load<u32le>(stored.data() + i * sizeof(u32le));
    const uint64_t pairs = std::min(kPairsInWord, rows - i * kPairsInWord);
    if (pairs < kPairsInWord) word &= (uint32_t{1} << (2 * pairs)) - 1;
    const uint16_t low = even_bits(word);
    const uint16_t high = even_bits(word >> 1);
    if ((low & high) != 0) {
      const auto pair = static_cast<uint64_t>(std::countr_zero(static_cast<unsigned>(low & high)));
      damaged("row ", i * kPairsInWord + pair, " of the block: expected a boolean 0 to 2, got 3");
    }
    const auto there = static_cast<uint16_t>(~high);
    std::memcpy(block.memory + i * sizeof low, &low, sizeof low);
    std::memcpy(block.memory + bitmap + i * sizeof there, &there, sizeof there);
  }
  return std::make_unique<BitColumn>(rows, label, ByteView{stored.source, 0, bitmap},
                                     ByteView{stored.source, bitmap, bitmap}, MissingRule::Bitmap);
}

}  // namespace

uint64_t unpacked_bytes(const Codec& codec, uint64_t block_bytes) noexcept {
  switch (codec.layout) {
    case BlockLayout::LocalTimes:
      return padded(block_bytes / kLocalTimeBytes * sizeof(DateTimeOffset));
    case BlockLayout::BitPairs: return padded(block_bytes);
    case BlockLayout::Vectors: return unpacked_bytes(*codec.item, block_bytes);
    default: return 0;
  }
}

bool readable_in_place(const Codec& codec, uint64_t rows, const ByteView& block,
                       const Context& context) {
  const BlockLayout cells = codec.item != nullptr ? codec.item->layout : codec.layout;
  if (cells != BlockLayout::Cells && cells != BlockLayout::Bits) return false;
  if (codec.layout != BlockLayout::Vectors) return true;
  try {
    const VectorShape shape = read_shape(codec.type, rows, block, context);
    const StoredItems stored = count_items(shape, context);
    return all_alike(shape, stored) && bytes_hold(*codec.item, stored.total, shape.items.bytes);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Corrupt) throw;
    return false;
  }
}

ColumnPtr decode(const Codec& codec, uint64_t rows, const ColumnLabel& label,
                 const BlockBytes& block, const std::shared_ptr<const KeyValues>& values,
                 const Context& context) {
  switch (codec.layout) {
    case BlockLayout::Cells: return decode_cells(codec, rows, label, block.view, values);
    case BlockLayout::Bits:
      return std::make_unique<BitColumn>(rows, label, need(block.view, rows, bitmap_bytes(rows)),
                                         ByteView{block.view.source, 0, 0}, MissingRule::Never);
    case BlockLayout::BitPairs: return decode_bit_pairs(rows, label, block);
    case BlockLayout::Texts: return decode_texts(codec, rows, label, block);
    case BlockLayout::LocalTimes: return decode_local_times(codec, rows, label, block);
    case BlockLayout::Vectors:
      return decode_vectors(codec, rows, label, block, values, context);
  }
  damaged("no such layout");
}

}  // namespace heron::inline v0::idv

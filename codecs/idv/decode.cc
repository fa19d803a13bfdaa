#include "idv/decode.h"

#include <cstring>

#include "base/round_up.h"
#include "columns/bit_column.h"
#include "columns/fixed_column.h"
#include "columns/sparse_list_column.h"
#include "idv/text.h"
#include "idv/vector_shape.h"
#include "values/bitmap.h"

namespace heron::inline v0::idv {
namespace {

constexpr uint64_t kLocalTimeBytes = sizeof(i16le) + sizeof(i64le);
constexpr uint64_t kPairsInWord = 16;  // pairs of bits per word

// Returns the size of that many values; UINT64_MAX on overflow.
uint64_t stored_bytes(const Codec& codec, uint64_t values) {
  const auto cells = [values](uint64_t width) {
    return values > UINT64_MAX / width ? UINT64_MAX : values * width;
  };
  switch (codec.layout) {
    case BlockLayout::Cells: return cells(codec.type.width());
    case BlockLayout::Bits: return bitmap_bytes(values);
    case BlockLayout::BitPairs:
      return (values / kPairsInWord + (values % kPairsInWord != 0)) * sizeof(u32le);
    case BlockLayout::LocalTimes: return cells(kLocalTimeBytes);
    default: return 0;  // blocks of the other layouts store their sizes
  }
}

class Decoder {
 public:
  Decoder(const std::shared_ptr<const KeyValues>& values, const ColumnLabel& label,
          const BlockPosition& position, const Context& context)
      : values_(values), label_(label), position_(position), context_(context) {}

  ColumnPtr decode(const Codec& codec, uint64_t rows, const BlockBytes& block) const {
    const uint64_t bytes = stored_bytes(codec, rows);
    if (block.view.bytes < bytes) {
      position_.corrupt("expected ", bytes, " bytes for ", rows, " values, got ", block.view.bytes);
    }
    const ByteView stored{block.view.source, block.view.offset, bytes};
    switch (codec.layout) {
      case BlockLayout::Cells: return cells(codec, rows, stored);
      case BlockLayout::Bits: return bits(rows, stored);
      case BlockLayout::BitPairs: return bit_pairs(rows, stored, block.memory);
      case BlockLayout::LocalTimes: return local_times(codec, rows, stored, block.memory);
      case BlockLayout::Texts: return texts(codec, rows, block);
      case BlockLayout::Vectors: break;
    }
    return vectors(codec, rows, block);
  }

 private:
  ColumnPtr cells(const Codec& codec, uint64_t rows, const ByteView& stored) const {
    const bool are_indices = values_ != nullptr && codec.type.is(Type::Key);
    const auto use = are_indices ? CellUse::AsIndices : CellUse::AsValues;
    auto column = std::make_unique<FixedColumn>(
        codec.type, rows, label_, FixedCells{.cells = stored, .nulls = codec.nulls, .use = use});
    if (!are_indices) return column;
    return std::make_unique<KeyColumn>(label_, std::move(column), values_);
  }

  ColumnPtr bits(uint64_t rows, const ByteView& stored) const {
    return std::make_unique<BitColumn>(rows, label_, stored, ByteView{stored.source, 0, 0},
                                       NullEncoding::Never);
  }

  // Splits two bits a row (0 false, 1 true, 2 null) into two bitmaps.
  ColumnPtr bit_pairs(uint64_t rows, const ByteView& stored, std::byte* memory) const;
  // Combines minutes of all rows and ticks of all rows into cells.
  ColumnPtr local_times(const Codec& codec, uint64_t rows, const ByteView& stored,
                        std::byte* memory) const;

  ColumnPtr texts(const Codec& codec, uint64_t rows, const BlockBytes& block) const {
    const auto nulls = codec.nullable() ? NullTexts::Stored : NullTexts::Empty;
    const ByteView& view = block.view;
    const TextLayout layout =
        index_texts({block.memory + view.offset, view.bytes}, rows, nulls, position_);
    return text_column(rows, label_, *view.source, view.offset, layout, nulls);
  }

  ColumnPtr vectors(const Codec& codec, uint64_t rows, const BlockBytes& block) const {
    const VectorShape shape(codec.type, rows, block.view, position_, context_);
    // A block is read in place in the file only after readable_in_place() has checked it; the file
    // may have changed since.
    const StoredItems stored = block.memory == nullptr ? StoredItems{rows * shape.length, true}
                                                       : shape.count_items(context_);
    if (block.memory == nullptr && !shape.all_alike(stored)) {
      position_.corrupt("expected vectors of one length that store all items, got others");
    }
    ColumnPtr items = decode(*codec.item, stored.total, {shape.items, block.memory});
    return std::make_unique<SparseListColumn>(codec.type, rows, label_, shape.cells(stored),
                                              std::move(items), context_);
  }

  const std::shared_ptr<const KeyValues>& values_;
  const ColumnLabel& label_;
  const BlockPosition& position_;
  const Context& context_;
};

ColumnPtr Decoder::local_times(const Codec& codec, uint64_t rows, const ByteView& stored,
                               std::byte* memory) const {
  const std::byte* minutes = stored.data();
  const std::byte* ticks = minutes + rows * sizeof(i16le);
  for (uint64_t row = 0; row < rows; ++row) {
    DateTimeOffset cell{load<i64le>(ticks + row * sizeof(i64le)),
                        load<i16le>(minutes + row * sizeof(i16le))};
    // Old versions also had null offsets, which do not affect the clock time.
    if (codec.nullable() && cell.minutes == INT16_MIN) cell.minutes = 0;
    std::memcpy(memory + row * sizeof cell, &cell, sizeof cell);
  }
  const ByteView cells{stored.source, 0, rows * sizeof(DateTimeOffset)};
  return std::make_unique<FixedColumn>(codec.type, rows, label_,
                                       FixedCells{.cells = cells, .nulls = codec.nulls});
}

// Packs every other bit.
constexpr uint16_t even_bits(uint32_t bits) {
  bits &= 0x55555555;
  bits = (bits | bits >> 1) & 0x33333333;
  bits = (bits | bits >> 2) & 0x0F0F0F0F;
  bits = (bits | bits >> 4) & 0x00FF00FF;
  return static_cast<uint16_t>(bits | bits >> 8);
}

ColumnPtr Decoder::bit_pairs(uint64_t rows, const ByteView& stored, std::byte* memory) const {
  const uint64_t words = stored.bytes / sizeof(u32le);
  const uint64_t bitmap = words * sizeof(uint16_t);
  for (uint64_t i = 0; i < words; ++i) {
    uint32_t word = load<u32le>(stored.data() + i * sizeof(u32le));
    const uint64_t pairs = rows - i * kPairsInWord;
    if (pairs < kPairsInWord) word &= (uint32_t{1} << (2 * pairs)) - 1;
    const uint16_t values = even_bits(word);
    const uint16_t nulls = even_bits(word >> 1);
    if (const unsigned both = values & nulls; both != 0) {
      position_.corrupt("value ", i * kPairsInWord + static_cast<uint64_t>(std::countr_zero(both)),
                        ": expected a boolean 0 to 2, got 3");
    }
    const auto valid = static_cast<uint16_t>(~nulls);
    std::memcpy(memory + i * sizeof values, &values, sizeof values);
    std::memcpy(memory + bitmap + i * sizeof valid, &valid, sizeof valid);
  }
  return std::make_unique<BitColumn>(rows, label_, ByteView{stored.source, 0, bitmap},
                                     ByteView{stored.source, bitmap, bitmap}, NullEncoding::Bitmap);
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
                       const BlockPosition& position, const Context& context) {
  const bool is_vector = codec.layout == BlockLayout::Vectors;
  const Codec& cells = is_vector ? *codec.item : codec;
  if (cells.layout != BlockLayout::Cells && cells.layout != BlockLayout::Bits) return false;
  if (!is_vector) return true;
  try {
    const VectorShape shape(codec.type, rows, block, position, context);
    return shape.all_alike(shape.count_items(context));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Corrupt) return false;
    throw;
  }
}

ColumnPtr decode(const Codec& codec, uint64_t rows, const ColumnLabel& label,
                 const BlockBytes& block, const std::shared_ptr<const KeyValues>& values,
                 const BlockPosition& position, const Context& context) {
  return Decoder(values, label, position, context).decode(codec, rows, block);
}

}  // namespace heron::inline v0::idv

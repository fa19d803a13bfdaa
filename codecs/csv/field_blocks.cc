#include "csv/field_blocks.h"

#include <algorithm>
#include <cstring>

#include "base/fail.h"
#include "base/round_up.h"
#include "columns/bit_column.h"
#include "columns/fixed_column.h"
#include "columns/text_column.h"
#include "csv/convert_fields.h"
#include "values/bitmap.h"

namespace heron::inline v0::csv {
namespace {

void copy(const Buffer& from, std::byte* to) {
  if (from.bytes != 0) std::memcpy(to, from.data, from.bytes);
}

}  // namespace

// Decodes later columns only: each thread waits only for columns behind its own, so that threads
// cannot deadlock.
void OpenColumns::decode_behind(uint64_t index, uint64_t block, uint64_t divisions,
                                const Context& context) const {
  constexpr uint64_t kMaxDoublings = 32;
  const uint64_t ahead = uint64_t{1} << std::min(divisions - 1, kMaxDoublings);
  const uint64_t last = index + std::min({ahead, most_ahead_, columns_.size() - index});
  for (uint64_t i = index + 1; i < last; ++i) {
    const BlockColumn* column = columns_[i].load(std::memory_order_acquire);
    if (column == nullptr) continue;
    try {
      column->pin(block, BlockUse::Scan, context);
    } catch (const Error&) {
      return;
    }
  }
}

FieldBlocks::FieldBlocks(std::shared_ptr<const TextBlocks> texts, uint64_t index, std::string name,
                         Type type, bool nullable, std::shared_ptr<const FieldRules> rules,
                         std::shared_ptr<const OpenColumns> columns,
                         std::shared_ptr<KeptValues> kept)
    : texts_(std::move(texts)),
      index_(index),
      name_(std::move(name)),
      type_(std::move(type)),
      nullable_(nullable),
      rules_(std::move(rules)),
      columns_(std::move(columns)),
      kept_(std::move(kept)),
      characters_(type_.is(Type::Text) ? texts_->index().offsets.size() : 0) {}

FieldBlocks::Layout FieldBlocks::layout(uint64_t rows) const noexcept {
  Layout layout{};
  layout.cell_bytes = type_.is(Type::Bool)   ? bitmap_bytes(rows)
                      : type_.is(Type::Text) ? (rows + 1) * sizeof(int32_t)
                                             : rows * type_.width();
  layout.validity = padded(layout.cell_bytes);
  layout.validity_bytes = nullable_ ? bitmap_bytes(rows) : 0;
  layout.characters = layout.validity + padded(layout.validity_bytes);
  return layout;
}

uint64_t FieldBlocks::frame_bytes(uint64_t block, const Context& context) const {
  const uint64_t fixed = layout(texts_->index().rows_of(block)).characters;
  return type_.is(Type::Text) ? fixed + most_characters(block, context) : fixed;
}

// The stored text of a block holds all its columns.
ByteView FieldBlocks::stored(uint64_t block, const Context&) const {
  const uint64_t offset = texts_->index().offsets[block];
  return {&texts_->source(), offset, texts_->index().end_of(block) - offset};
}

std::shared_ptr<const TextBlock> FieldBlocks::divided(uint64_t block,
                                                      const Context& context) const {
  const uint64_t before = texts_->divisions(block);
  auto text = texts_->block(block, context);
  const uint64_t divisions = texts_->divisions(block);
  if (divisions > 1 && divisions != before) {
    columns_->decode_behind(index_, block, divisions, context);
  }
  return text;
}

// Counts the characters of the fields, with their quotes.
uint64_t FieldBlocks::most_characters(uint64_t block, const Context& context) const {
  if (const uint64_t known = characters_[block].load(std::memory_order_relaxed)) return known - 1;
  const auto text = divided(block, context);
  const Records& records = text->records();
  uint64_t bytes = 0;
  for (uint64_t i = 0; i < records.size(); ++i) bytes += records.field(i, index_).size();
  characters_[block].store(bytes + 1, std::memory_order_relaxed);
  return bytes;
}

// Returns the validity bitmap of a nullable column's block, with all bits set.
std::byte* FieldBlocks::begin_validity(const Layout& parts, const BlockFrame& frame) const {
  if (!nullable_) return nullptr;
  std::memset(frame.memory + parts.validity, 0xFF, parts.validity_bytes);
  return frame.memory + parts.validity;
}

// Returns whether the pass over the file kept the block's values, which are then in the frame.
bool FieldBlocks::take_kept(uint64_t block, uint64_t rows, const BlockFrame& frame) const {
  if (kept_ == nullptr || type_.is(Type::Text) || type_.is(Type::Bool)) return false;
  const uint64_t first = block * texts_->index().block_rows;
  return kept_->give(index_, type_, {first, first + rows}, frame.memory,
                     begin_validity(layout(rows), frame));
}

// Fills the frame; returns the number of characters of its texts.
uint64_t FieldBlocks::convert(uint64_t block, uint64_t rows, const BlockFrame& frame,
                              const Context& context) const {
  const auto text = divided(block, context);
  Arena arena(context.memory);
  const Values values = convert_fields(text->position(texts_->source(), context), text->records(),
                                       {index_, name_, type_}, *rules_, arena);
  const Layout parts = layout(rows);
  const bool is_text = type_.is(Type::Text);
  if ((values.null_count != 0 && !nullable_) ||
      (is_text && values.data.bytes > frame.bytes - parts.characters)) {
    texts_->source().throw_changed("has other values than when it was opened");
  }
  if (std::byte* validity = begin_validity(parts, frame)) copy(values.validity, validity);
  copy(is_text ? values.offsets : values.data, frame.memory);
  if (!is_text) return 0;
  copy(values.data, frame.memory + parts.characters);
  return values.data.bytes;
}

ColumnPtr FieldBlocks::open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                            const Context& context) const {
  const uint64_t characters =
      take_kept(block, rows, frame) ? 0 : convert(block, rows, frame, context);
  const Layout parts = layout(rows);
  const NullEncoding nulls = nullable_ ? NullEncoding::Bitmap : NullEncoding::Never;
  const ByteView cells{frame.source, 0, parts.cell_bytes};
  const ByteView validity{frame.source, parts.validity, parts.validity_bytes};
  const ColumnLabel label{concat(name_, " block ", block), "field"};
  if (type_.is(Type::Bool)) {
    return std::make_unique<BitColumn>(rows, label, cells, validity, nulls);
  }
  if (!type_.is(Type::Text)) {
    return std::make_unique<FixedColumn>(
        type_, rows, label, FixedCells{.cells = cells, .validity = validity, .nulls = nulls});
  }
  return std::make_unique<TextColumn>(
      rows, label, OffsetCells{.cells = cells, .validity = validity, .nulls = nulls},
      ByteView{frame.source, parts.characters, characters});
}

}  // namespace heron::inline v0::csv

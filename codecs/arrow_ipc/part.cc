#include "arrow_ipc/part.h"

#include <algorithm>
#include <cstring>

#include "arrow_ipc/list_view_column.h"
#include "arrow_ipc/run_end_column.h"
#include "arrow_ipc/views_column.h"
#include "base/fail.h"
#include "bytes/view_reader.h"
#include "columns/bit_column.h"
#include "columns/fixed_column.h"
#include "columns/list_column.h"
#include "columns/null_column.h"
#include "columns/small_float_column.h"
#include "columns/text_column.h"
#include "values/assemble.h"
#include "values/batch_like.h"
#include "values/bitmap.h"

namespace heron::inline v0::arrow_ipc {
namespace {

NullEncoding encoding_of(const RowValidity& nulls) noexcept {
  return nulls.has_nulls ? NullEncoding::Bitmap : NullEncoding::Never;
}

}  // namespace

void check_readable(const StoredField& field, const std::string& file, const std::string& column) {
  if (field.layout != Layout::Other) return;
  fail(ErrorKind::Unsupported, file, "column \"", column, "\": ", field.reason);
}

ByteView PartMaker::need(const ByteView& view, uint64_t cells, uint64_t cell_bytes,
                         std::string_view what) const {
  if (view.bytes / cell_bytes < cells) {
    batch_.position().corrupt("buffer of ", what, " at byte ", view.offset, ": expected ", cells,
                              " x ", cell_bytes, " bytes, got ", view.bytes);
  }
  return view;
}

RowValidity PartMaker::validity(const StoredField& field, uint64_t rows) const {
  const bool has_bitmap = field.layout != Layout::Null && field.layout != Layout::RunEnds;
  if (!has_bitmap || batch_.node(field).nulls == 0) return {};
  return {need(buffer(field, 0), bitmap_bytes(rows), 1, "validity"), true};
}

ColumnPtr PartMaker::make(const StoredField& field, uint64_t rows, ColumnLabel label,
                          const RowValidity* given) const {
  check_readable(field, batch_.position().file, batch_.position().column);
  const RowValidity nulls = given == nullptr ? validity(field, rows) : *given;
  if (field.dictionary) return make_codes(field, rows, std::move(label), nulls);
  switch (field.layout) {
    case Layout::Null: return std::make_unique<NullColumn>(rows, std::move(label));
    case Layout::Bits:
      return std::make_unique<BitColumn>(rows, std::move(label),
                                         need(buffer(field, 1), bitmap_bytes(rows), 1, "bools"),
                                         nulls.bits, encoding_of(nulls));
    case Layout::Cells:
      return make_cells(field, field.type, rows, std::move(label), nulls, CellUse::AsValues);
    case Layout::Halves:
      return std::make_unique<SmallFloatColumn>(
          rows, std::move(label),
          SmallFloatCells{.kind = SmallFloat::Half,
                          .cells = need(buffer(field, 1), rows, field.cell_bytes, "values"),
                          .validity = nulls.bits});
    case Layout::Numbers: {
      const Type stored = field.cell_bytes == sizeof(int32_t) ? Type::Int32 : Type::Int64;
      ColumnPtr numbers = make_cells(field, stored, rows, label, nulls, CellUse::AsValues);
      return std::make_unique<ScaledColumn>(field.type, std::move(label), std::move(numbers),
                                            field.multiply, field.divide, batch_.file());
    }
    case Layout::NarrowDecimals: {
      const Type stored = field.cell_bytes == sizeof(int32_t) ? Type::Int32 : Type::Int64;
      return std::make_unique<WidenedColumn>(
          field.type, label, make_cells(field, stored, rows, label, nulls, CellUse::AsValues));
    }
    case Layout::Text:
      return std::make_unique<TextColumn>(rows, std::move(label), offsets(field, rows, nulls),
                                          buffer(field, 2), field.type.is_binary());
    case Layout::FixedBinary: return make_fixed_binary(field, rows, std::move(label), nulls);
    case Layout::List:
    case Layout::FixedList:
    case Layout::ListView: return make_list(field, rows, std::move(label), nulls);
    case Layout::RunEnds: return make_runs(field, rows, std::move(label));
    case Layout::LocalTimes:
      return std::make_unique<LocalTimeColumn>(label, make(field.children[0], rows, label),
                                               make(field.children[1], rows, label), nulls);
    case Layout::Views: return make_views(field, rows, std::move(label), nulls);
    case Layout::Struct:
    case Layout::Other: break;
  }
  batch_.position().fail_as(ErrorKind::Unsupported, "expected a type that Heron reads, got ",
                            field.words);
}

ColumnPtr PartMaker::make_cells(const StoredField& field, const Type& type, uint64_t rows,
                                ColumnLabel label, const RowValidity& nulls, CellUse use) const {
  FixedCells cells;
  cells.cells = need(buffer(field, 1), rows, field.cell_bytes, "values");
  cells.validity = nulls.bits;
  cells.nulls = encoding_of(nulls);
  cells.use = use;
  return std::make_unique<FixedColumn>(type, rows, std::move(label), cells);
}

ColumnPtr PartMaker::make_codes(const StoredField& field, uint64_t rows, ColumnLabel label,
                                const RowValidity& nulls) const {
  if (dictionaries_ == nullptr) {
    batch_.position().fail_as(ErrorKind::Unsupported, "codes in the values of a dictionary");
  }
  const bool nullable = nulls.has_nulls ||
                        dictionaries_->has_nulls(field, batch_.position().column, batch_.context());
  ColumnPtr codes = make_cells(field, field.code_type, rows, label, nulls, CellUse::AsIndices);
  if (auto values = dictionaries_->key_values(field)) {
    return std::make_unique<KeyCodesColumn>(field.type, std::move(label), std::move(codes),
                                            std::move(values), batch_.file());
  }
  auto values = dictionaries_->of(field, number_, batch_.position());
  return std::make_unique<CodedColumn>(field.type, std::move(label), std::move(codes),
                                       std::move(values), nullable, batch_.file());
}

ColumnPtr PartMaker::make_fixed_binary(const StoredField& field, uint64_t rows, ColumnLabel label,
                                       const RowValidity& nulls) const {
  if (field.size != 0) need(buffer(field, 1), rows, field.size, "values");
  return std::make_unique<FixedBinaryColumn>(rows, std::move(label), field.size, buffer(field, 1),
                                             nulls);
}

ColumnPtr PartMaker::make_views(const StoredField& field, uint64_t rows, ColumnLabel label,
                                const RowValidity& nulls) const {
  std::vector<ByteView> characters;
  const uint64_t count = batch_.view_buffers(field.views_before);
  for (uint64_t i = 0; i < count; ++i) characters.push_back(buffer(field, 2 + i));
  return std::make_unique<ViewsColumn>(
      field.type, rows, std::move(label), need(buffer(field, 1), rows, ViewsColumn::kViewBytes, "views"),
      std::move(characters), nulls);
}

OffsetCells PartMaker::offsets(const StoredField& field, uint64_t rows,
                               const RowValidity& nulls) const {
  OffsetCells cells;
  cells.cells = buffer(field, 1);
  cells.width = field.cell_bytes;
  cells.validity = nulls.bits;
  cells.nulls = encoding_of(nulls);
  if (rows != 0) need(cells.cells, rows + 1, cells.width, "offsets");
  return cells;
}

ColumnPtr PartMaker::make_list(const StoredField& field, uint64_t rows, ColumnLabel label,
                               const RowValidity& nulls) const {
  const StoredField& item = field.children[0];
  const uint64_t items = batch_.node(item).rows;
  ColumnPtr column = make(item, items, label);
  if (field.layout == Layout::List) {
    return std::make_unique<ListColumn>(rows, std::move(label), offsets(field, rows, nulls),
                                        std::move(column));
  }
  if (field.layout == Layout::ListView) {
    const uint32_t width = field.cell_bytes;
    return std::make_unique<ListViewColumn>(
        rows, std::move(label), need(buffer(field, 1), rows, width, "offsets"),
        need(buffer(field, 2), rows, width, "sizes"), width, std::move(column), nulls);
  }
  if (field.size != 0 && items / field.size < rows) {
    batch_.position().corrupt("expected ", rows, " x ", field.size, " items, got ", items);
  }
  return std::make_unique<FixedListColumn>(rows, std::move(label), field.size, std::move(column),
                                           nulls);
}

ColumnPtr PartMaker::make_runs(const StoredField& field, uint64_t rows, ColumnLabel label) const {
  const StoredField& ends = field.children[0];
  const StoredField& values = field.children[1];
  const uint64_t runs = batch_.node(ends).rows, stored = batch_.node(values).rows;
  if (stored < runs || batch_.node(ends).nulls != 0 || runs > UINT32_MAX) {
    batch_.position().corrupt("expected as many values as run ends, none of them null, got ",
                              stored, " and ", runs);
  }
  return std::make_unique<RunEndColumn>(rows, label, make(ends, runs, label),
                                        make(values, stored, label), batch_.file());
}

ColumnPtr make_empty(const Type& type, ColumnLabel label, const ByteSource& file) {
  const ByteView none{&file, 0, 0};
  if (type.is(Type::Null)) return std::make_unique<NullColumn>(0, std::move(label));
  if (type.is(Type::Bool)) {
    return std::make_unique<BitColumn>(0, std::move(label), none, none, NullEncoding::Never);
  }
  if (!type.has_offsets()) {
    return std::make_unique<FixedColumn>(type, 0, std::move(label), FixedCells{.cells = none});
  }
  OffsetCells cells;
  cells.cells = none;
  cells.width = type.has_large_offsets() ? 8 : 4;
  if (type.has_bytes()) {
    return std::make_unique<TextColumn>(0, std::move(label), cells, none, type.is_binary());
  }
  ColumnPtr items = make_empty(type.item(), label, file);
  return std::make_unique<ListColumn>(0, std::move(label), cells, std::move(items));
}

std::shared_ptr<const DictionaryValues> Dictionaries::of(const StoredField& field, uint64_t batch,
                                                         const BatchPosition& position) const {
  const auto found = contents_->dictionaries.find(*field.dictionary);
  uint64_t first = 0, last = 0;
  if (found != contents_->dictionaries.end()) {
    const std::vector<DictionaryPart>& parts = found->second;
    while (last < parts.size() && parts[last].first_batch <= batch) {
      if (!parts[last].is_delta) first = last;
      ++last;
    }
    // Later deltas only add values: batches share them.
    while (last != 0 && last < parts.size() && parts[last].is_delta) ++last;
  }
  if (last == 0) {
    position.corrupt("expected a dictionary ", *field.dictionary, " before it, got none");
  }
  const std::lock_guard lock(mutex_);
  auto& made = made_[{&field, first}];
  if (made == nullptr) {
    const Parts parts = Parts(found->second).subspan(first, last - first);
    made = std::make_shared<const DictionaryValues>(
        [this, &field, parts](Arena& arena, const Context& context) {
          return load(field, parts, arena, context);
        });
  }
  return made;
}

Values Dictionaries::load(const StoredField& field, Parts parts, Arena& arena,
                          const Context& context) const {
  const Fields fields = dictionary_fields(field, contents_->version, file_.name());
  const StoredField& value = fields.fields[0];
  const std::string name(field.name);
  std::vector<Values> pieces;
  for (const DictionaryPart& part : parts) {
    const BatchPosition position{file_.name(), name, concat("dictionary ", *field.dictionary)};
    const BatchReader batch(file_, part.batch, contents_->views, position, context);
    FieldBuffers buffers(batch, value, false, max_decode_);
    const uint64_t frame_bytes = buffers.frame_bytes();
    const std::span frame(arena.allocate(frame_bytes), frame_bytes);
    const auto memory = std::make_shared<const MemorySource>(file_.name(), frame);
    if (frame_bytes != 0) buffers.fill(batch, frame, *memory);
    const uint64_t rows = batch.node(value).rows;
    if (rows != part.batch.rows) {
      position.corrupt("expected ", part.batch.rows, " values, got ", rows);
    }
    const ColumnPtr column =
        PartMaker(batch, buffers, nullptr, 0).make(value, rows, {position.column, value.words});
    pieces.push_back(column->read({0, rows}, arena, context));
  }
  file_.check_lost();
  return concatenate(value.type, pieces, arena);
}

// The dictionary is copied: it may lie in the map, and values of keys never do.
std::shared_ptr<const KeyValues> Dictionaries::key_values(const StoredField& field) const {
  if (!field.type.is(Type::Key)) return nullptr;
  const std::lock_guard lock(mutex_);
  auto& made = key_values_[&field];
  if (made != nullptr) return made;
  const auto load_values = [this, &field](const Context& context) {
    const std::string column(field.name);
    const BatchPosition position{file_.name(), column, "batch 0"};
    RowBatch batch = own_batch(nullptr, std::make_shared<Arena>(context.memory));
    batch.columns.push_back(copy(of(field, 0, position)->values(context), *batch.memory));
    batch.rows = batch.columns.front().rows;
    return batch;
  };
  const Fields fields = dictionary_fields(field, contents_->version, file_.name());
  made = std::make_shared<const KeyValues>(load_values, fields.fields[0].type, true);
  return made;
}

bool Dictionaries::has_nulls(const StoredField& field, const std::string& column,
                             const Context& context) const {
  const auto found = contents_->dictionaries.find(*field.dictionary);
  if (found == contents_->dictionaries.end()) return false;
  const BatchPosition position{file_.name(), column, concat("dictionary ", *field.dictionary)};
  StoredField first;  // the node of the values is the first of their batch
  return std::any_of(found->second.begin(), found->second.end(), [&](const DictionaryPart& part) {
    return BatchReader(file_, part.batch, {}, position, context).node(first).nulls != 0;
  });
}

bool BatchBlocks::makes_bitmap(const BatchReader& batch) const {
  const Node own = batch.node(*leaf_.field);
  if (own.rows != batch.batch().rows) {
    batch.position().corrupt("expected ", batch.batch().rows, " rows, as the batch has, got ",
                             own.rows);
  }
  bool is_null_around = false;
  for (const StoredField* parent : leaf_.parents) {
    const Node node = batch.node(*parent);
    if (node.rows != own.rows) {
      batch.position().corrupt("expected ", own.rows, " rows of struct \"", parent->name,
                               "\", got ", node.rows);
    }
    is_null_around |= node.nulls != 0;
  }
  const Layout layout = leaf_.field->layout;
  const bool has_own = layout != Layout::Null && layout != Layout::RunEnds;
  return nullable_ && has_own && (own.nulls == 0 || is_null_around);
}

uint64_t BatchBlocks::frame_bytes(uint64_t block, const Context& context) const {
  const BatchPosition where = position(block);
  const BatchReader batch = reader(block, where, context);
  return FieldBuffers(batch, *leaf_.field, makes_bitmap(batch), max_decode_).frame_bytes();
}

ByteView BatchBlocks::stored(uint64_t block, const Context& context) const {
  const BatchPosition where = position(block);
  const BatchReader batch = reader(block, where, context);
  return FieldBuffers(batch, *leaf_.field, false, max_decode_).span();
}

// Clears the bits of rows that are null in a field.
void BatchBlocks::clear_nulls(const BatchReader& batch, const StoredField& field,
                              std::span<std::byte> bitmap) const {
  if (batch.node(field).nulls == 0) return;
  StoredField own;  // the bitmap alone
  own.buffer = field.buffer;
  own.buffers = 1;
  own.views_before = field.views_before;
  Arena arena(batch.context().memory);
  FieldBuffers buffers(batch, own, false, max_decode_);
  const std::span frame(arena.allocate(buffers.frame_bytes()), buffers.frame_bytes());
  const MemorySource memory(file_.name(), frame);
  if (!frame.empty()) buffers.fill(batch, frame, memory);
  const ByteView bits = buffers.view(batch.first_buffer(own));
  if (bits.bytes < bitmap.size()) {
    batch.position().corrupt("validity bitmap at byte ", bits.offset, ": expected ", bitmap.size(),
                             " bytes, got ", bits.bytes);
  }
  const std::byte* from = window(bits, 0, bitmap.size(), 1, arena, batch.context());
  for (uint64_t i = 0; i < bitmap.size(); ++i) bitmap[i] &= from[i];
}

ColumnPtr BatchBlocks::open(uint64_t block, uint64_t rows, const BlockFrame& frame,
                            const Context& context) const {
  const BatchPosition where = position(block);
  const BatchReader batch = reader(block, where, context);
  const bool has_bitmap = makes_bitmap(batch);
  FieldBuffers buffers(batch, *leaf_.field, has_bitmap, max_decode_);
  if (buffers.frame_bytes() != frame.bytes) file_.throw_changed("was rewritten while open");
  const std::span memory(frame.memory, frame.bytes);
  if (frame.bytes != 0) buffers.fill(batch, memory, *frame.source);
  const PartMaker maker(batch, buffers, dictionaries_.get(), block);
  const ColumnLabel label{concat(label_.name, " batch ", block), label_.encoding};
  ColumnPtr column;
  if (has_bitmap) {
    const std::span<std::byte> bitmap = buffers.bitmap(memory);
    clear_nulls(batch, *leaf_.field, bitmap);
    for (const StoredField* parent : leaf_.parents) clear_nulls(batch, *parent, bitmap);
    const RowValidity nulls{buffers.bitmap_view(*frame.source), true};
    column = maker.make(*leaf_.field, rows, label, &nulls);
  } else {
    column = maker.make(*leaf_.field, rows, label);
  }
  file_.check_lost();
  return column;
}

}  // namespace heron::inline v0::arrow_ipc

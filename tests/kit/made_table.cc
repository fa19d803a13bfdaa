#include "kit/made_table.h"

#include "base/fail.h"
#include "bytes/memory_source.h"
#include "columns/bit_column.h"
#include "columns/fixed_column.h"
#include "columns/list_column.h"
#include "columns/null_column.h"
#include "columns/text_column.h"
#include "format/table_source.h"
#include "table/internals.h"
#include "values/bitmap.h"

namespace heron::inline v0 {
namespace {

class MadeSource final : public TableSource {
 public:
  std::vector<std::pair<std::string, TableMaker::Open>> columns;
  const ByteSource* bytes = nullptr;
  std::optional<RowLayout> layout;
  uint64_t rows = 0, keys = 0, rows_of_a_block = 0;
  std::optional<Runs> runs;
  std::optional<uint64_t> label;

  uint64_t column_count() const noexcept override { return columns.size(); }
  std::string stored_name(uint64_t column) const override { return columns[column].first; }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    return columns[column].second(*bytes, rows, {name, "made"});
  }
  uint64_t key_columns() const noexcept override { return keys; }
  uint64_t block_rows() const noexcept override { return rows_of_a_block; }
  std::optional<RowLayout> row_layout() const noexcept override { return layout; }
  const Runs* groups() const noexcept override { return runs ? &*runs : nullptr; }
  std::optional<uint64_t> label_column() const noexcept override { return label; }
};

template <class Offset>
Piece add_offsets(Pieces& pieces, const std::vector<std::optional<std::string>>& texts) {
  constexpr auto kNull = static_cast<Offset>(Offset{1} << (sizeof(Offset) * 8 - 1));
  std::vector<Offset> offsets = {0};
  Offset end = 0;
  for (const auto& text : texts) {
    if (text) end += static_cast<Offset>(text->size());
    offsets.push_back(text ? end : end | kNull);
  }
  return pieces.add(offsets);
}

}  // namespace

std::shared_ptr<const ByteSource> made_source(std::string name, std::span<const std::byte> bytes,
                                              bool mapped) {
  std::vector<std::byte> copy(bytes.begin(), bytes.end());
  if (!mapped) return std::make_shared<CopyingSource>(std::move(name), std::move(copy));
  const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(copy));
  return std::make_shared<MemorySource>(std::move(name), std::span(*owner), owner);
}

Piece Pieces::add(const std::vector<bool>& flags, uint64_t shift) {
  std::vector<std::byte> bits(bitmap_bytes(flags.size()));
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) bits[i / 8] |= static_cast<std::byte>(1u << (i % 8));
  }
  return add_bytes(bits, shift);
}

Piece Pieces::add_bytes(std::span<const std::byte> bytes, uint64_t shift) {
  const Piece piece{(bytes_.size() + 15) / 16 * 16 + shift, bytes.size()};
  bytes_.resize(piece.offset);
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  return piece;
}

std::shared_ptr<const ByteSource> Pieces::source(bool mapped) const {
  return made_source("made.file", bytes_, mapped);
}

TableMaker& TableMaker::add(std::string name, Open open) {
  columns_.emplace_back(std::move(name), std::move(open));
  return *this;
}

TableMaker& TableMaker::fixed_at(std::string name, Type type, Piece cells, NullEncoding nulls,
                                 Piece valid) {
  return add(std::move(name), [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    return std::make_unique<FixedColumn>(type, rows, std::move(label),
                                         FixedCells{cells.in(source), valid.in(source), nulls});
  });
}

TableMaker& TableMaker::bits(std::string name, const std::vector<bool>& values,
                             const std::vector<bool>& valid) {
  const NullEncoding nulls = valid.empty() ? NullEncoding::Never : NullEncoding::Bitmap;
  const Piece cells = pieces.add(values);
  const Piece validity = pieces.add(valid);
  return add(std::move(name), [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    return std::make_unique<BitColumn>(rows, std::move(label), cells.in(source),
                                       validity.in(source), nulls);
  });
}

TableMaker& TableMaker::texts(std::string name,
                              const std::vector<std::optional<std::string>>& texts, bool large) {
  const Piece offsets =
      large ? add_offsets<uint64_t>(pieces, texts) : add_offsets<uint32_t>(pieces, texts);
  std::vector<char> all;
  for (const auto& text : texts) {
    if (text) all.insert(all.end(), text->begin(), text->end());
  }
  const Piece characters = pieces.add(all);
  return add(std::move(name), [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    const OffsetCells cells{offsets.in(source), large ? 8u : 4u, {}, NullEncoding::OffsetBit, 0};
    return std::make_unique<TextColumn>(rows, std::move(label), cells, characters.in(source));
  });
}

TableMaker& TableMaker::lists(std::string name, const std::vector<uint32_t>& offsets,
                              const std::vector<int32_t>& items, const std::vector<bool>& valid) {
  const NullEncoding nulls = valid.empty() ? NullEncoding::Never : NullEncoding::Bitmap;
  const Piece starts = pieces.add(offsets);
  const Piece cells = pieces.add(items);
  const Piece validity = pieces.add(valid);
  return add(std::move(name), [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
    auto inner =
        std::make_unique<FixedColumn>(Type::Int32, cells.bytes / sizeof(int32_t), label,
                                      FixedCells{cells.in(source), {}, NullEncoding::Sentinel});
    const OffsetCells extents{starts.in(source), 4, validity.in(source), nulls, 0};
    return std::make_unique<ListColumn>(rows, std::move(label), extents, std::move(inner));
  });
}

TableMaker& TableMaker::null(std::string name) {
  return add(std::move(name), [](const ByteSource&, uint64_t rows, ColumnLabel label) {
    return std::make_unique<NullColumn>(rows, std::move(label));
  });
}

TableMaker& TableMaker::side_by_side(Type type, uint64_t columns, std::span<const std::byte> cells,
                                     std::endian order, uint64_t shift) {
  const uint32_t width = type.is(Type::Bool) ? 1 : type.width();
  std::vector<std::byte> stored(cells.begin(), cells.end());
  if (order != std::endian::native) {
    for (auto cell = stored.begin(); cell != stored.end(); cell += width) {
      std::reverse(cell, cell + width);
    }
  }
  const Piece piece = pieces.add(stored, shift);
  row_layout_ = [=](const ByteSource& source) {
    return RowLayout{type, piece.in(source), columns * width, order};
  };
  for (uint64_t c = 0; c < columns; ++c) {
    add(concat("c", c), [=](const ByteSource& source, uint64_t rows, ColumnLabel label) {
      const uint64_t skipped = std::min(c * width, piece.bytes);
      const Piece column{piece.offset + skipped, piece.bytes - skipped};
      const FixedCells strided{column.in(source), {}, NullEncoding::Never, columns * width, order};
      return std::make_unique<FixedColumn>(type, rows, std::move(label), strided);
    });
  }
  return *this;
}

std::shared_ptr<const Table> TableMaker::table(bool mapped) const {
  return table(pieces.source(mapped));
}

std::shared_ptr<const Table> TableMaker::table(std::shared_ptr<const ByteSource> bytes) const {
  auto source = std::make_unique<MadeSource>();
  source->columns = columns_;
  source->bytes = bytes.get();
  if (row_layout_) source->layout = row_layout_(*bytes);
  source->rows = rows_;
  source->keys = key_columns;
  source->rows_of_a_block = block_rows;
  if (!group_starts.empty()) source->runs.emplace(group_starts);
  source->label = label_column;
  return std::make_shared<const Table>(TableContents{"data", rows_, bytes, std::move(source)});
}

std::shared_ptr<const File> TableMaker::file(bool mapped) const {
  const auto made = table(mapped);
  return std::make_shared<const File>(
      FileContents{.bytes = internals(*made).bytes(), .format = "made", .tables = {made}});
}

}  // namespace heron::inline v0

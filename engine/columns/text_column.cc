#include "columns/text_column.h"

#include "base/per_thread.h"
#include "columns/prefetch.h"
#include "columns/row_list.h"
#include "values/copy_short.h"
#include "values/gather.h"

namespace heron::inline v0 {
namespace {

Type type_of(bool is_large, bool is_binary) {
  if (is_binary) return is_large ? Type::LargeBinary : Type::Binary;
  return is_large ? Type::LargeText : Type::Text;
}

OffsetCells limited(OffsetCells offsets, const ByteView& characters) {
  offsets.limit = characters.bytes;
  return offsets;
}

// Returns the end of what it copied. Not inlined: its loop has all registers and takes 10 % less
// time.
[[gnu::noinline]] std::byte* copy_texts(const std::byte* characters, uint64_t character_bytes,
                                        const uint64_t* starts, const uint64_t* lengths,
                                        uint64_t count, std::byte* to) {
  for (uint64_t i = 0; i < count; ++i) {
    if (i + kPrefetchAhead < count) {
      const std::byte* ahead = characters + starts[i + kPrefetchAhead];
      __builtin_prefetch(ahead);
      __builtin_prefetch(ahead + kShortBytes - 1);  // one text in four ends in the next cache line
    }
    copy_short(characters + starts[i], character_bytes - starts[i], lengths[i], to);
    to += lengths[i];
  }
  return to;
}

// Memory for the extents of some thousand rows: the thread's own and reused, because fresh pages
// take a tenth of the time. For mapped texts, where nothing else runs on the thread before the
// extents are used.
Arena& scratch_of(uint64_t rows, Arena& arena) {
  constexpr uint64_t kMaxRows = uint64_t{1} << 17;
  if (rows > kMaxRows) return arena;
  static PerThread<Arena> scratch;
  scratch.get().reset();
  return scratch.get();
}

}  // namespace

TextColumn::TextColumn(uint64_t rows, ColumnLabel label, OffsetCells offsets, ByteView characters,
                       bool is_binary)
    : Column(type_of(offsets.width == 8, is_binary), rows, std::move(label)),
      characters_(characters),
      offsets_(limited(offsets, characters), *this, "characters") {}

Values TextColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  Values values(type(), rows.rows());
  RowRange extent;
  const std::byte* characters = characters_.data();
  if (!offsets_.read(values, rows, characters == nullptr, extent, arena, context)) {
    return take(list_rows(rows, arena), arena, context);
  }
  if (characters != nullptr) {
    values.data = {characters, characters_.bytes};
  } else {
    values.data = {window(characters_, extent.first, extent.rows(), 1, arena, context),
                   extent.rows()};
  }
  return values;
}

Values TextColumn::take(std::span<const uint64_t> rows, Arena& arena,
                        const Context& context) const {
  Values values(type(), rows.size());
  const bool is_mapped = characters_.data() != nullptr && offsets_.cells().cells.data() != nullptr;
  Arena& scratch = is_mapped ? scratch_of(rows.size(), arena) : arena;
  const Extents extents = offsets_.take(values, rows, arena, scratch, context);
  std::byte* to = arena.allocate(extents.total);
  values.data = {to, extents.total};
  if (const std::byte* characters = characters_.data()) {
    in_parts(rows.size(), context, [&](uint64_t first, uint64_t end) {
      to = copy_texts(characters, characters_.bytes, extents.starts + first,
                      extents.lengths + first, end - first, to);
    });
    return values;
  }
  ViewReader reader(characters_, context);
  for (uint64_t i = 0; i < rows.size(); ++i) {
    reader.copy(extents.starts[i], extents.lengths[i], to);
    to += extents.lengths[i];
  }
  return values;
}

void TextColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                        const Context& context) const {
  if (round == 0) offsets_.locate(rows, bytes);
  if (round != 1) return;
  // Short texts are copied with what follows them, which may be on the next page.
  const bool in_place = characters_.data() != nullptr;
  const auto add = [&](RowRange some, uint64_t least) {
    const RowRange extent = offsets_.extent_of(some, context);
    if (extent.rows() == 0) return;
    const uint64_t most = characters_.bytes - extent.first;
    bytes.add(characters_, extent.first, std::min(std::max(extent.rows(), least), most));
  };
  if (rows.list.empty()) return add(rows.range, 0);
  for (const uint64_t row : rows.list) add({row, row + 1}, in_place ? kShortBytes : 0);
}

std::optional<FlatCells> TextColumn::flat() const {
  FlatCells flat;
  flat.kind = FlatCells::Kind::Text;
  flat.nulls = offsets_.cells().nulls;
  flat.cell_bytes = offsets_.cells().width;
  flat.stride = offsets_.cells().width;
  flat.cells = offsets_.cells().cells;
  flat.validity = offsets_.cells().validity;
  flat.characters = characters_;
  return flat;
}

}  // namespace heron::inline v0

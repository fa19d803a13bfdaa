// Typed values from bytes: the interface between formats and queries. A codec picks columns from
// the closed set of this folder and gives each the views of its bytes; reading, gathering and
// verifying are implemented here, once.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/arena.h"
#include "bytes/byte_source.h"
#include "heron/context.h"
#include "heron/schema.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Bits, bitmaps and offsets are read in place, little-endian.
static_assert(std::endian::native == std::endian::little);

class BlockColumn;
struct ColumnChunk;
class Dictionary;
class KeyValues;
class Prefetch;
struct RowsToRead;

// Whether cells are used as values, or as indices (keys and codes that are looked up). An index
// that changes after its check could be out of range.
enum class CellUse : uint8_t { AsValues, AsIndices };

// Returns whether a bitmap says which rows are null, besides other rules.
constexpr bool has_bitmap(NullEncoding nulls) {
  return nulls == NullEncoding::Bitmap || nulls == NullEncoding::BitmapOrNaN;
}

// Cells of a column at a constant stride, for RowView and typed kernels. Every cell, offset and
// validity bit of every row is inside the source; the ranges of offsets are not checked.
struct FlatCells {
  enum class Kind : uint8_t { Null, Fixed, Bits, Bytes /* a bool a byte: not 0 */, Text };
  Kind kind = Kind::Null;
  NullEncoding nulls = NullEncoding::Never;
  std::endian order = std::endian::little;  // byte order of fixed cells
  uint32_t cell_bytes = 0;                  // for texts: bytes of an offset
  uint64_t stride = 0;                      // bytes from a row's cell to the next row's
  ByteView cells;                           // texts: rows + 1 offsets
  ByteView validity;
  ByteView characters;
  // If not null, the cells are codes into it (unsigned fixed cells, or bits), unchecked.
  const Dictionary* dictionary = nullptr;

  // Returns whether cells are consecutive and in the machine's byte order.
  bool packed() const noexcept { return stride == cell_bytes && in_order(); }
  // Returns whether cells are in the machine's byte order.
  bool in_order() const noexcept { return cell_bytes == 1 || order == std::endian::native; }
};

// Values as codes into a dictionary: all are below its size, except that codes of a byte may lie in
// a file that others change, and then be any byte.
struct ColumnCodes {
  Values codes;  // codes of type bool, uint8, uint16 or uint32, never null
  const Dictionary* dictionary = nullptr;
};

struct ColumnLabel {
  std::string name;
  std::string encoding;
};

// A column of known type and length. Immutable, thread-safe. Structure is checked when the column
// is made, values when they are read. Row numbers are in range: the query layer has checked them.
class Column {
 public:
  virtual ~Column() = default;
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;

  const Type& type() const noexcept { return type_; }
  uint64_t rows() const noexcept { return rows_; }
  // Returns whether a value can be null, by the encoding alone.
  virtual bool nullable() const noexcept = 0;
  // Name as in the schema, for error texts; encoding in the format's words.
  const std::string& name() const noexcept { return label_.name; }
  const std::string& encoding() const noexcept { return label_.encoding; }

  // Values live in the arena or in the source. Throws Error(Corrupt) for an invalid value.
  virtual Values read(RowRange rows, Arena& arena, const Context& context) const = 0;
  virtual Values take(std::span<const uint64_t> rows, Arena& arena,
                      const Context& context) const = 0;

  // Takes the items of vectors of `slots` items each, of a column that holds the items of one
  // vector after the other: items row x slots up to (row + 1) x slots for each of `rows`.
  virtual Values take_vectors(std::span<const uint64_t> rows, uint64_t slots, Arena& arena,
                              const Context& context) const;

  // Reads `rows` in blocks, the first of `first_rows`, the others of `block_rows` but for the last:
  // calls use(rows, values, arena) for each, whose arena the next one reuses. Throws what read()
  // throws.
  using UseBlock = std::function<void(RowRange, const Values&, Arena&)>;
  virtual void read_blocks(RowRange rows, uint64_t first_rows, uint64_t block_rows,
                           const Context& context, const UseBlock& use) const;

  // Returns all of `rows` (at least one, at most 2^32 - 1) in the form that is cheapest to read
  // (columns/column_chunk.h): cells that are aligned and packed in memory are not copied. Throws
  // what read() throws, but does not check cells for datetimes outside the calendar.
  virtual ColumnChunk chunk(RowRange rows, Arena& arena, const Context& context) const;

  // The codes of `rows`, if the values are stored as codes and all of these are below the size of
  // the dictionary.
  virtual std::optional<ColumnCodes> codes(RowRange /*rows*/, Arena& /*arena*/,
                                           const Context& /*context*/) const {
    return std::nullopt;
  }

  // Adds the locations of the bytes that reading the rows needs, in rounds: in round 0 without
  // reading anything, in each next one from bytes of the round before (offsets, then characters). A
  // column that adds nothing in a round adds nothing in later ones. Leaves out damaged bytes, which
  // the reader reports. Throws Error: Io, Changed, Cancelled.
  virtual void locate(const RowsToRead& /*rows*/, unsigned /*round*/, Prefetch& /*bytes*/,
                      const Context& /*context*/) const {}

  // Prefetches the cells of the rows into the processor's caches; a hint.
  virtual void prefetch(std::span<const uint64_t> /*rows*/) const noexcept {}
  virtual std::optional<FlatCells> flat() const { return std::nullopt; }
  // This column if its rows are in blocks that are decoded, else null.
  virtual const BlockColumn* blocks() const noexcept { return nullptr; }
  // The values of the column's keys; null: it has no keys, or they have no values. Lives as long as
  // the column.
  virtual const KeyValues* key_values() const noexcept { return nullptr; }
  // The columns that a computed column reads; empty: the values are stored.
  virtual std::span<const Column* const> inputs() const noexcept { return {}; }
  // Bounds of the values of int64, and of 64-bit times, that are tighter than the type's.
  struct Bounds {
    int64_t low, high;
  };
  virtual std::optional<Bounds> bounds() const noexcept { return std::nullopt; }
  // Why the column cannot be read at all; null if it can. See UnreadableColumn.
  virtual const Error* unreadable() const noexcept { return nullptr; }
  // Throws that error: for callers that read nothing because nothing seems to be stored.
  void check_readable() const {
    if (const Error* error = unreadable()) throw *error;
  }

 protected:
  Column(Type type, uint64_t rows, ColumnLabel label)
      : type_(std::move(type)), rows_(rows), label_(std::move(label)) {}

 private:
  Type type_;
  uint64_t rows_;
  ColumnLabel label_;
};

using ColumnPtr = std::unique_ptr<const Column>;

}  // namespace heron::inline v0

// Tables with chosen cells, in memory: the engine's columns over bytes that a test makes, so that a
// test can have every type, null encoding and width, also those that no format here writes.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "columns/column.h"
#include "columns/row_layout.h"
#include "heron/file.h"
#include "heron/table.h"

namespace heron::inline v0 {

// Bytes without an address, which read() copies, as with pread; counts the calls.
class CopyingSource final : public ByteSource {
 public:
  CopyingSource(std::string name, std::vector<std::byte> bytes)
      : ByteSource(std::move(name), bytes.size(), nullptr), bytes_(std::move(bytes)) {}

  void read(uint64_t offset, std::span<std::byte> into, const Context&) const override {
    if (into.size() > size() || offset > size() - into.size()) {
      fail(ErrorKind::Io, name(), "the test's source was read behind its end");
    }
    if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
    ++reads_;
  }
  uint64_t reads() const noexcept { return reads_; }

 private:
  std::vector<std::byte> bytes_;
  mutable std::atomic<uint64_t> reads_{0};
};

// Returns a copy of the bytes as a source, with an address or without one.
std::shared_ptr<const ByteSource> made_source(std::string name, std::span<const std::byte> bytes,
                                              bool mapped);

// The range of a piece in the Pieces that it was added to.
struct Piece {
  uint64_t offset = 0;
  uint64_t bytes = 0;
  ByteView in(const ByteSource& source) const { return {&source, offset, bytes}; }
};

// Bytes put together piece by piece.
class Pieces {
 public:
  // Begins `shift` bytes behind a multiple of 16.
  template <class T>
  Piece add(const std::vector<T>& cells, uint64_t shift = 0) {
    return add_bytes(std::as_bytes(std::span(cells)), shift);
  }
  // Adds flags, one bit each.
  Piece add(const std::vector<bool>& flags, uint64_t shift = 0);

  // Returns a source that owns a copy of the bytes so far, with an address or without one.
  std::shared_ptr<const ByteSource> source(bool mapped) const;
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

 private:
  Piece add_bytes(std::span<const std::byte> bytes, uint64_t shift);

  std::vector<std::byte> bytes_;
};

class TableMaker {
 public:
  using Open = std::function<ColumnPtr(const ByteSource&, uint64_t rows, ColumnLabel)>;

  explicit TableMaker(uint64_t rows) : rows_(rows) {}

  Pieces pieces;
  uint64_t key_columns = 0;
  uint64_t block_rows = 0;
  std::vector<uint64_t> group_starts;  // first row of every group, and the end; empty: no groups
  std::optional<uint64_t> label_column;

  TableMaker& add(std::string name, Open open);

  // Adds one cell a row; `valid` makes the bitmap of the null encodings that need one.
  template <class T>
  TableMaker& fixed(std::string name, Type type, const std::vector<T>& cells,
                    NullEncoding nulls = NullEncoding::Never, const std::vector<bool>& valid = {}) {
    return fixed_at(std::move(name), std::move(type), pieces.add(cells), nulls, pieces.add(valid));
  }
  // Adds bools of one bit each, with a bitmap if `valid` is not empty.
  TableMaker& bits(std::string name, const std::vector<bool>& values,
                   const std::vector<bool>& valid = {});
  // Adds texts; nulls have a bit in their end offset. If `large`, offsets have 8 bytes.
  TableMaker& texts(std::string name, const std::vector<std::optional<std::string>>& texts,
                    bool large = false);
  // Adds lists of int32, row i having the items offsets[i] .. offsets[i + 1].
  TableMaker& lists(std::string name, const std::vector<uint32_t>& offsets,
                    const std::vector<int32_t>& items, const std::vector<bool>& valid = {});
  TableMaker& null(std::string name);
  // Adds all columns of the table, c0, c1 .., side by side in rows that begin `shift` bytes behind
  // a multiple of 16. `cells` are in the machine's byte order, row by row, bools as bytes.
  TableMaker& side_by_side(Type type, uint64_t columns, std::span<const std::byte> cells,
                           std::endian order, uint64_t shift);

  std::shared_ptr<const File> file(bool mapped = true) const;
  std::shared_ptr<const Table> table(bool mapped = true) const;
  // Makes the table over another source of pieces.bytes().
  std::shared_ptr<const Table> table(std::shared_ptr<const ByteSource> bytes) const;

 private:
  TableMaker& fixed_at(std::string name, Type type, Piece cells, NullEncoding nulls, Piece valid);

  uint64_t rows_;
  std::vector<std::pair<std::string, Open>> columns_;
  std::function<RowLayout(const ByteSource&)> row_layout_;
};

}  // namespace heron::inline v0

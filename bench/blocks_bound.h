// The least that the ops on blocks can cost on this machine: libdeflate, called directly, on
// exactly the blocks that a question needs, into memory that is used again, and plain loops over
// what comes out. Reads IDV files by itself, as Heron's writer makes them: one length of blocks for
// all columns, raw DEFLATE or none, all texts ASCII. Checks nothing. One thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plain.h"

struct libdeflate_decompressor;

namespace heron::bench {

// The columns that are measured: so many of the first floats, and a text behind them.
inline constexpr uint64_t kMostFloats = 10;

// What the file's contents tell of a column.
struct StoredColumn {
  std::string codec;
  bool deflated = false;
  const std::byte* lookup = nullptr;  // 16 bytes a block
};

struct StoredBlock {
  const std::byte* stored;
  uint32_t stored_bytes, bytes;  // before and after it is inflated
};

struct Contents {
  explicit Contents(const PlainMap& map);

  uint64_t rows = 0;
  uint64_t block_rows = 1;
  std::vector<StoredColumn> columns;
  const std::byte* base;

  uint64_t blocks() const { return (rows + block_rows - 1) / block_rows; }
  uint64_t rows_of(uint64_t block) const;
  StoredBlock block(uint64_t column, uint64_t block) const;
  // As it is to be used, of all blocks of a column.
  uint64_t decoded_bytes(uint64_t column) const;
};

// A block's texts: row i ends where the i-th of the numbers says.
struct TextBlock {
  const std::byte* ends;
  const char* characters;

  explicit TextBlock(const std::byte* block);
  std::string_view operator[](uint64_t i) const {
    const auto start = i == 0 ? 0 : load<uint32_t>(ends + (i - 1) * sizeof(uint32_t));
    return {characters + start, load<uint32_t>(ends + i * sizeof(uint32_t)) - start};
  }
};

// Blocks in memory that is used again: of each of the chosen columns the last one asked for.
class Inflater {
 public:
  // `columns` are numbers in the contents: floats and, last, a text.
  Inflater(const Contents& contents, std::vector<uint64_t> columns);
  ~Inflater();

  // Column i of the chosen ones; valid until its next block is asked for.
  const std::byte* block(uint64_t i, uint64_t block);

  const Contents& contents() const { return contents_; }
  uint64_t floats() const { return columns_.size() - 1; }

 private:
  struct Free {
    void operator()(libdeflate_decompressor* decompressor) const;
  };
  const Contents& contents_;
  std::vector<uint64_t> columns_;
  std::vector<std::vector<std::byte>> memory_;  // by chosen column
  std::unique_ptr<libdeflate_decompressor, Free> decompressor_;
};

struct BlocksRow {
  uint64_t floats = 0;
  float f[kMostFloats] = {};
  std::string_view text;
};

// Rows in the order they were asked for.
struct TakenRows {
  std::vector<float> f[kMostFloats];
  std::vector<uint32_t> text_offsets;
  std::vector<char> characters;

  std::vector<uint32_t> order;   // the rows' places, by block
  std::vector<char> by_block;    // texts in that order
  std::vector<uint32_t> starts;  // of each row's text in `by_block`

  uint64_t rows() const { return order.size(); }
};

struct BlocksTotals {
  double f[kMostFloats] = {};
  uint64_t texts_with_ab = 0;  // that start with "ab"
};

// Everything decoded beforehand.
struct DecodedRows {
  explicit DecodedRows(Inflater& inflater);

  uint64_t floats;
  std::vector<float> f[kMostFloats];
  std::vector<uint64_t> text_offsets = {0};
  std::vector<char> characters;
};

// A row by inflating its block of each column; the text is valid until the next.
void read_row(Inflater& inflater, uint64_t row, BlocksRow& out);
void read_row(const DecodedRows& rows, uint64_t row, BlocksRow& out);
// Each block that is needed is inflated once.
void take(Inflater& inflater, std::span<const uint64_t> rows, TakenRows& out);
BlocksTotals full_scan(Inflater& inflater);

// What is done with the values of a full scan is the same for both engines.
double add(const std::byte* floats, uint64_t count);
template <class Text>
uint64_t count_ab(uint64_t rows, const Text& text) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < rows; ++i) count += std::string_view(text(i)).starts_with("ab");
  return count;
}

}  // namespace heron::bench

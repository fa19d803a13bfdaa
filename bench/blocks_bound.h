// The lower bound of the ops on blocks on this machine: libdeflate, called directly, on exactly the
// blocks that a query needs, into reused memory, and plain loops over the result. Has its own
// reader of IDV files as Heron's writer makes them: equal blocks in all columns, raw DEFLATE or
// none, all texts ASCII. Checks nothing. One thread.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plain.h"

struct libdeflate_decompressor;

namespace heron::bench {

// The measured columns: up to this many of the first floats, and a text as the last.
inline constexpr uint64_t kMaxFloats = 10;

// A column as the file's contents describe it.
struct StoredColumn {
  std::string codec;
  bool deflated = false;
  const std::byte* lookup = nullptr;  // 16 bytes per block
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
  // Decoded bytes of all blocks of a column.
  uint64_t decoded_bytes(uint64_t column) const;
};

// A block's texts: row i ends at the i-th number of `ends`.
struct TextBlock {
  const std::byte* ends;
  const char* characters;

  explicit TextBlock(const std::byte* block);
  std::string_view operator[](uint64_t i) const {
    const auto start = i == 0 ? 0 : load<uint32_t>(ends + (i - 1) * sizeof(uint32_t));
    return {characters + start, load<uint32_t>(ends + i * sizeof(uint32_t)) - start};
  }
};

// Decompresses blocks into reused memory: keeps the last block of each chosen column.
class Inflater {
 public:
  // `columns` are numbers in the contents: floats and, last, a text.
  Inflater(const Contents& contents, std::vector<uint64_t> columns);
  ~Inflater();

  // Returns a block of the chosen column i; valid until the next block of that column.
  const std::byte* block(uint64_t i, uint64_t block);

  const Contents& contents() const { return contents_; }
  uint64_t floats() const { return columns_.size() - 1; }

 private:
  struct Free {
    void operator()(libdeflate_decompressor* decompressor) const;
  };
  const Contents& contents_;
  std::vector<uint64_t> columns_;
  std::vector<std::vector<std::byte>> memory_;  // the last block of each chosen column
  std::unique_ptr<libdeflate_decompressor, Free> decompressor_;
};

struct BlocksRow {
  uint64_t floats = 0;
  float f[kMaxFloats] = {};
  std::string_view text;
};

// Taken rows in the order requested.
struct TakenRows {
  std::vector<float> f[kMaxFloats];
  std::vector<uint32_t> text_offsets;
  std::vector<char> characters;

  std::vector<uint32_t> order;   // row indices, by block
  std::vector<char> by_block;    // texts in that order
  std::vector<uint32_t> starts;  // start of each row's text in `by_block`

  uint64_t rows() const { return order.size(); }
};

struct BlocksTotals {
  double f[kMaxFloats] = {};
  uint64_t texts_with_ab = 0;  // texts that start with "ab"
};

// The rows of the measured columns, all decoded before the measurement.
struct DecodedRows {
  explicit DecodedRows(Inflater& inflater);

  uint64_t floats;
  std::vector<float> f[kMaxFloats];
  std::vector<uint64_t> text_offsets = {0};
  std::vector<char> characters;
};

// Reads a row from its block of each column; the text is valid until the next call.
void read_row(Inflater& inflater, uint64_t row, BlocksRow& out);
void read_row(const DecodedRows& rows, uint64_t row, BlocksRow& out);
// Decompresses each needed block once.
void take(Inflater& inflater, std::span<const uint64_t> rows, TakenRows& out);
BlocksTotals full_scan(Inflater& inflater);

// Both engines use the same sums in a full scan.
double add(const std::byte* floats, uint64_t count);
template <class Text>
uint64_t count_ab(uint64_t rows, const Text& text) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < rows; ++i) count += std::string_view(text(i)).starts_with("ab");
  return count;
}

}  // namespace heron::bench

#include "blocks_bound.h"

#include <libdeflate.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace heron::bench {
namespace {

constexpr uint64_t kContentsOffset = 24, kRows = 40, kColumns = 48;  // offsets in the header
constexpr uint64_t kEntryBytes = 16;                                 // per block, in a lookup table

class Cursor {
 public:
  explicit Cursor(const std::byte* at) : at_(at) {}

  template <class T>
  T number() {
    const T value = load<T>(at_);
    at_ += sizeof(T);
    return value;
  }
  uint64_t leb128() {
    uint64_t value = 0;
    for (uint64_t shift = 0;; shift += 7) {
      const auto byte = number<uint8_t>();
      value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return value;
    }
  }
  std::string text() {
    const uint64_t bytes = leb128();
    return std::string(reinterpret_cast<const char*>(skip(bytes)), bytes);
  }
  const std::byte* skip(uint64_t bytes) { return std::exchange(at_, at_ + bytes); }
  const std::byte* at() const { return at_; }

 private:
  const std::byte* at_;
};

}  // namespace

Contents::Contents(const PlainMap& map) : base(map.base()) {
  rows = load<uint64_t>(base + kRows);
  columns.resize(load<uint32_t>(base + kColumns));
  Cursor cursor(base + load<uint64_t>(base + kContentsOffset));
  for (StoredColumn& column : columns) {
    cursor.skip(cursor.leb128());  // the name
    column.codec = cursor.text();
    cursor.skip(cursor.leb128());  // parameters
    column.deflated = cursor.number<uint8_t>() != 0;
    block_rows = cursor.leb128();
    column.lookup = base + cursor.number<uint64_t>();
    cursor.skip(sizeof(uint64_t));  // the offset of the metadata
  }
}

uint64_t Contents::rows_of(uint64_t block) const {
  return std::min(block_rows, rows - block * block_rows);
}

StoredBlock Contents::block(uint64_t column, uint64_t block) const {
  const std::byte* entry = columns[column].lookup + block * kEntryBytes;
  return {base + load<uint64_t>(entry), load<uint32_t>(entry + 8), load<uint32_t>(entry + 12)};
}

uint64_t Contents::decoded_bytes(uint64_t column) const {
  uint64_t bytes = 0;
  for (uint64_t k = 0; k < blocks(); ++k) bytes += block(column, k).bytes;
  return bytes;
}

TextBlock::TextBlock(const std::byte* block) {
  Cursor cursor(block);
  const auto count = cursor.number<uint32_t>();
  ends = cursor.skip(count * sizeof(uint32_t));
  cursor.leb128();  // the number of bytes
  characters = reinterpret_cast<const char*>(cursor.at());
}

Inflater::Inflater(const Contents& contents, std::vector<uint64_t> columns)
    : contents_(contents),
      columns_(std::move(columns)),
      memory_(columns_.size()),
      decompressor_(libdeflate_alloc_decompressor()) {
  for (uint64_t i = 0; i < columns_.size(); ++i) {
    uint64_t most = 0;
    for (uint64_t k = 0; k < contents_.blocks(); ++k) {
      most = std::max<uint64_t>(most, contents_.block(columns_[i], k).bytes);
    }
    memory_[i].resize(most);
  }
}

Inflater::~Inflater() = default;

void Inflater::Free::operator()(libdeflate_decompressor* decompressor) const {
  libdeflate_free_decompressor(decompressor);
}

const std::byte* Inflater::block(uint64_t i, uint64_t block) {
  const StoredBlock entry = contents_.block(columns_[i], block);
  if (!contents_.columns[columns_[i]].deflated) return entry.stored;
  libdeflate_deflate_decompress(decompressor_.get(), entry.stored, entry.stored_bytes,
                                memory_[i].data(), entry.bytes, nullptr);
  return memory_[i].data();
}

DecodedRows::DecodedRows(Inflater& inflater) : floats(inflater.floats()) {
  const Contents& contents = inflater.contents();
  for (uint64_t k = 0; k < contents.blocks(); ++k) {
    const uint64_t rows = contents.rows_of(k);
    for (uint64_t i = 0; i < floats; ++i) {
      const auto done = f[i].size();
      f[i].resize(done + rows);
      std::memcpy(f[i].data() + done, inflater.block(i, k), rows * sizeof(float));
    }
    const TextBlock texts(inflater.block(floats, k));
    for (uint64_t row = 0; row < rows; ++row) {
      characters.insert(characters.end(), texts[row].begin(), texts[row].end());
      text_offsets.push_back(characters.size());
    }
  }
}

void read_row(Inflater& inflater, uint64_t row, BlocksRow& out) {
  const uint64_t block = row / inflater.contents().block_rows;
  const uint64_t in_block = row % inflater.contents().block_rows;
  out.floats = inflater.floats();
  for (uint64_t i = 0; i < out.floats; ++i) {
    out.f[i] = load<float>(inflater.block(i, block) + in_block * sizeof(float));
  }
  out.text = TextBlock(inflater.block(out.floats, block))[in_block];
}

void read_row(const DecodedRows& rows, uint64_t row, BlocksRow& out) {
  out.floats = rows.floats;
  for (uint64_t i = 0; i < out.floats; ++i) out.f[i] = rows.f[i][row];
  const uint64_t start = rows.text_offsets[row];
  out.text = {rows.characters.data() + start, rows.text_offsets[row + 1] - start};
}

namespace {

// Calls visit(k, block, row) for each of the rows, by block: row k of `rows` is row `row` of the
// block.
template <class Visit>
void visit_rows(Inflater& inflater, uint64_t column, std::span<const uint64_t> rows,
                std::span<const uint32_t> order, Visit&& visit) {
  const uint64_t block_rows = inflater.contents().block_rows;
  uint64_t held = UINT64_MAX;
  const std::byte* block = nullptr;
  for (const uint32_t k : order) {
    if (rows[k] / block_rows != held) {
      held = rows[k] / block_rows;
      block = inflater.block(column, held);
    }
    visit(k, block, rows[k] % block_rows);
  }
}

void take_texts(Inflater& inflater, std::span<const uint64_t> rows, TakenRows& out) {
  out.starts.resize(rows.size());
  out.text_offsets.assign(rows.size() + 1, 0);
  out.by_block.clear();
  visit_rows(inflater, inflater.floats(), rows, out.order,
             [&](uint32_t k, const std::byte* block, uint64_t row) {
               const std::string_view text = TextBlock(block)[row];
               out.starts[k] = static_cast<uint32_t>(out.by_block.size());
               out.text_offsets[k + 1] = static_cast<uint32_t>(text.size());
               out.by_block.insert(out.by_block.end(), text.begin(), text.end());
             });
  out.characters.resize(out.by_block.size());
  for (uint64_t k = 0; k < rows.size(); ++k) {
    std::memcpy(out.characters.data() + out.text_offsets[k], out.by_block.data() + out.starts[k],
                out.text_offsets[k + 1]);
    out.text_offsets[k + 1] += out.text_offsets[k];
  }
}

}  // namespace

void take(Inflater& inflater, std::span<const uint64_t> rows, TakenRows& out) {
  out.order.resize(rows.size());
  std::iota(out.order.begin(), out.order.end(), 0);
  std::sort(out.order.begin(), out.order.end(),
            [&](uint32_t a, uint32_t b) { return rows[a] < rows[b]; });
  for (uint64_t i = 0; i < inflater.floats(); ++i) {
    out.f[i].resize(rows.size());
    visit_rows(inflater, i, rows, out.order, [&](uint32_t k, const std::byte* block, uint64_t row) {
      out.f[i][k] = load<float>(block + row * sizeof(float));
    });
  }
  take_texts(inflater, rows, out);
}

BlocksTotals full_scan(Inflater& inflater) {
  const Contents& contents = inflater.contents();
  BlocksTotals totals;
  for (uint64_t k = 0; k < contents.blocks(); ++k) {
    const uint64_t rows = contents.rows_of(k);
    for (uint64_t i = 0; i < inflater.floats(); ++i) {
      totals.f[i] += add(inflater.block(i, k), rows);
    }
    const TextBlock texts(inflater.block(inflater.floats(), k));
    totals.texts_with_ab += count_ab(rows, [&](uint64_t i) { return texts[i]; });
  }
  return totals;
}

double add(const std::byte* floats, uint64_t count) {
  constexpr uint64_t kLanes = 32;
  double lanes[kLanes] = {};
  uint64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    for (uint64_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] += static_cast<double>(load<float>(floats + (i + lane) * sizeof(float)));
    }
  }
  double total = 0;
  for (; i < count; ++i) total += static_cast<double>(load<float>(floats + i * sizeof(float)));
  for (const double lane : lanes) total += lane;
  return total;
}

}  // namespace heron::bench

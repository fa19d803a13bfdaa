// The saved result is words of 8 little-endian bytes: a mark, the file's size, the separator, rows,
// rows per block, the number of columns and of blocks; then for each column its facts, and for each
// block its offset.
#include "csv/saved.h"

#include <bit>
#include <cstring>

#include "bytes/on_disk.h"

namespace heron::inline v0::csv {
namespace {

constexpr uint64_t kMark = 0x3273776F72767363;  // "csvrows2"

class Words {
 public:
  explicit Words(std::span<const std::byte> bytes) : bytes_(bytes) {}

  uint64_t count() const noexcept { return bytes_.size() / sizeof(u64le); }
  uint64_t next() {
    const uint64_t word = load<u64le>(bytes_.data());
    bytes_ = bytes_.subspan(sizeof(u64le));
    return word;
  }

 private:
  std::span<const std::byte> bytes_;
};

void put(std::vector<std::byte>& bytes, uint64_t word) {
  const u64le stored = word;
  const auto added = std::as_bytes(std::span(&stored, 1));
  bytes.insert(bytes.end(), added.begin(), added.end());
}

// A column's facts are the bits of the types that hold its values, and above them a bit for each
// other fact.
constexpr unsigned kFactBits = 16;

uint64_t word_of(const ColumnFacts& facts) {
  const uint64_t bits =
      uint64_t{facts.has_nulls} | uint64_t{facts.has_plain} << 1 | uint64_t{facts.has_quoted} << 2;
  return bits << kFactBits | facts.held;
}

std::optional<ColumnFacts> facts_of(uint64_t word) {
  const uint64_t bits = word >> kFactBits;
  ColumnFacts facts;
  facts.held = static_cast<uint16_t>(word);
  facts.has_nulls = (bits & 1) != 0;
  facts.has_plain = (bits & 2) != 0;
  facts.has_quoted = (bits & 4) != 0;
  if (bits > 7 || !facts.are_possible()) return std::nullopt;
  return facts;
}

bool are_offsets(const RowIndex& rows, uint64_t file_bytes) {
  if (!std::has_single_bit(rows.block_rows) || rows.block_rows > RowIndex::kMaxBlockRows) {
    return false;
  }
  const uint64_t blocks = rows.rows / rows.block_rows + (rows.rows % rows.block_rows != 0);
  if (blocks != rows.offsets.size()) return false;
  for (uint64_t i = 0; i < blocks; ++i) {
    if (rows.offsets[i] >= file_bytes) return false;
    if (i > 0 && rows.offsets[i] <= rows.offsets[i - 1]) return false;
  }
  return true;
}

}  // namespace

std::vector<std::byte> save(const Found& found, uint64_t file_bytes) {
  std::vector<std::byte> bytes;
  const uint64_t head[] = {kMark,
                           file_bytes,
                           static_cast<unsigned char>(found.separator),
                           found.rows.rows,
                           found.rows.block_rows,
                           found.columns.size(),
                           found.rows.offsets.size()};
  for (const uint64_t word : head) put(bytes, word);
  for (const ColumnFacts& facts : found.columns) put(bytes, word_of(facts));
  for (const uint64_t offset : found.rows.offsets) put(bytes, offset);
  return bytes;
}

std::optional<Found> load_saved(std::span<const std::byte> bytes, uint64_t file_bytes) {
  constexpr uint64_t kHeadWords = 7;
  Words words(bytes);
  if (bytes.size() % sizeof(u64le) != 0 || words.count() < kHeadWords) return std::nullopt;
  if (words.next() != kMark || words.next() != file_bytes) return std::nullopt;
  const uint64_t separator = words.next();
  if (separator == 0 || separator > 0xFF) return std::nullopt;
  Found found;
  found.separator = static_cast<char>(separator);
  found.rows.rows = words.next();
  found.rows.block_rows = words.next();
  found.rows.end = file_bytes;
  const uint64_t columns = words.next();
  const uint64_t blocks = words.next();
  if (columns > words.count() || blocks != words.count() - columns) return std::nullopt;
  for (uint64_t i = 0; i < columns; ++i) {
    const auto facts = facts_of(words.next());
    if (!facts) return std::nullopt;
    found.columns.push_back(*facts);
  }
  found.rows.offsets.resize(blocks);
  for (uint64_t& offset : found.rows.offsets) offset = words.next();
  if (!are_offsets(found.rows, file_bytes)) return std::nullopt;
  return found;
}

}  // namespace heron::inline v0::csv

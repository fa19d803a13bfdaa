// Words of 8 little-endian bytes: a mark, the file's size, the facts, rows per block, the end of
// the rows, and for each block its offset and its number of features.
#include "svmlight/saved.h"

#include <bit>

#include "bytes/on_disk.h"
#include "svmlight/line.h"

namespace heron::inline v0::svmlight {
namespace {

constexpr uint64_t kMark = 0x31736D7673776F72;  // "rowssvm1"
constexpr uint64_t kHeadWords = 11;
constexpr uint64_t kQueries = 1, kComments = 2, kWhole = 4;

uint64_t flags_of(const Facts& facts) {
  return (facts.has_queries ? kQueries : 0) | (facts.has_comments ? kComments : 0) |
         (facts.has_whole_labels ? kWhole : 0);
}

bool are_blocks(const RowIndex& index, uint64_t file_bytes) {
  if (!std::has_single_bit(index.block_rows) || index.block_rows > RowIndex::kMaxBlockRows) {
    return false;
  }
  const uint64_t rows = index.facts.rows;
  const uint64_t blocks = rows / index.block_rows + (rows % index.block_rows != 0);
  if (blocks != index.offsets.size() || index.end != file_bytes) return false;
  if (blocks != 0 && index.offsets.front() != 0) return false;
  for (uint64_t i = 0; i < blocks; ++i) {
    // A feature takes three bytes of the text.
    if (index.end_of(i) <= index.offsets[i] || index.end_of(i) > file_bytes) return false;
    if (index.pairs[i] > (index.end_of(i) - index.offsets[i]) / 3) return false;
  }
  return true;
}

}  // namespace

std::vector<std::byte> save(const RowIndex& index, uint64_t file_bytes) {
  std::vector<std::byte> bytes;
  const auto put = [&](uint64_t word) {
    const u64le stored = word;
    const auto added = std::as_bytes(std::span(&stored, 1));
    bytes.insert(bytes.end(), added.begin(), added.end());
  };
  const Facts& facts = index.facts;
  for (const uint64_t word :
       {kMark, file_bytes, facts.rows, facts.groups, flags_of(facts),
        static_cast<uint64_t>(facts.min_label), static_cast<uint64_t>(facts.max_label),
        uint64_t{facts.min_index}, uint64_t{facts.max_index}, index.block_rows, index.end}) {
    put(word);
  }
  for (uint64_t i = 0; i < index.offsets.size(); ++i) {
    put(index.offsets[i]);
    put(index.pairs[i]);
  }
  return bytes;
}

std::optional<RowIndex> load_saved(std::span<const std::byte> bytes, uint64_t file_bytes) {
  const uint64_t words = bytes.size() / sizeof(u64le);
  if (bytes.size() % sizeof(u64le) != 0 || words < kHeadWords || (words - kHeadWords) % 2 != 0) {
    return std::nullopt;
  }
  const auto word = [&](uint64_t i) { return load<u64le>(bytes.data() + i * sizeof(u64le)); };
  if (word(0) != kMark || word(1) != file_bytes) return std::nullopt;
  const bool has_features = word(7) <= word(8);
  if (word(4) > (kQueries | kComments | kWhole) || word(7) > UINT32_MAX ||
      word(8) > (has_features ? kMaxIndex : 0)) {
    return std::nullopt;
  }
  RowIndex index;
  index.facts = {.rows = word(2),
                 .groups = word(3),
                 .has_queries = (word(4) & kQueries) != 0,
                 .has_comments = (word(4) & kComments) != 0,
                 .has_whole_labels = (word(4) & kWhole) != 0,
                 .min_label = static_cast<int64_t>(word(5)),
                 .max_label = static_cast<int64_t>(word(6)),
                 .min_index = static_cast<uint32_t>(word(7)),
                 .max_index = static_cast<uint32_t>(word(8))};
  index.block_rows = word(9);
  index.end = word(10);
  for (uint64_t i = kHeadWords; i < words; i += 2) {
    index.offsets.push_back(word(i));
    index.pairs.push_back(word(i + 1));
  }
  if (index.facts.groups > index.facts.rows || !are_blocks(index, file_bytes)) return std::nullopt;
  return index;
}

}  // namespace heron::inline v0::svmlight

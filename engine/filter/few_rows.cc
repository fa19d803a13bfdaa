#include "filter/few_rows.h"

#include "columns/row_bits.h"
#include "readahead/readahead.h"
#include "table/internals.h"
#include "values/values_bytes.h"

namespace heron::inline v0 {
namespace {

// Taking one row in 64 costs less than reading all, in memory, too.
constexpr uint64_t kSparseRatio = 64;

bool stores_values(const FilterFragment::Leaf& leaf) {
  if (leaf.has_codes() || leaf.column->blocks() != nullptr) return false;
  const auto flat = leaf.column->flat();
  return flat && flat->kind != FlatCells::Kind::Null && flat->dictionary == nullptr;
}

}  // namespace

std::optional<FewRows> filter_few(const FilterFragment::Leaf& leaf, const Table& table,
                                  RowRange rows, uint64_t first, std::vector<uint64_t>& bits,
                                  Arena& arena, const Context& context, const Readahead* ahead) {
  if (!stores_values(leaf)) return std::nullopt;
  std::vector<uint64_t> words;
  extract_bits(bits, rows.first - first, rows.last - first, words);
  const uint64_t count = count_bits(words);
  if (count == 0) return FewRows{};
  if (count == rows.rows()) return std::nullopt;
  std::vector<uint64_t> few;
  if (count * kSparseRatio <= rows.rows()) append_set_bits(words, rows.first, count, few);
  RowsAhead pages({bytes_of(table), {&leaf.column, 1}}, {few, rows}, context, {ahead});
  pages.before(0);
  if (few.empty()) return std::nullopt;
  context.check_cancelled();
  arena.reset();
  ColumnChunk chunk;
  chunk.rows = {0, count};
  chunk.values = leaf.column->take(few, arena, context);
  set_first_bits(words, count);
  leaf.predicate->filter(chunk, words.data(), context);
  for (uint64_t i = 0; i < count; ++i) {
    const bool passes = ((words[i / 64] >> (i % 64)) & 1) != 0;
    if (!passes) clear_bits(bits, few[i] - first, few[i] - first + 1);
  }
  return FewRows{count, bytes_of(chunk.values)};
}

}  // namespace heron::inline v0

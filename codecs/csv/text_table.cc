#include "csv/text_table.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/memory_rule.h"
#include "cache/block_column.h"
#include "columns/null_column.h"

namespace heron::inline v0::csv {
namespace {

std::vector<uint64_t> in_order(uint64_t columns) {
  std::vector<uint64_t> indices(columns);
  std::iota(indices.begin(), indices.end(), uint64_t{0});
  return indices;
}

// Returns how many columns of all rows fit into half of the cache.
uint64_t columns_ahead(const TextBlocks& texts, uint64_t columns, uint64_t cache_bytes) {
  const uint64_t column_bytes = std::max(8 * texts.index().rows, texts.source().size() / columns);
  return cache_bytes / 2 / std::max<uint64_t>(column_bytes, 1);
}

}  // namespace

TextTable::TextTable(TextFile text, const CsvOptions& csv, const OpenOptions& options,
                     const Context& context)
    : names_(std::move(text.file.names)),
      schema_(std::move(text.schema)),
      indices_(in_order(names_.size())),
      facts_(std::move(text.found.columns)),
      has_plain_names_(text.file.has_plain_names),
      rules_(std::make_shared<const FieldRules>(csv)),
      kept_(std::move(text.kept)) {
  // Gives texts a share of the cache that holds all columns of a few thousand rows.
  constexpr uint64_t kTextShare = 4;
  const uint64_t memory_bytes = memory_for(text.file.source->size());
  const uint64_t cache_bytes = std::min(options.cache_bytes, memory_bytes);
  const auto memory =
      context.memory != nullptr ? context.memory : std::make_shared<MemoryBudget>(memory_bytes);
  cache_ = std::make_shared<BlockCache>(cache_bytes - cache_bytes / kTextShare, memory);
  texts_ = std::make_shared<const TextBlocks>(std::move(text.file.source),
                                              std::move(text.found.rows), text.rules, names_.size(),
                                              cache_bytes / kTextShare, memory);
  columns_ = std::make_shared<const OpenColumns>(
      names_.size(), columns_ahead(*texts_, names_.size(), cache_bytes));
}

TextTable::TextTable(const TextTable& other, Schema schema, std::vector<uint64_t> indices)
    : names_(other.names_),
      schema_(std::move(schema)),
      indices_(std::move(indices)),
      facts_(other.facts_),
      has_plain_names_(other.has_plain_names_),
      rules_(other.rules_),
      cache_(other.cache_),
      texts_(other.texts_),
      kept_(other.kept_) {
  columns_ = std::make_shared<const OpenColumns>(
      names_.size(), columns_ahead(*texts_, names_.size(), cache_->limit_bytes()));
}

FileFacts TextTable::facts(const std::vector<uint64_t>& indices) const {
  FileFacts facts{texts_->source().name(), {}, has_plain_names_};
  for (const uint64_t index : indices) facts.columns.push_back(facts_[index]);
  return facts;
}

ColumnPtr TextTable::open_column(uint64_t column, const std::string& name) const {
  const RowIndex& index = texts_->index();
  const Field& field = schema_[column];
  const uint64_t field_index = indices_[column];
  ColumnLabel label{name, "field"};
  if (field.type.is(Type::Null)) {
    return std::make_unique<NullColumn>(index.rows, std::move(label));
  }
  auto opened = std::make_unique<BlockColumn>(
      field.type, index.rows, std::move(label), index.block_rows, field.nullable,
      std::make_shared<const FieldBlocks>(texts_, field_index, name, field.type, field.nullable,
                                          rules_, columns_, kept_),
      cache_);
  columns_->add(field_index, opened.get());
  return opened;
}

}  // namespace heron::inline v0::csv

// The table of one text file.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cache/block_cache.h"
#include "csv/csv_file.h"
#include "csv/field_blocks.h"
#include "csv/kept_values.h"
#include "csv/saved.h"
#include "csv/text_blocks.h"
#include "csv/unify.h"
#include "format/table_source.h"
#include "heron/dataset.h"

namespace heron::inline v0::csv {

// What a pass over a file found, or a sidecar has saved.
struct TextFile {
  CsvFile file;
  RecordRules rules;
  Found found;
  Schema schema;        // of its columns, in their order
  bool is_cut = false;  // only the beginning was read
  std::shared_ptr<KeptValues> kept;  // null: none
};

class TextTable final : public TableSource {
 public:
  TextTable(TextFile file, const OpenOptions& options, const Context& context);
  // Has the rows of another table as other columns: `places` says which field each is.
  TextTable(const TextTable& other, Schema schema, std::vector<uint64_t> places);

  const std::shared_ptr<BlockCache>& cache() const noexcept { return cache_; }
  const std::shared_ptr<const TextBlocks>& texts() const noexcept { return texts_; }
  const std::vector<std::string>& names() const noexcept { return names_; }
  const Schema& schema() const noexcept { return schema_; }
  // In the order of those fields.
  FileFacts facts(const std::vector<uint64_t>& places) const;

  uint64_t column_count() const noexcept override { return places_.size(); }
  std::string stored_name(uint64_t column) const override { return names_[places_[column]]; }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override;
  uint64_t block_rows() const noexcept override { return texts_->index().block_rows; }
  bool stores_rows() const noexcept override { return true; }

 private:
  const std::vector<std::string> names_;  // of the fields, as the header has them
  const Schema schema_;
  const std::vector<uint64_t> places_;
  const std::vector<ColumnFacts> facts_;  // of the fields
  const bool has_plain_names_;
  const std::shared_ptr<const FieldRules> rules_;
  std::shared_ptr<const OpenColumns> columns_;
  std::shared_ptr<BlockCache> cache_;
  std::shared_ptr<const TextBlocks> texts_;
  std::shared_ptr<KeptValues> kept_;  // thread-safe
};

}  // namespace heron::inline v0::csv

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
#include "heron/file.h"

namespace heron::inline v0::csv {

// The result of a pass over a file, or of a sidecar.
struct TextFile {
  CsvFile file;
  RecordRules rules;
  Found found;
  Schema schema;                     // schema of the file's columns, in file order
  bool is_cut = false;               // the pass read only the beginning
  std::shared_ptr<KeptValues> kept;  // null: no kept values
};

class TextTable final : public TableSource {
 public:
  TextTable(TextFile file, const CsvOptions& csv, const OpenOptions& options,
            const Context& context);
  // Shares the rows of another table as other columns: `indices` has the field index of each.
  TextTable(const TextTable& other, Schema schema, std::vector<uint64_t> indices);

  const std::shared_ptr<BlockCache>& cache() const noexcept { return cache_; }
  const std::shared_ptr<const TextBlocks>& texts() const noexcept { return texts_; }
  const std::vector<std::string>& names() const noexcept { return names_; }
  const Schema& schema() const noexcept { return schema_; }
  // Returns the facts of the fields with these indices, in the order of `indices`.
  FileFacts facts(const std::vector<uint64_t>& indices) const;

  uint64_t column_count() const noexcept override { return indices_.size(); }
  std::string stored_name(uint64_t column) const override { return names_[indices_[column]]; }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override;
  uint64_t block_rows() const noexcept override { return texts_->index().block_rows; }
  bool stores_rows() const noexcept override { return true; }

 private:
  const std::vector<std::string> names_;  // names of the fields in the header
  const Schema schema_;
  const std::vector<uint64_t> indices_;
  const std::vector<ColumnFacts> facts_;  // facts of the fields
  const bool has_plain_names_;
  const std::shared_ptr<const FieldRules> rules_;
  std::shared_ptr<const OpenColumns> columns_;
  std::shared_ptr<BlockCache> cache_;
  std::shared_ptr<const TextBlocks> texts_;
  std::shared_ptr<KeptValues> kept_;  // thread-safe
};

}  // namespace heron::inline v0::csv

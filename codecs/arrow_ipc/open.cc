#include <algorithm>

#include "arrow/export_schema.h"
#include "arrow_ipc/arrow_ipc.h"
#include "arrow_ipc/layout.h"
#include "arrow_ipc/part.h"
#include "base/fail.h"
#include "base/memory_rule.h"
#include "cache/block_column.h"
#include "columns/null_column.h"
#include "format/contents.h"
#include "format/metadata_bytes.h"
#include "format/table_source.h"

namespace heron::inline v0::arrow_ipc {
namespace {

std::string_view codec_name(BodyCodec codec) noexcept {
  switch (codec) {
    case BodyCodec::None: return "";
    case BodyCodec::Lz4: return " lz4";
    case BodyCodec::Zstd: return " zstd";
    case BodyCodec::Unknown: break;
  }
  return " unknown compression";
}

// Returns the pairs of texts that are stored with a field or the schema, which may share long ones.
template <class Described>
std::vector<std::pair<std::string, std::string>> custom_metadata(const ByteSource& file,
                                                                 const Described& described,
                                                                 std::string_view what) {
  std::vector<std::pair<std::string, std::string>> texts;
  if (described.custom_metadata() == nullptr) return texts;
  uint64_t left = most_metadata_bytes(file.size());
  for (const arrow_fbs::KeyValue* pair : *described.custom_metadata()) {
    if (pair->key() == nullptr) continue;
    const uint64_t value_bytes = pair->value() == nullptr ? 0 : pair->value()->size();
    const uint64_t bytes = pair->key()->size() + value_bytes + sizeof(Metadata);
    if (bytes > left) {
      fail(ErrorKind::Limit, file.name(), what, ": its metadata takes more than ",
           most_metadata_bytes(file.size()), " bytes");
    }
    left -= bytes;
    texts.emplace_back(pair->key()->str(), value_bytes == 0 ? "" : pair->value()->str());
  }
  return texts;
}

std::string joined_name(const Leaf& leaf) {
  std::string name;
  for (const StoredField* parent : leaf.parents) name.append(parent->name).append(1, '.');
  return name.append(leaf.field->name);
}

class BatchTable final : public TableSource {
 public:
  BatchTable(const ByteSource& file, const OpenOptions& options, const Context& context)
      : file_(file),
        contents_(std::make_shared<const Contents>(read_contents(file, context))),
        max_decode_(options.max_decode),
        dictionaries_(std::make_shared<const Dictionaries>(file, contents_, max_decode_)),
        memory_(context.memory),
        cache_(std::make_shared<BlockCache>(
            std::min(options.cache_bytes, memory_for(file.size())),
            memory_ != nullptr ? memory_
                               : std::make_shared<MemoryBudget>(memory_for(file.size())))) {
    const auto& batches = contents_->batches;
    if (batches.empty()) return;
    const uint64_t rows = batches.front().rows;
    const bool is_even = batches.back().rows <= rows &&
                         std::all_of(batches.begin(), batches.end() - 1,
                                     [rows](const Batch& batch) { return batch.rows == rows; });
    if (is_even) block_rows_ = rows;
  }

  const Contents& contents() const noexcept { return *contents_; }
  const std::shared_ptr<BlockCache>& cache() const noexcept { return cache_; }
  uint64_t rows() const noexcept { return contents_->rows->starts().back(); }

  uint64_t column_count() const noexcept override { return contents_->fields.leaves.size(); }
  std::string stored_name(uint64_t column) const override { return joined_name(leaf(column)); }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override;
  std::vector<Metadata> metadata(uint64_t column) const override;
  // 0: batches differ in their rows, or there is one.
  uint64_t block_rows() const noexcept override {
    return contents_->batches.size() > 1 ? block_rows_ : 0;
  }

 private:
  const Leaf& leaf(uint64_t column) const { return contents_->fields.leaves[column]; }
  ColumnLabel label_of(const Leaf& leaf, const std::string& name) const {
    const auto& batches = contents_->batches;
    const BodyCodec codec = batches.empty() ? BodyCodec::None : batches.front().codec;
    return {name, concat(leaf.field->words, codec_name(codec))};
  }
  bool has_nulls(const StoredField& field) const { return contents_->has_nulls[field.node] != 0; }
  // Returns whether a row can be null by the field itself, or by the values that it refers to.
  bool is_nullable(const StoredField& field, const std::string& name) const {
    return has_nulls(field) ||
           (field.dictionary && dictionaries_->has_nulls(field, name, own_context())) ||
           (field.layout == Layout::RunEnds && is_nullable(field.children[1], name));
  }
  ColumnPtr make(const Leaf& leaf, const ColumnLabel& label) const;
  ColumnPtr make_in_place(const Leaf& leaf, const ColumnLabel& label) const;
  Context own_context() const {
    Context context;
    context.memory = memory_;
    return context;
  }

  const ByteSource& file_;
  const std::shared_ptr<const Contents> contents_;
  const uint64_t max_decode_;
  const std::shared_ptr<const Dictionaries> dictionaries_;
  const std::shared_ptr<MemoryBudget> memory_;
  const std::shared_ptr<BlockCache> cache_;
  uint64_t block_rows_ = 0;
};

ColumnPtr BatchTable::open_column(uint64_t column, const std::string& name) const {
  const ColumnLabel label = label_of(leaf(column), name);
  try {
    return make(leaf(column), label);
  } catch (const Error& error) {
    return std::make_unique<UnreadableColumn>(leaf(column).field->type, rows(), label, error);
  }
}

ColumnPtr BatchTable::make(const Leaf& leaf, const ColumnLabel& label) const {
  const StoredField& field = *leaf.field;
  check_readable(field, file_.name(), label.name);
  if (field.layout == Layout::Null) return std::make_unique<NullColumn>(rows(), label);
  const bool parents_have_nulls =
      std::any_of(leaf.parents.begin(), leaf.parents.end(),
                  [&](const StoredField* parent) { return has_nulls(*parent); });
  const auto& batches = contents_->batches;
  const bool is_one = batches.size() <= 1;
  if (is_one && !parents_have_nulls && (batches.empty() || batches[0].codec == BodyCodec::None)) {
    return make_in_place(leaf, label);
  }
  if (parents_have_nulls && field.layout == Layout::RunEnds) {
    fail(ErrorKind::Unsupported, file_.name(), "column \"", label.name,
         "\": run ends in a struct that is null in some rows");
  }
  const bool nullable = parents_have_nulls || is_nullable(field, label.name);
  auto blocks = std::make_shared<const BatchBlocks>(file_, contents_, leaf, label, dictionaries_,
                                                    nullable, max_decode_);
  if (block_rows_ != 0) {
    return std::make_unique<BlockColumn>(field.type, rows(), label, block_rows_, nullable,
                                         std::move(blocks), cache_,
                                         dictionaries_->key_values(field));
  }
  return std::make_unique<BlockColumn>(field.type, rows(), label, contents_->rows, nullable,
                                       std::move(blocks), cache_, dictionaries_->key_values(field));
}

// Makes the column of the only batch, or of none.
ColumnPtr BatchTable::make_in_place(const Leaf& leaf, const ColumnLabel& label) const {
  const StoredField& field = *leaf.field;
  const Context context = own_context();
  const BatchPosition position{file_.name(), label.name, "batch 0"};
  if (contents_->batches.empty()) return make_empty(field.type, label, file_);
  const Batch& batch = contents_->batches[0];
  const BatchReader reader(file_, batch, contents_->views, position, context);
  const Node node = reader.node(field);
  if (node.rows != batch.rows) {
    position.corrupt("expected ", batch.rows, " rows, as the batch has, got ", node.rows);
  }
  const FieldBuffers buffers(reader, field, false, max_decode_);
  return PartMaker(reader, buffers, dictionaries_.get(), 0).make(field, batch.rows, label);
}

// The texts that the schema stores with a field.
std::vector<Metadata> BatchTable::metadata(uint64_t column) const {
  std::vector<Metadata> metadata;
  const arrow_fbs::Field& stored = *leaf(column).field->stored;
  for (auto& [name, text] : custom_metadata(file_, stored, concat("column ", column))) {
    if (name == arrow::kTypeEntry) continue;  // the type tells
    metadata.emplace_back(std::move(name), std::move(text));
  }
  return metadata;
}

}  // namespace

Match probe(std::span<const std::byte> head, uint64_t file_bytes) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  if (text.starts_with(kMagic) || text.starts_with(kFeather1)) return Match::Yes;
  return is_like_stream(head, file_bytes) ? Match::Maybe : Match::No;
}

std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                 const OpenOptions& options, std::span<const std::byte>,
                                 const Context& context) {
  auto table = std::make_unique<const BatchTable>(*bytes, options, context);
  const Contents& contents = table->contents();
  FileContents parts;
  parts.format = "arrow";
  parts.header = {{"layout", contents.is_stream ? "stream" : "file"},
                  {"metadata_version", concat(static_cast<int>(contents.version) + 1)},
                  {"fields", concat(contents.fields.fields.size())},
                  {"record_batches", concat(contents.batches.size())},
                  {"dictionaries", concat(contents.dictionaries.size())}};
  for (auto& pair : custom_metadata(*bytes, *contents.schema, "schema")) {
    parts.header.push_back(std::move(pair));
  }
  parts.counters = [cache = table->cache()] {
    return std::vector<Counter>{{"blocks_decoded", cache->decoded_blocks()}};
  };
  const uint64_t rows = table->rows();
  parts.tables.push_back(
      std::make_shared<const Table>(TableContents{"data", rows, bytes, std::move(table)}));
  bytes->check_recently();
  parts.bytes = std::move(bytes);
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace heron::inline v0::arrow_ipc

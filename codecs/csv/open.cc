#include <algorithm>
#include <cctype>

#include "base/memory_rule.h"
#include "cache/block_column.h"
#include "columns/null_column.h"
#include "csv/csv.h"
#include "csv/encoding.h"
#include "csv/field_blocks.h"
#include "csv/saved.h"
#include "dataset/internals.h"
#include "dataset/table_source.h"
#include "files/foreign_format.h"

namespace heron::inline v0::csv {
namespace {

// Types and index are the result of a pass over the file, which may have been saved.
struct TextFile {
  std::shared_ptr<const ByteSource> source;  // as UTF-8
  std::vector<std::string> names;
  Found found;
};

TextFile go_through(std::shared_ptr<const ByteSource> source, const CsvOptions& options,
                    const Context& context) {
  RowIndexBuilder builder;
  const CsvFiles files({source}, options, 1, &builder, context);
  TextFile file;
  file.names = files.files().front().names;
  file.found = {files.separator(), files.schema(), builder.finish(source->size())};
  file.source = std::move(source);
  return file;
}

// nullopt unless it is of this file.
std::optional<TextFile> from_saved(const std::shared_ptr<const ByteSource>& source,
                                   std::span<const std::byte> saved, const Context& context) {
  auto found = load_saved(saved, source->size());
  if (!found) return std::nullopt;
  CsvFile file = open_csv(source, found->separator, true, true, context);
  const auto& offsets = found->rows.offsets;
  if (file.columns != found->schema.size()) return std::nullopt;
  if (!offsets.empty() && offsets.front() < file.rows_offset) return std::nullopt;
  return TextFile{source, std::move(file.names), *std::move(found)};
}

// `bytes` themselves are the text, and the result does not depend on options.
bool may_be_saved(const ByteSource& bytes, const ByteSource& source, const OpenOptions& options) {
  return &bytes == &source && options.csv == CsvOptions{};
}

TextFile read_file(const std::shared_ptr<const ByteSource>& bytes, const OpenOptions& options,
                   std::span<const std::byte> saved, const Context& context) {
  const CsvOptions& text = options.csv;
  auto source = open_text(bytes, text.encoding, context);
  if (!saved.empty() && may_be_saved(*bytes, *source, options)) {
    if (auto file = from_saved(source, saved, context)) return *std::move(file);
    if (context.note) {
      context.note(concat(bytes->name(), ": the saved row index does not fit; found anew"));
    }
  }
  bytes->check_whole_read();
  return go_through(std::move(source), text, context);
}

class TextTable final : public TableSource {
 public:
  TextTable(TextFile file, const OpenOptions& options, const Context& context)
      : names_(std::move(file.names)),
        schema_(std::move(file.found.schema)),
        nulls_(std::make_shared<const NullWords>(options.csv.null_words)) {
    // The texts get a share of the cache: all columns of a few thousand rows.
    constexpr uint64_t kTextShare = 4;
    const uint64_t memory_bytes = memory_for(file.source->size());
    const uint64_t cache_bytes = std::min(options.cache_bytes, memory_bytes);
    const auto memory =
        context.memory != nullptr ? context.memory : std::make_shared<MemoryBudget>(memory_bytes);
    const uint64_t rows = file.found.rows.rows;
    const uint64_t column_bytes = std::max(8 * rows, file.source->size() / names_.size());
    columns_ = std::make_shared<const OpenColumns>(
        names_.size(), cache_bytes / 2 / std::max<uint64_t>(column_bytes, 1));
    cache_ = std::make_shared<BlockCache>(cache_bytes - cache_bytes / kTextShare, memory);
    texts_ = std::make_shared<const TextBlocks>(std::move(file.source), std::move(file.found.rows),
                                                file.found.separator, names_.size(),
                                                cache_bytes / kTextShare, memory);
  }

  const std::shared_ptr<BlockCache>& cache() const noexcept { return cache_; }
  const std::shared_ptr<const TextBlocks>& texts() const noexcept { return texts_; }

  uint64_t column_count() const noexcept override { return names_.size(); }
  std::string stored_name(uint64_t column) const override { return names_[column]; }
  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    const RowIndex& index = texts_->index();
    const Field& field = schema_[column];
    ColumnLabel label{name, "field"};
    if (field.type.is(Type::Null)) {
      return std::make_unique<NullColumn>(index.rows, std::move(label));
    }
    auto opened = std::make_unique<BlockColumn>(
        field.type, index.rows, std::move(label), index.block_rows, field.nullable,
        std::make_shared<const FieldBlocks>(texts_, column, name, field.type, field.nullable,
                                            nulls_, columns_),
        cache_);
    columns_->add(column, opened.get());
    return opened;
  }
  uint64_t block_rows() const noexcept override { return texts_->index().block_rows; }

 private:
  const std::vector<std::string> names_;
  const Schema schema_;
  const std::shared_ptr<const NullWords> nulls_;
  std::shared_ptr<const OpenColumns> columns_;
  std::shared_ptr<BlockCache> cache_;
  std::shared_ptr<const TextBlocks> texts_;
};

std::string shown_separator(char separator) {
  return separator == '\t' ? "tab" : std::string(1, separator);
}

std::string_view encoding_name(CsvEncoding encoding, bool recoded) {
  switch (encoding) {
    case CsvEncoding::Latin1: return "latin1";
    case CsvEncoding::Windows1252: return "windows-1252";
    case CsvEncoding::Bytes: return "bytes";
    default: return recoded ? "utf-16" : "utf-8";
  }
}

bool ends_as_text_table(std::string_view name) {
  constexpr size_t kEnding = 4;
  if (name.size() < kEnding) return false;
  std::string ending(name.substr(name.size() - kEnding));
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending == ".csv" || ending == ".tsv";
}

}  // namespace

Match probe(std::span<const std::byte>, uint64_t) noexcept {
  return Match::No;
}

bool resembles(std::string_view name, std::string_view head, bool is_payload) {
  if (head.empty()) return false;
  const bool is_text = looks_like_text(head);
  if (ends_as_text_table(name)) {
    return is_text || has_utf16_mark(head) || foreign_format(head) == nullptr;
  }
  return !is_payload && is_text && has_records(head);
}

std::shared_ptr<const Dataset> open(std::shared_ptr<const ByteSource> bytes,
                                    const OpenOptions& options, std::span<const std::byte> saved,
                                    const Context& context) {
  TextFile file = read_file(bytes, options, saved, context);
  const bool recoded = file.source != bytes;
  const uint64_t rows = file.found.rows.rows;
  auto table = std::make_unique<const TextTable>(std::move(file), options, context);
  const CsvOptions& text = options.csv;
  DatasetContents parts;
  parts.format = "csv";
  parts.header = {{"separator", shown_separator(table->texts()->separator())},
                  {"header", text.header ? "yes" : "no"},
                  {"encoding", std::string(encoding_name(text.encoding, recoded))}};
  parts.counters = [cache = table->cache(), texts = table->texts()] {
    return std::vector<Counter>{{"blocks_decoded", cache->decoded_blocks()},
                                {"texts_divided", texts->all_divisions()}};
  };
  parts.tables.push_back(
      std::make_shared<const Table>(TableContents{"data", rows, bytes, std::move(table)}));
  bytes->check_recently();
  parts.bytes = std::move(bytes);
  return std::make_shared<const Dataset>(std::move(parts));
}

std::vector<std::byte> index(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                             const Context& context) {
  const CsvOptions& text = options.csv;
  auto source = open_text(bytes, text.encoding, context);
  if (!may_be_saved(*bytes, *source, options)) return {};
  return save(go_through(std::move(source), text, context).found, bytes->size());
}

}  // namespace heron::inline v0::csv

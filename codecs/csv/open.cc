#include <algorithm>
#include <cctype>

#include "base/counted.h"
#include "base/memory_rule.h"
#include "csv/csv.h"
#include "csv/csv_files.h"
#include "csv/encoding.h"
#include "csv/options.h"
#include "csv/text_table.h"
#include "files/foreign_format.h"
#include "table/internals.h"

namespace heron::inline v0::csv {
namespace {

constexpr uint64_t kMinTypedRows = 8192;  // types of more rows change less often

// Returns the memory for kept values: half of the cache, and at most a quarter of the budget less
// the part of it in use.
std::shared_ptr<KeptValues> kept_values(const ByteSource& source, uint64_t columns,
                                        const OpenOptions& options, const Context& context) {
  uint64_t most_bytes = std::min(options.cache_bytes, memory_for(source.size())) / 2;
  if (const MemoryBudget* budget = context.memory.get()) {
    const uint64_t share = budget->limit() / 4;
    most_bytes = std::min(most_bytes, share - std::min(share, budget->used()));
  }
  return std::make_shared<KeptValues>(columns, most_bytes, context.memory);
}

TextFile go_through(std::shared_ptr<const ByteSource> source, const OpenOptions& options,
                    const CsvOptions& csv, const Context& context) {
  RowIndexBuilder builder;
  FirstPass pass{.sink = &builder};
  if (options.head_rows != 0) pass.most_rows = std::max(options.head_rows, kMinTypedRows);
  TextFile text;
  pass.keep = [&](uint64_t columns) {
    text.kept = kept_values(*source, columns, options, context);
    return text.kept.get();
  };
  CsvFiles files({source}, csv, pass, context);
  text.file = files.files().front();
  text.rules = files.rules();
  text.schema = files.schema();
  text.is_cut = files.cut_at().has_value();
  text.found.separator = files.rules().syntax.separator;
  text.found.rows = builder.finish(files.cut_at().value_or(source->size()));
  text.found.columns = std::move(std::move(files).take_facts().front().columns);
  return text;
}

// Returns nullopt unless `saved` is of this file.
std::optional<TextFile> from_saved(const std::shared_ptr<const ByteSource>& source,
                                   std::span<const std::byte> saved, const CsvOptions& options,
                                   const Context& context) {
  auto found = load_saved(saved, source->size());
  if (!found) return std::nullopt;
  TextFile text;
  text.rules.syntax.separator = found->separator;
  text.file = open_csv(source, text.rules, options, context);
  const auto& offsets = found->rows.offsets;
  if (text.file.names.size() != found->columns.size()) return std::nullopt;
  if (!offsets.empty() && offsets.front() < text.file.rows_offset) return std::nullopt;
  for (const std::string& name : table_names(text.file.names)) {
    Field field;
    field.name = name;
    text.schema.push_back(std::move(field));
  }
  const FileFacts facts{source->name(), found->columns, text.file.has_plain_names};
  set_found_types({&facts, 1}, options, text.schema, context);
  text.found = *std::move(found);
  return text;
}

// Returns whether the text is `bytes` themselves and the result does not depend on options.
bool may_be_saved(const ByteSource& bytes, const ByteSource& source, const CsvOptions& options) {
  return &bytes == &source && options == CsvOptions{};
}

TextFile read_file(const std::shared_ptr<const ByteSource>& bytes, const OpenOptions& options,
                   const CsvOptions& csv, std::span<const std::byte> saved,
                   const Context& context) {
  auto source = open_text(bytes, csv.encoding, context);
  if (!saved.empty() && may_be_saved(*bytes, *source, csv)) {
    if (auto text = from_saved(source, saved, csv, context)) return *std::move(text);
    if (context.note) {
      context.note(concat(bytes->name(),
                          ": the saved row index does not match the file; it is built again"));
    }
  }
  if (options.head_rows == 0) bytes->check_whole_read();
  TextFile text = go_through(std::move(source), options, csv, context);
  if (text.is_cut && context.note) {
    context.note(concat(bytes->name(), ": types are those of ",
                        first_of(text.found.rows.rows, "row"), "; the rest was not read"));
  }
  return text;
}

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

Match resembles(std::string_view name, std::string_view head, bool is_payload) {
  if (head.empty()) return Match::No;
  const bool is_text = looks_like_text(head);
  if (ends_as_text_table(name)) {
    const bool is_table = is_text || has_utf16_mark(head) || foreign_format(head) == nullptr;
    return is_table ? Match::Yes : Match::No;
  }
  return !is_payload && is_text && has_records(head) ? Match::Maybe : Match::No;
}

std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes,
                                 const OpenOptions& options, std::span<const std::byte> saved,
                                 const Context& context) {
  const CsvOptions csv = csv_options(options.format_options);
  TextFile file = read_file(bytes, options, csv, saved, context);
  const bool recoded = file.file.source != bytes;
  const uint64_t rows = file.found.rows.rows;
  FileContents parts;
  if (!file.is_cut && may_be_saved(*bytes, *file.file.source, csv)) {
    auto found = std::make_shared<const Found>(file.found);
    parts.index = [found, size = bytes->size()] { return save(*found, size); };
  }
  auto table = std::make_unique<const TextTable>(std::move(file), csv, options, context);
  parts.format = "csv";
  parts.header = {{"separator", shown_separator(table->texts()->separator())},
                  {"header", csv.header ? "yes" : "no"},
                  {"encoding", std::string(encoding_name(csv.encoding, recoded))}};
  parts.counters = [cache = table->cache(), texts = table->texts()] {
    return std::vector<Counter>{{"blocks_decoded", cache->decoded_blocks()},
                                {"texts_divided", texts->all_divisions()}};
  };
  parts.tables.push_back(
      std::make_shared<const Table>(TableContents{"data", rows, bytes, std::move(table)}));
  bytes->check_recently();
  parts.bytes = std::move(bytes);
  return std::make_shared<const File>(std::move(parts));
}

std::vector<std::shared_ptr<const File>> unify(std::span<const std::shared_ptr<const File>> files,
                                               const OpenOptions& options, const Context& context) {
  std::vector<const TextTable*> tables;
  std::vector<std::vector<uint64_t>> indices;
  std::vector<FileFacts> facts;
  for (const auto& file : files) {
    const Table& table = *file->table();
    tables.push_back(static_cast<const TextTable*>(&internals(table).source()));
    const TextTable& first = *tables.front();
    indices.push_back(field_indices_of(bytes_of(table).name(), table_names(tables.back()->names()),
                                       bytes_of(*files.front()->table()).name(),
                                       table_names(first.names())));
    facts.push_back(tables.back()->facts(indices.back()));
  }
  Schema schema = tables.front()->schema();
  set_found_types(facts, csv_options(options.format_options), schema, context);
  std::vector<std::shared_ptr<const File>> unified;
  for (uint64_t i = 0; i < files.size(); ++i) {
    Schema own = schema;
    for (uint64_t k = 0; k < own.size(); ++k) {
      own[k].nullable |= tables[i]->schema()[indices[i][k]].nullable;
    }
    FileContents parts = internals(*files[i]);
    const Table& table = *parts.tables.front();
    parts.tables.front() = std::make_shared<const Table>(TableContents{
        table.name(), table.rows(), parts.bytes,
        std::make_unique<const TextTable>(*tables[i], std::move(own), std::move(indices[i]))});
    unified.push_back(std::make_shared<const File>(std::move(parts)));
  }
  return unified;
}

std::vector<std::byte> index(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                             const Context& context) {
  const CsvOptions csv = csv_options(options.format_options);
  auto source = open_text(bytes, csv.encoding, context);
  if (!may_be_saved(*bytes, *source, csv)) return {};
  OpenOptions whole = options;
  whole.head_rows = 0;
  return save(go_through(std::move(source), whole, csv, context).found, bytes->size());
}

}  // namespace heron::inline v0::csv

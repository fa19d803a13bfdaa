#include "asked_rows.h"

#include <algorithm>
#include <array>
#include <memory>

#include "arguments.h"
#include "drawn_rows.h"
#include "heron/convert.h"
#include "heron/csv.h"
#include "heron/error.h"

namespace heron::cli {
namespace {

constexpr std::string_view kCsv = "csv";

Type type_named(std::string_view name) {
  constexpr std::array kIds = {Type::Bool,   Type::Int8,     Type::Int16,   Type::Int32,
                               Type::Int64,  Type::UInt8,    Type::UInt16,  Type::UInt32,
                               Type::UInt64, Type::Float32,  Type::Float64, Type::Text,
                               Type::Date32, Type::Timestamp};
  std::string known;
  for (const Type type : kIds) {
    if (type.name() == name) return type;
    known += concat(known.empty() ? "" : ", ", type.name());
  }
  fail(ErrorKind::Argument, {}, "--types: no type \"", name, "\"; there are: ", known);
}

// "price=float64,`a,b=text`".
std::vector<std::pair<std::string, Type>> parse_types(std::string_view list) {
  std::vector<std::pair<std::string, Type>> types;
  if (list.empty()) return types;
  for (const std::string& piece : parse_names(list)) {
    const size_t equals = piece.rfind('=');
    if (equals == std::string::npos) {
      fail(ErrorKind::Argument, {}, "--types: expected COLUMN=TYPE, got \"", piece, '"');
    }
    types.emplace_back(piece.substr(0, equals),
                       type_named(std::string_view(piece).substr(equals + 1)));
  }
  return types;
}

CsvEncoding encoding_named(std::string_view name) {
  if (name == "latin1") return CsvEncoding::Latin1;
  if (name == "windows-1252") return CsvEncoding::Windows1252;
  if (name == "utf-16") return CsvEncoding::Utf16;
  if (name == "bytes") return CsvEncoding::Bytes;
  return CsvEncoding::Utf8;
}

CsvOptions csv_options(const CsvReadingOptions& asked) {
  CsvOptions options;
  options.header = !asked.no_header;
  options.types = parse_types(asked.types);
  options.encoding = encoding_named(asked.encoding);
  options.null_words.clear();
  if (!asked.null_words.empty()) options.null_words = parse_names(asked.null_words);
  if (asked.separator == "tab" || asked.separator == "\\t") {
    options.separator = '\t';
  } else if (asked.separator.size() == 1) {
    options.separator = asked.separator.front();
  } else if (!asked.separator.empty()) {
    fail(ErrorKind::Argument, {}, "--separator: expected one character or tab, got \"",
         asked.separator, '"');
  }
  return options;
}

bool asks_for_some(const Session& session) {
  const auto& draw = session.get<DrawOptions>();
  return session.get<TableOptions>().where || !session.get<RangeOptions>().rows.empty() ||
         draw.count || draw.by_group;
}

OpenOptions open_options(Session& session) {
  // Blocks are read only once.
  constexpr uint64_t kCacheBytes = uint64_t{64} << 20;
  OpenOptions options = session.open_options();
  if (!session.get<OpeningOptions>().cache_mib) options.cache_bytes = kCacheBytes;
  return options;
}

Projection projection(const std::string& columns, const std::shared_ptr<const Table>& table) {
  if (columns.empty()) return Projection(table);
  return Projection(table, parse_names(columns));
}

RowSourcePtr some_rows(Session& session, const std::shared_ptr<const Table>& table,
                       const std::string& format) {
  const std::string& range = session.get<RangeOptions>().rows;
  const Projection columns = projection(session.get<TableOptions>().columns, table);
  const std::optional<Predicate> where = session.where(table);
  if (!session.get<DrawOptions>().count) {
    ScanOptions options;
    options.where = where;
    options.metrics = session.metrics();
    if (!range.empty()) options.range = parse_range(range, table->rows());
    return table_rows(columns, format, options, session.context());
  }
  if (!range.empty()) fail(ErrorKind::Argument, {}, "--rows is not for a sample");
  const auto drawn = std::make_shared<const DrawnRows>(session, columns, where);
  return numbered_rows(
      columns, format, drawn->count(),
      [drawn](uint64_t position, std::span<uint64_t> rows) { drawn->draw(position, rows); },
      session.context());
}

// To select some rows of text files, they are spilled and read as a table.
RowSourcePtr from_text(Session& session, RowSourcePtr rows, const std::string& folder) {
  const std::string& columns = session.get<TableOptions>().columns;
  if (asks_for_some(session)) {
    return some_rows(session, table_of(*rows, folder, session.context()), {});
  }
  if (columns.empty()) return rows;
  return selected_columns(std::move(rows), parse_names(columns));
}

}  // namespace

bool is_csv(const std::string& format, const std::vector<std::string>& files) {
  if (!format.empty()) return format == kCsv;
  return std::all_of(files.begin(), files.end(), [](const std::string& file) {
    return file.ends_with(".csv") || file.ends_with(".tsv") || file.ends_with(".CSV");
  });
}

RowSourcePtr asked_rows(Session& session, const std::vector<std::string>& files,
                        const std::string& folder) {
  const std::string& wanted = session.get<TableOptions>().table;
  if (is_csv(session.get<OpeningOptions>().format, files)) {
    const CsvOptions options = csv_options(session.get<CsvReadingOptions>());
    return from_text(session, csv_rows(files, options, session.context()), folder);
  }
  const auto dataset = open(files, open_options(session), session.context());
  const uint64_t tables = dataset->tables().size();
  if (tables > 1 && wanted.empty()) {
    session.note(concat(dataset->path(), ": of its ", tables, " tables only \"",
                        dataset->table()->name(), "\" is read; --table names another"));
  }
  return some_rows(session, dataset->table(wanted), dataset->format());
}

std::vector<RowSourcePtr> asked_rows_of_each(Session& session,
                                             const std::vector<std::string>& files,
                                             const std::string& folder) {
  std::vector<RowSourcePtr> sources;
  if (!is_csv(session.get<OpeningOptions>().format, files)) {
    for (const std::string& file : files) sources.push_back(asked_rows(session, {file}, folder));
    return sources;
  }
  CsvOptions options = csv_options(session.get<CsvReadingOptions>());
  const RowSourcePtr all = csv_rows(files, options, session.context());
  options.types.clear();
  for (const Field& field : all->schema()) {
    options.types.emplace_back(field.name, field.type);
  }
  for (const std::string& file : files) {
    sources.push_back(from_text(session, csv_rows({file}, options, session.context()), folder));
  }
  return sources;
}

}  // namespace heron::cli

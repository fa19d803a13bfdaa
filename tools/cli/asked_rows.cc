#include "asked_rows.h"

#include <algorithm>
#include <memory>

#include "arguments.h"
#include "drawn_rows.h"
#include "heron/convert.h"
#include "heron/csv.h"
#include "heron/error.h"
#include "text_options.h"

namespace heron::cli {
namespace {

constexpr std::string_view kCsv = "csv";

bool asks_for_some(const Request& request) {
  return request.where || !request.rows.empty() || request.count || request.by_group;
}

OpenOptions open_options(Session& session) {
  // What is read once need not be kept.
  constexpr uint64_t kCacheBytes = uint64_t{64} << 20;
  OpenOptions options = session.open_options();
  if (!session.request().cache_mib) options.cache_bytes = kCacheBytes;
  return options;
}

Projection projection(const Request& request, const std::shared_ptr<const Table>& table) {
  if (request.columns.empty()) return Projection(table);
  return Projection(table, parse_names(request.columns));
}

RowSourcePtr some_rows(Session& session, const std::shared_ptr<const Table>& table,
                       const std::string& format) {
  const Request& request = session.request();
  const Projection columns = projection(request, table);
  const std::optional<Predicate> where = session.where(table);
  if (!request.count) {
    ScanOptions options;
    options.where = where;
    options.metrics = session.metrics();
    if (!request.rows.empty()) options.range = parse_range(request.rows, table->rows());
    return table_rows(columns, format, options, session.context());
  }
  if (!request.rows.empty()) fail(ErrorKind::Argument, {}, "--rows is not for a sample");
  const auto drawn = std::make_shared<const DrawnRows>(session, columns, where);
  return numbered_rows(
      columns, format, drawn->count(),
      [drawn](uint64_t position, std::span<uint64_t> rows) { drawn->draw(position, rows); },
      session.context());
}

// Some of the rows of text files are asked for as those of a table.
RowSourcePtr from_text(Session& session, RowSourcePtr rows, const std::string& folder) {
  const Request& request = session.request();
  if (asks_for_some(request)) {
    return some_rows(session, table_of(*rows, folder, session.context()), {});
  }
  if (request.columns.empty()) return rows;
  return selected_columns(std::move(rows), parse_names(request.columns));
}

}  // namespace

bool is_csv(const Request& request, const std::vector<std::string>& files) {
  if (!request.format.empty()) return request.format == kCsv;
  return std::all_of(files.begin(), files.end(), [](const std::string& file) {
    return file.ends_with(".csv") || file.ends_with(".tsv") || file.ends_with(".CSV");
  });
}

RowSourcePtr asked_rows(Session& session, const std::vector<std::string>& files,
                        const std::string& folder) {
  const Request& request = session.request();
  if (is_csv(request, files)) {
    return from_text(session, csv_rows(files, text_options(request), session.context()), folder);
  }
  const auto dataset = open(files, open_options(session), session.context());
  const uint64_t tables = dataset->tables().size();
  if (tables > 1 && request.table.empty()) {
    session.note(concat(dataset->path(), ": of its ", tables, " tables only \"",
                        dataset->table()->name(), "\" is read; --table names another"));
  }
  return some_rows(session, dataset->table(request.table), dataset->format());
}

std::vector<RowSourcePtr> asked_rows_of_each(Session& session,
                                             const std::vector<std::string>& files,
                                             const std::string& folder) {
  const Request& request = session.request();
  std::vector<RowSourcePtr> sources;
  if (!is_csv(request, files)) {
    for (const std::string& file : files) sources.push_back(asked_rows(session, {file}, folder));
    return sources;
  }
  CsvOptions options = text_options(request);
  options.types.clear();
  const RowSourcePtr all = csv_rows(files, text_options(request), session.context());
  for (const Field& field : all->schema()) {
    options.types.emplace_back(field.name, field.type);
  }
  for (const std::string& file : files) {
    sources.push_back(from_text(session, csv_rows({file}, options, session.context()), folder));
  }
  return sources;
}

}  // namespace heron::cli

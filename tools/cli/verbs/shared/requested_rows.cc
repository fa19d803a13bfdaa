#include "verbs/shared/requested_rows.h"

#include <algorithm>
#include <memory>

#include "base/fail.h"
#include "heron/convert.h"
#include "heron/csv.h"
#include "heron/error.h"
#include "parsing/arguments.h"
#include "parsing/format_flags.h"
#include "verbs/shared/drawn_rows.h"

namespace heron::cli {
namespace {

constexpr std::string_view kCsv = "csv";

bool requests_some(const Session& session) {
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
  return Columns(parse_columns(columns)).of(table);
}

RowSourcePtr some_rows(Session& session, const std::shared_ptr<const Table>& table) {
  const std::string& range = session.get<RangeOptions>().rows;
  const Projection columns = projection(session.get<TableOptions>().columns, table);
  const std::optional<Predicate> where = session.where(table);
  if (!session.get<DrawOptions>().count) {
    Query query = session.counted(Query(columns, where));
    if (!range.empty()) query.range = parse_range(range, table->rows());
    return table_rows(query, session.context());
  }
  if (!range.empty()) fail(ErrorKind::Argument, {}, "--rows cannot be combined with a sample");
  const auto drawn = std::make_shared<const DrawnRows>(session, columns, where);
  return numbered_rows(
      columns, drawn->count(),
      [drawn](uint64_t position, std::span<uint64_t> rows) { drawn->draw(position, rows); },
      session.skipped());
}

// Spills the rows of text files and reads them as a table if only some of them are selected.
RowSourcePtr from_text(Session& session, RowSourcePtr rows, const std::string& folder) {
  const std::string& columns = session.get<TableOptions>().columns;
  if (requests_some(session)) {
    return some_rows(session, table_of(*rows, folder, session.context()));
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

RowSourcePtr requested_rows(Session& session, const std::vector<std::string>& files,
                            const std::string& folder) {
  const std::string& table_name = session.get<TableOptions>().table;
  if (is_csv(session.get<OpeningOptions>().format, files)) {
    const FormatOptions& options = session.get<FormatValues>().open;
    return from_text(session, csv_rows(files, options, session.context()), folder);
  }
  const auto opened = open(files, open_options(session), session.context());
  const auto& table = opened->table(table_name);
  const uint64_t tables = table_name.empty() ? opened->tables().size() : 1;
  if (tables > 1) {
    session.note(concat(opened->path(), ": of its ", tables, " tables only \"", table->name(),
                        "\" is read; --table names another"));
  }
  return some_rows(session, table);
}

std::vector<RowSourcePtr> requested_forests(Session& session,
                                            const std::vector<std::string>& files) {
  const auto& table = session.get<TableOptions>();
  if (requests_some(session) || !table.columns.empty() || !table.table.empty() ||
      table.skip_damaged || is_csv(session.get<OpeningOptions>().format, files) ||
      std::ranges::find(files, "-") != files.end()) {  // stdin is read only once
    return {};
  }
  std::vector<RowSourcePtr> forests;
  for (const std::string& file : files) {
    const auto opened = open(file, open_options(session), session.context());
    const auto& tables = opened->tables();
    if (tables.empty()) return {};
    const auto& nodes = tables.front();
    forests.push_back(table_rows(session.counted(Query(nodes)), session.context()));
    if (!is_forest(*forests.back())) return {};
    // The table of a forest's trees holds nothing that the nodes do not.
    const uint64_t own = tables.size() > 1 && tables[1]->name() == "trees" ? 2 : 1;
    if (tables.size() > own) {
      session.note(concat(file, ": of its ", tables.size(), " tables only the forest \"",
                          nodes->name(), "\" is read; --table names another"));
    }
  }
  return forests;
}

std::vector<RowSourcePtr> requested_rows_of_each(Session& session,
                                                 const std::vector<std::string>& files,
                                                 const std::string& folder) {
  std::vector<RowSourcePtr> sources;
  if (!is_csv(session.get<OpeningOptions>().format, files)) {
    for (const std::string& file : files) {
      sources.push_back(requested_rows(session, {file}, folder));
    }
    return sources;
  }
  FormatOptions options = session.get<FormatValues>().open;
  const RowSourcePtr all = csv_rows(files, options, session.context());
  CsvOptions types;  // every file is read with those of all
  for (const Field& field : all->schema()) types.types.emplace_back(field.name, field.type);
  const FormatOptions typed = types;
  for (const auto& [name, value] : typed.values()) options.set(name, value);
  for (const std::string& file : files) {
    sources.push_back(from_text(session, csv_rows({file}, options, session.context()), folder));
  }
  return sources;
}

}  // namespace heron::cli

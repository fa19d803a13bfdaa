#include "kit/questions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "base/fail.h"
#include "columns/column.h"
#include "kit/result_of.h"
#include "kit/sums.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

// Returns a question that calls ask(table) for each table; answers may be views of the file until
// it was found unchanged.
template <class Ask>
auto of_tables(Ask ask) {
  return [ask](const File& file, const Context& context, Said& said) {
    for (const auto& table : file.tables()) {
      if (table->rows() <= kMaxRequestedRows) ask(table, context, said);
      table->check_unchanged();
    }
  };
}

std::vector<uint64_t> drawn_rows(uint64_t rows, uint64_t count) {
  std::mt19937_64 random(3);
  std::vector<uint64_t> drawn(rows == 0 ? 0 : count);
  for (uint64_t& row : drawn) row = random() % rows;
  return drawn;
}

void scan(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  Scan all(table, context, 2000);
  for (RowBatch batch; all.next(batch);) said.add_batch(batch);
}

// Returns predicates on each column that its type allows.
std::vector<std::string> predicates(const Table& table) {
  std::vector<std::string> all;
  for (uint64_t i = 0; i < std::min<uint64_t>(table.column_count(), 12); ++i) {
    const Type type = internals(table).column(i).type();
    const std::string name = concat('`', table.column_name(i), '`');
    if (type.is_text()) {
      all.push_back(concat(name, " like '%a%'"));
      all.push_back(concat(name, " like 'a_%b%'"));
      all.push_back(concat(name, " = 'abc'"));
      all.push_back(concat(name, " in ('abc', 'a', '', 'something longer')"));
      all.push_back(concat("lower(", name, ") = 'abc'"));
    } else if (type.is_binary()) {
      all.push_back(concat(name, " > 'a'"));
    } else if (type.is(Type::Decimal)) {
      all.push_back(concat(name, " between -1.25 and 100"));
      all.push_back(concat(name, " != 0.5"));
    } else if (type.is_float() || (type.is_integer() && !type.is(Type::Key))) {
      all.push_back(concat(name, " > 1"));
    } else {
      all.push_back(concat(name, " is not null"));
    }
  }
  return all;
}

// Returns the quoted names of columns whose values have an order.
std::vector<std::string> ordered_columns(const Table& table) {
  std::vector<std::string> all;
  for (uint64_t i = 0; i < std::min<uint64_t>(table.column_count(), 12); ++i) {
    const Type& type = internals(table).column(i).type();
    if (type.is_nested() || type.is(Type::DateTimeOffset) || type.is(Type::RowId)) continue;
    all.push_back(concat('`', table.column_name(i), '`'));
  }
  return all;
}

// Returns expressions of each column that have a result for each row.
std::vector<std::string> expressions(const Table& table) {
  std::vector<std::string> all;
  for (uint64_t i = 0; i < std::min<uint64_t>(table.column_count(), 12); ++i) {
    const Type type = internals(table).column(i).type();
    const std::string name = concat('`', table.column_name(i), '`');
    if (type.is_text()) {
      for (const char* part : {", 2, 3)", ", 20)"}) all.push_back(concat("substr(", name, part));
      all.push_back(concat("upper(", name, ')'));
      all.push_back(concat("length(", name, ')'));
    } else if (type.is_binary()) {
      all.push_back(concat("hex(", name, ')'));
      all.push_back(concat("octet_length(", name, ')'));
    } else if (type.is(Type::Decimal)) {
      all.push_back(concat("cast(", name, " as float64)"));
      all.push_back(concat("cast(", name, " as text)"));
      all.push_back(concat("coalesce(", name, ", 0)"));
    } else if (type.is_float() || (type.is_integer() && !type.is(Type::Key))) {
      all.push_back(concat("abs(", name, " * 2.5)"));
      all.push_back(concat("case when ", name, " > 1 then 0.5 * ", name, " else 7 end"));
    }
  }
  return all;
}

void compute(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  for (const std::string& expression : expressions(*table)) {
    Query query(table);
    query.columns = std::vector<std::string>{expression};
    Scan all(query, context);
    for (RowBatch batch; all.next(batch);) said.add_batch(batch);
    const std::string functions = concat("min(", expression, "), distinct(", expression, ')');
    said.add_batch(aggregate(Query(table), parse_aggregates(*table, functions), context));
  }
}

void sort(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  const std::vector<std::string> columns = ordered_columns(*table);
  Query by_all(table);
  for (const std::string& column : columns) by_all.order.push_back({column});
  if (!columns.empty()) by_all.columns = std::vector<std::string>{columns[0]};
  Scan ordered(by_all, context);
  for (RowBatch batch; ordered.next(batch);) said.add_batch(batch);
  for (const std::string& column : columns) {
    for (const uint64_t limit : {uint64_t{10}, Query::kNoLimit}) {
      Query query(table);
      query.columns = std::vector<std::string>{column};
      query.order = {{column, Descending}};
      query.limit = limit;
      Scan all(query, context);
      for (RowBatch batch; all.next(batch);) said.add_batch(batch);
    }
  }
}

void group(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  for (const std::string& column : ordered_columns(*table)) {
    Query query(table);
    query.by = std::vector<std::string>{column};
    said.add_batch(group_by(query, parse_aggregates(*table, "count(*)"), context));
  }
}

void filter(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  for (const std::string& predicate : predicates(*table)) {
    const Predicate where(table, predicate);
    said.add_number(count(where, context));
    Scan some(where, context);
    for (RowBatch batch; some.next(batch);) said.add_batch(batch);
    const Selection selection(where, context);
    if (selection.size() == 0) continue;
    const std::vector<uint64_t> positions = {selection.size() - 1, 0};
    for (const uint64_t row : selection.rows(positions, context)) said.add_number(row);
  }
}

void take_some(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  for (const uint64_t count : {uint64_t{1}, uint64_t{7}, uint64_t{500}}) {
    said.add_batch(take(Projection(table), drawn_rows(table->rows(), count), context));
  }
}

void sample(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  Loader loader(table, {.sampler = {.seed = 5}, .batch_rows = 700}, {.prefetch = 0}, context);
  for (LoaderBatch batch; loader.next(batch);) said.add_batch(batch.columns);
}

std::vector<uint64_t> columns_for_views(const Table& table) {
  std::vector<uint64_t> columns;
  for (uint64_t i = 0; i < table.column_count(); ++i) {
    const Type& type = internals(table).column(i).type();
    if (!type.is_nested() && type.width() <= 8) columns.push_back(i);
  }
  return columns;
}

void view_rows(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  const std::vector<uint64_t> columns = columns_for_views(*table);
  if (columns.empty()) return;
  RowView view(Projection(table, columns), context);
  for (const uint64_t row : drawn_rows(table->rows(), 300)) {
    view.seek(row);
    for (uint64_t i = 0; i < columns.size(); ++i) {
      const Type& type = internals(*table).column(columns[i]).type();
      if (!type.has_bytes()) {
        said.add_number(view.is_null(i));
      } else if (const auto text = view.text(i)) {
        said.add_text(*text);
      }
    }
  }
}

void aggregate_all(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  std::vector<Aggregate> aggregates;
  for (uint64_t i = 0; i < std::min<uint64_t>(table->column_count(), 12); ++i) {
    for (const char* function : {"count", "min", "max", "distinct", "sum"}) {
      try {
        const std::string text = concat(function, "(`", table->column_name(i), "`)");
        aggregates.push_back(parse_aggregates(*table, text).front());
      } catch (const Error& error) {
        if (error.kind() != ErrorKind::Argument) throw;  // the function does not take this type
      }
    }
  }
  const RowBatch results = aggregate(table, aggregates, context);
  for (uint64_t i = 0; i < aggregates.size(); ++i) said.add_scalar(result_of(results, i));
}

void column_stats(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  for (const ColumnStats& column : stats(table, context)) {
    said.add_scalar(column.min);
    said.add_scalar(column.max);
    said.add_number(column.null_count);
    said.add_number(column.distinct.value_or(0));
  }
}

void matrices(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  std::vector<uint64_t> columns;
  for (uint64_t i = 0; i < table->column_count(); ++i) {
    if (internals(*table).column(i).type().is_float()) columns.push_back(i);
  }
  if (columns.empty()) return;
  const Projection floats(table, columns);
  std::vector<float> cells(table->rows() * columns.size());
  matrix<float>(floats, RowRange{0, table->rows()}, cells, MatrixNull::NaN, context);
  for (const float cell : cells) {  // all NaNs are one value
    said.add_number(std::bit_cast<uint32_t>(cell == cell ? cell : std::nanf("")));
  }
  for (const double sum : sums(floats, context)) said.add_number(std::bit_cast<uint64_t>(sum));
}

void find_ids(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  const auto id = table->find_column("id");
  if (!id) return;
  const std::vector<int64_t> keys = {0, 17, 4000, 9999999, 5};
  const Projection ids(table, std::span(&*id, 1));
  for (const uint64_t row : find(ids, keys, context)) said.add_number(row);
}

void read_groups(const std::shared_ptr<const Table>& table, const Context& context, Said& said) {
  const uint64_t groups = std::min<uint64_t>(table->group_count(), 5);
  for (uint64_t i = 0; i < groups; ++i) {
    said.add_batch(read(Projection(table), table->group(i), context));
    for (const uint64_t row : rows_of_groups(*table, {i})) said.add_number(row);
  }
}

void describe(const std::shared_ptr<const Table>& table, const Context&, Said& said) {
  for (const Field& field : table->schema()) {
    said.add_text(field.name);
    said.add_text(field.type.name());
    said.add_text(field.reason);
    for (const Metadata& entry : field.metadata) said.add_text(entry.text);
  }
}

}  // namespace

const std::vector<Question>& questions() {
  static const std::vector<Question> all = {
      {"scan", of_tables(scan)},
      {"filter", of_tables(filter)},
      {"compute", of_tables(compute)},
      {"sort", of_tables(sort)},
      {"group", of_tables(group)},
      {"take", of_tables(take_some)},
      {"sample", of_tables(sample)},
      {"row view", of_tables(view_rows)},
      {"aggregate", of_tables(aggregate_all)},
      {"stats", of_tables(column_stats)},
      {"matrix", of_tables(matrices)},
      {"find", of_tables(find_ids)},
      {"groups", of_tables(read_groups)},
      {"schema", of_tables(describe)},
      {"verify", [](const File& file, const Context& context, Said& said) {
         for (const std::string& note : verify(file, context)) said.add_text(note);
       }}};
  return all;
}

}  // namespace heron::inline v0

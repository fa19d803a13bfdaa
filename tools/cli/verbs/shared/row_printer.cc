#include "verbs/shared/row_printer.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/counted.h"
#include "base/fail.h"
#include "heron/error.h"
#include "heron/row_source.h"
#include "heron/scan.h"
#include "heron/take.h"
#include "parsing/options.h"

namespace heron::cli {
namespace {

// Returns `row` or, if a column has that name, `row_number` or the next free name.
std::string row_number_name(const Schema& schema) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(schema, name, &Field::name) != schema.end();
  };
  if (!is_taken("row")) return "row";
  std::string name = "row_number";
  for (uint64_t i = 1; is_taken(name); ++i) name = concat("row_number.", i);
  return name;
}

Schema with_row_numbers(const Schema& schema) {
  Schema numbered;
  Field& field = numbered.emplace_back();
  field.name = row_number_name(schema);
  field.type = Type::UInt64;
  numbered.insert(numbered.end(), schema.begin(), schema.end());
  return numbered;
}

Values number_values(std::span<const uint64_t> numbers) {
  Values values;
  values.type = Type::UInt64;
  values.rows = numbers.size();
  values.data = {reinterpret_cast<const std::byte*>(numbers.data()), numbers.size_bytes()};
  return values;
}

}  // namespace

RowPrinter::RowPrinter(Session& session, Projection columns, uint64_t rows)
    : session_(session),
      columns_(std::move(columns)),
      rows_(rows),
      batch_rows_(rows_a_batch(*columns_.schema())),
      writer_(make_row_writer(session.form(), session.out(),
                              session.get<OutputOptions>().row_number
                                  ? with_row_numbers(*columns_.schema())
                                  : *columns_.schema(),
                              rows)) {}

void RowPrinter::show(Query query) {
  query.columns = columns_;
  query = session_.counted(std::move(query));
  const bool picks = query.where.is_set() || !query.order.empty();
  Scan scan(query, session_.context(), batch_rows_);
  std::vector<uint64_t> numbers;
  while (scan.next(batch_)) {
    if (picks) {
      numbers.assign(scan.rows().begin(), scan.rows().end());
    } else if (session_.get<OutputOptions>().row_number) {
      numbers.resize(batch_.rows);
      std::iota(numbers.begin(), numbers.end(), scan.first_row());
    }
    write(batch_, numbers);
  }
}

void RowPrinter::show(RowRange rows) {
  Query query(columns_);
  query.range = rows;
  query.limit = rows.rows();
  show(std::move(query));
}

void RowPrinter::show(std::span<const uint64_t> rows) {
  for (uint64_t done = 0; done < rows.size(); done += batch_rows_) {
    const auto some = rows.subspan(done, std::min(batch_rows_, rows.size() - done));
    std::vector<uint64_t> numbers(some.begin(), some.end());
    take_readable(columns_, numbers, batch_, session_.skipped(), context_of(some.size()));
    if (!numbers.empty()) write(batch_, numbers);
    shown_rows_ += some.size();
  }
}

// Returns a context with progress inside a batch: even a single row may require decoding much data.
Context RowPrinter::context_of(uint64_t rows) const {
  Context context = session_.context();
  if (!context.progress) return context;
  context.progress = [this, rows](uint64_t done, uint64_t total) {
    if (total == 0) return;
    constexpr uint64_t kParts = 1000;  // per row
    const double share = static_cast<double>(done) / static_cast<double>(total);
    const auto parts = static_cast<uint64_t>(share * static_cast<double>(rows * kParts));
    session_.context().progress(shown_rows_ * kParts + parts, rows_ * kParts);
  };
  return context;
}

void RowPrinter::finish() {
  writer_->finish();
  columns_.table()->check_unchanged();  // the rows printed last may have been in the map
}

void RowPrinter::write(const RowBatch& batch, std::span<const uint64_t> numbers) {
  if (!session_.get<OutputOptions>().row_number) return writer_->write(batch);
  numbered_.rows = batch.rows;
  numbered_.columns.assign(1, number_values(numbers));
  numbered_.columns.insert(numbered_.columns.end(), batch.columns.begin(), batch.columns.end());
  writer_->write(numbered_);
}

void print_rows(Session& session, Projection columns, RowRange rows) {
  RowPrinter printer(session, std::move(columns), rows.rows());
  printer.show(rows);
  printer.finish();
}

void print_all_rows(Session& session, Projection columns) {
  RowPrinter printer(session, columns, columns.table()->rows());
  printer.show(Query(columns));
  printer.finish();
}

void print_rows(Session& session, Projection columns, std::span<const uint64_t> rows) {
  const uint64_t row_count = columns.table()->rows();
  for (uint64_t row : rows) {
    if (row >= row_count) {
      fail(ErrorKind::Argument, {}, "row ", row, " does not exist: the table has ",
           counted(row_count, "row"));
    }
  }
  RowPrinter printer(session, std::move(columns), rows.size());
  printer.show(rows);
  printer.finish();
}

}  // namespace heron::cli

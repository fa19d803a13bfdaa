// What is found in a file before it is measured: keys to look for, and a predicate.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "bench/questions.h"
#include "heron/error.h"
#include "heron/sampler.h"
#include "heron/take.h"
#include "heron/text.h"

namespace heron::cli::bench {
namespace {

constexpr uint64_t kSampleRows = 2000, kKeys = 1000;

// Integers and times by their stored number, texts; NaN of floats compares as nothing does.
bool ascends(const Values& values) {
  const auto compare = [&](const auto& at) {
    bool rises = false;
    for (uint64_t row = 0; row < values.rows; ++row) {
      if (values.is_null(row)) return false;
      if (row == 0) continue;
      if (!(at(row - 1) <= at(row))) return false;
      rises |= at(row - 1) < at(row);
    }
    return rises;
  };
  switch (values.type.id()) {
    case Type::Int32:
    case Type::Date32: return compare([&](uint64_t row) { return values.get<int32_t>(row); });
    case Type::Int64:
    case Type::Timestamp:
    case Type::DateTime: return compare([&](uint64_t row) { return values.get<int64_t>(row); });
    case Type::UInt32: return compare([&](uint64_t row) { return values.get<uint32_t>(row); });
    case Type::UInt64: return compare([&](uint64_t row) { return values.get<uint64_t>(row); });
    case Type::Text:
    case Type::LargeText: return compare([&](uint64_t row) { return values.text(row); });
    default: return false;
  }
}

std::vector<uint64_t> even_rows(uint64_t rows, uint64_t count) {
  std::vector<uint64_t> even(std::min(rows, count));
  for (uint64_t i = 0; i < even.size(); ++i) even[i] = i * rows / even.size();
  return even;
}

// By number. The first column that ascends, as far as some of its rows show.
std::optional<uint64_t> ascending_column(const std::shared_ptr<const Table>& table,
                                         const Projection& all, const Context& context) {
  constexpr uint64_t kColumns = 64;
  const std::vector<uint64_t> rows = even_rows(table->rows(), kSampleRows);
  for (const uint64_t column : all.indices().first(std::min<size_t>(all.size(), kColumns))) {
    const RowBatch some = take(Projection(table, std::array{column}), rows, context);
    if (ascends(some.columns.front())) return column;
  }
  return std::nullopt;
}

void find_keys(const Subject& subject, const std::shared_ptr<const Table>& table,
               const Projection& all, FileFacts& facts, const Context& context) {
  std::vector<uint64_t> columns(table->key_columns());
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  if (columns.empty()) {
    const auto column = ascending_column(table, all, context);
    if (!column) return;
    columns = {*column};
  }
  for (const uint64_t column : columns) facts.key_columns.push_back(table->column_name(column));
  facts.key_rows.resize(kKeys);
  Sampler(facts.rows, {.seed = subject.seed, .replace = true}).draw(0, facts.key_rows);
  const RowBatch batch = take(Projection(table, columns), facts.key_rows, context);
  for (uint64_t row = 0; row < batch.rows; ++row) {
    std::vector<Scalar>& key = facts.keys.emplace_back();
    for (const Values& values : batch.columns) {
      key.push_back(values.is_null(row) ? Scalar()
                    : values.type.is_text()
                        ? Scalar(std::string(values.text(row)))
                        : parse_scalar(values.type,
                                       to_text(values, row, {.raw = values.type.is(Type::Key)})));
    }
  }
}

double number_at(const Values& values, uint64_t row) {
  if (values.is_null(row)) return NAN;
  switch (values.type.id()) {
    case Type::Int16: return values.get<int16_t>(row);
    case Type::Int32: return values.get<int32_t>(row);
    case Type::Int64: return static_cast<double>(values.get<int64_t>(row));
    case Type::UInt16: return values.get<uint16_t>(row);
    case Type::UInt32: return values.get<uint32_t>(row);
    case Type::Float32: return values.get<float>(row);
    case Type::Float64: return values.get<double>(row);
    default: return NAN;
  }
}

std::string quoted_name(const std::string& name) {
  std::string out = "`";
  for (const char c : name) out.append(c == '`' ? 2 : 1, c);
  return out + '`';
}

// "`x` > 3.5", if about a hundredth of the values are above it.
std::string predicate_on(const std::string& name, const Values& values) {
  std::vector<std::pair<double, uint64_t>> sorted;
  for (uint64_t row = 0; row < values.rows; ++row) {
    const double number = number_at(values, row);
    if (std::isfinite(number)) sorted.emplace_back(number, row);
  }
  if (sorted.size() < 100) return {};
  std::sort(sorted.begin(), sorted.end());
  const auto& [limit, row] = sorted[sorted.size() * 99 / 100];
  const auto above = std::count_if(sorted.begin(), sorted.end(),
                                   [least = limit](const auto& one) { return one.first > least; });
  if (above * 500 < static_cast<ptrdiff_t>(sorted.size())) return {};
  return quoted_name(name) + " > " + to_text(values, row);
}

}  // namespace

FileFacts facts_of(const Subject& subject, const Dataset& dataset, std::span<const Op> wanted,
                   uint64_t most_rows, const Context& context) {
  const std::shared_ptr<const Table> table = dataset.table(subject.table);
  const Projection columns =
      subject.columns.empty() ? Projection(table) : Projection(table, subject.columns);
  FileFacts facts;
  facts.rows = std::min(table->rows(), most_rows);
  facts.block_count = columns.block_count();
  facts.block_rows = columns.block_rows();
  facts.group_count = table->group_count();
  facts.column_count = columns.size();
  const bool finds = std::find(wanted.begin(), wanted.end(), Op::Find) != wanted.end();
  if (!finds || facts.rows == 0) return facts;
  try {
    find_keys(subject, table, Projection(table), facts, context);
  } catch (const Error& error) {  // of one column: the other questions may have answers
    if (error.kind() == ErrorKind::Cancelled) throw;
    facts.key_error = error.what();
  }
  return facts;
}

std::string find_predicate(const Subject& subject, const Dataset& dataset, const Context& context) {
  const std::shared_ptr<const Table> table = dataset.table(subject.table);
  const Projection columns =
      subject.columns.empty() ? Projection(table) : Projection(table, subject.columns);
  const std::vector<uint64_t> rows = even_rows(table->rows(), kSampleRows);
  std::string spare;  // on an ascending column, where pruning answers
  for (const uint64_t column : columns.indices()) {
    const Type type = table->field_without_metadata(column).type;
    if (!type.is_float() && !type.is_integer()) continue;
    const RowBatch some = take(Projection(table, std::array{column}), rows, context);
    const std::string found = predicate_on(table->column_name(column), some.columns.front());
    if (!found.empty() && !ascends(some.columns.front())) return found;
    if (spare.empty()) spare = found;
  }
  return spare;
}

}  // namespace heron::cli::bench

// Finds in a file, before it is measured, keys to look for, and a predicate.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "bench/questions.h"
#include "heron/aggregate.h"
#include "heron/error.h"
#include "heron/forest.h"
#include "heron/sampler.h"
#include "heron/take.h"
#include "heron/text.h"

namespace heron::cli::bench {
namespace {

constexpr uint64_t kSampleRows = 2000, kKeys = 1000;

// Returns whether integers, times (by their stored numbers) or texts ascend; false for other types
// and for nulls.
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

// Returns the index of the first column that ascends, as far as some of its rows show.
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

// Returns the first of `count` numbers that is not inside, if all before it are; `count` if all are
// inside.
template <class IsInside>
uint64_t first_beyond(uint64_t count, const IsInside& is_inside) {
  uint64_t begin = 0;
  while (begin < count) {
    const uint64_t middle = begin + (count - begin) / 2;
    if (is_inside(middle)) {
      begin = middle + 1;
    } else {
      count = middle;
    }
  }
  return begin;
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

// Returns "`x` > 3.5", for example, if about a hundredth of the values are above it.
std::string predicate_on(const std::string& name, const Values& values) {
  std::vector<std::pair<double, uint64_t>> sorted;
  for (uint64_t row = 0; row < values.rows; ++row) {
    const double number = number_at(values, row);
    if (std::isfinite(number)) sorted.emplace_back(number, row);
  }
  if (sorted.size() < 100) return {};
  std::sort(sorted.begin(), sorted.end());
  const auto& [limit, row] = sorted[sorted.size() * 99 / 100];
  const auto above =
      std::count_if(sorted.begin(), sorted.end(),
                    [threshold = limit](const auto& one) { return one.first > threshold; });
  if (above * 500 < static_cast<ptrdiff_t>(sorted.size())) return {};
  return quoted_name(name) + " > " + to_text(values, row);
}

struct Range {
  double min = -1, max = 1;
};

// Returns the ranges of the split values on each feature.
std::vector<Range> split_ranges(const std::shared_ptr<const Table>& nodes, uint64_t features,
                                const Context& context) {
  Query inner(nodes);
  inner.where = Predicate(nodes, "left > 0");
  inner.by = {"feature"};
  const auto extremes = parse_aggregates(*nodes, "min(value), max(value)");
  const RowBatch found = group_by(inner, extremes, context);
  std::vector<Range> ranges(features);
  for (uint64_t row = 0; row < found.rows; ++row) {
    const auto feature = found.columns[0].get<uint8_t>(row);
    const Range range{number_at(found.columns[1], row), number_at(found.columns[2], row)};
    const bool is_finite = std::isfinite(range.min) && std::isfinite(range.max);
    if (is_finite && feature < features) ranges[feature] = range;
  }
  return ranges;
}

// Returns a table with the nodes of a forest, or of a tree; null if the file has none.
std::shared_ptr<const Table> nodes_table(const File& file) {
  for (const auto& table : file.tables()) {
    if (!table->find_column("value")) continue;
    try {
      const Forest forest(table);
      return table;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Unsupported) throw;
    }
  }
  return nullptr;
}

void find_points(const Subject& subject, const File& file, uint64_t points, FileFacts& facts,
                 const Context& context) {
  const std::shared_ptr<const Table> table = nodes_table(file);
  if (table == nullptr) return;
  const uint64_t features = Forest(table).feature_count();
  if (features == 0) return;
  facts.forest_table = table->name();
  const std::vector<Range> ranges = split_ranges(table, features, context);
  std::vector<uint64_t> drawn(points * features);
  constexpr uint64_t kSteps = uint64_t{1} << 32;
  Sampler(kSteps, {.seed = subject.seed, .replace = true}).draw(0, drawn);
  facts.points.resize(drawn.size());
  for (uint64_t i = 0; i < drawn.size(); ++i) {
    const Range& range = ranges[i % features];
    const double share = static_cast<double>(drawn[i]) / kSteps;
    facts.points[i] = static_cast<float>(range.min + (range.max - range.min) * share);
  }
}

}  // namespace

FileFacts facts_of(const Subject& subject, const File& file, std::span<const Op> ops,
                   uint64_t max_rows, const Context& context) {
  const std::shared_ptr<const Table> table = file.table(subject.table);
  const Projection columns =
      subject.columns.empty() ? Projection(table) : Projection(table, subject.columns);
  FileFacts facts;
  facts.rows = std::min(table->rows(), max_rows);
  facts.block_count = columns.block_count();
  facts.block_rows = columns.block_rows();
  facts.group_count = table->group_count();
  if (facts.rows < table->rows()) {
    const auto begins_inside = [&](uint64_t i) { return columns.block(i).first < facts.rows; };
    const auto lies_inside = [&](uint64_t i) { return table->group(i).last <= facts.rows; };
    facts.block_count = first_beyond(facts.block_count, begins_inside);
    facts.group_count = first_beyond(facts.group_count, lies_inside);
  }
  facts.column_count = columns.size();
  uint64_t points = 0;
  for (const Op op : ops) {
    // Small batches of points are drawn from many points.
    const uint64_t drawn_from = op == Op::Predict100k ? kMaxPoints : uint64_t{8192};
    if (is_prediction(op)) points = std::max(points, drawn_from);
  }
  if (points != 0) find_points(subject, file, points, facts, context);
  const bool finds = std::find(ops.begin(), ops.end(), Op::Find) != ops.end();
  if (!finds || facts.rows == 0) return facts;
  try {
    find_keys(subject, table, Projection(table), facts, context);
  } catch (const Error& error) {  // one column failed: the other questions may have answers
    if (error.kind() == ErrorKind::Cancelled) throw;
    facts.key_error = error.what();
  }
  return facts;
}

std::string find_predicate(const Subject& subject, const File& file, uint64_t max_rows,
                           const Context& context) {
  const std::shared_ptr<const Table> table = file.table(subject.table);
  const Projection columns =
      subject.columns.empty() ? Projection(table) : Projection(table, subject.columns);
  const std::vector<uint64_t> rows = even_rows(std::min(table->rows(), max_rows), kSampleRows);
  std::string spare;  // predicate on an ascending column, where pruning answers
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

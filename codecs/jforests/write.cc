// Targets are written in place as they are appended. Features are spilled, because a feature's
// range and dictionary, and so its bytes, are known only after all its values; the starts of
// queries are spilled as one more column.
#include "jforests/write.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/fail.h"
#include "bytes/on_disk.h"
#include "format/checked_writer.h"
#include "jforests/feature_writer.h"
#include "jforests/roles.h"
#include "values/cells.h"

namespace heron::inline v0::jforests {
namespace {

// The values of a feature seen so far.
struct Seen {
  bool any = false;  // has a value that is not null, NaN included
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  Loss loss;  // loss of the conversion to double

  void add(double value) {
    any = true;
    if (value < min) min = value;
    if (value > max) max = value;
  }
};

// Calls use(i, value) for each of the rows, counted from the first, that is not null.
template <class Number, class Use>
void each_there(const Values& values, RowRange rows, Use use) {
  const auto each = [&](auto value_at) {
    for (uint64_t row = rows.first; row < rows.last; ++row) {
      if (!values.is_null(row)) use(row - rows.first, static_cast<Number>(value_at(row)));
    }
  };
  if (values.type.is(Type::Bool)) {
    each([&](uint64_t row) { return values.get_bool(row); });
  } else {
    visit_cell_type(values.type, [&]<class Cell>() {
      each([&](uint64_t row) { return cell_of<Cell>(values, row); });
    });
  }
}

// Adds the loss of converting 64-bit integers to doubles.
void measure(const Values& values, RowRange rows, Loss& loss) {
  const auto add = [&](uint64_t, auto value) { loss.add_integer(value); };
  if (values.type.is(Type::Int64)) each_there<int64_t>(values, rows, add);
  if (values.type.is(Type::UInt64)) each_there<uint64_t>(values, rows, add);
}

class DataSetWriter final : public CheckedWriter {
 public:
  DataSetWriter(const std::string& path, const SharedSchema& schema, const WriteOptions& options,
                const Context& context, const WriteLimits& limits)
      : CheckedWriter(schema, options, context),
        limits_(limits),
        roles_(assign_roles(path, *schema, options)),
        seen_(roles_.features.size()),
        file_(path, existing_if(options.replace)),
        out_(file_, head_bytes()),
        spill_(path, roles_.features.size() + (roles_.query ? 1 : 0), limits.memory_bytes) {}

  uint64_t bytes_written() const override { return out_.end(); }
  std::vector<ColumnLoss> losses() const override { return losses_; }

 private:
  OutputFile& file() noexcept override { return file_; }
  void append(const RowBatch& batch) override;
  void finish() override;

  uint64_t head_bytes() const noexcept {
    return kCountsBytes + roles_.features.size() * (kSizeBytes + kTypeBytes) +
           (roles_.query ? kQueriesBytes : 0);
  }
  void append_targets(const Values& targets);
  static void spill_feature(const Values& values, RowRange rows, std::span<double> cells,
                            Seen& seen);
  void spill_query_starts(const Values& queries, RowRange rows, std::span<double> cells);
  Feature feature(uint64_t index) const;
  void add_loss(uint64_t column, const Loss& loss);
  void append_boundaries();
  void write_head(const std::vector<WrittenRecord>& records);

  const WriteLimits limits_;
  const Roles roles_;
  std::vector<Seen> seen_;
  OutputFile file_;
  Appender out_;
  Spill spill_;
  uint64_t queries_ = 0;
  std::optional<uint64_t> last_query_;
  Loss target_loss_;
  std::vector<ColumnLoss> losses_;
};

void DataSetWriter::append(const RowBatch& batch) {
  if (batch.rows > limits_.rows - rows()) {
    fail(ErrorKind::Limit, path(), "more than ", limits_.rows,
         " rows, which is all a file can hold");
  }
  append_targets(batch.columns[roles_.target]);
  spill_.append(batch.rows, [&](uint64_t column, RowRange rows, std::span<double> cells) {
    if (column == roles_.features.size()) {
      spill_query_starts(batch.columns[*roles_.query], rows, cells);
    } else {
      const Values& values = batch.columns[roles_.features[column].column];
      spill_feature(values, rows, cells, seen_[column]);
    }
  });
}

void DataSetWriter::append_targets(const Values& targets) {
  for (uint64_t row = 0; row < targets.rows; ++row) {
    if (!targets.is_null(row)) continue;
    fail(ErrorKind::Argument, path(), "the target of row ", rows() + row, " is null");
  }
  each_there<double>(targets, {0, targets.rows},
                     [&](uint64_t, double target) { out_.append_cell<f64be>(target); });
  measure(targets, {0, targets.rows}, target_loss_);
}

// Spills a feature, with NaN for null: both have the same index.
void DataSetWriter::spill_feature(const Values& values, RowRange rows, std::span<double> cells,
                                  Seen& seen) {
  std::fill(cells.begin(), cells.end(), std::numeric_limits<double>::quiet_NaN());
  each_there<double>(values, rows, [&](uint64_t i, double value) {
    cells[i] = value;
    seen.add(value);
  });
  measure(values, rows, seen.loss);
}

// Spills 1 for a row where a query begins, else 0.
void DataSetWriter::spill_query_starts(const Values& queries, RowRange rows,
                                       std::span<double> cells) {
  std::fill(cells.begin(), cells.end(), 0);
  if (queries_ == 0) {
    cells[0] = 1;
    ++queries_;
  }
  each_there<uint64_t>(queries, rows, [&](uint64_t i, uint64_t query) {
    if (last_query_ == query) return;
    last_query_ = query;
    if (cells[i] == 0) ++queries_;
    cells[i] = 1;
  });
}

Feature DataSetWriter::feature(uint64_t index) const {
  const FeatureRole& role = roles_.features[index];
  const Seen seen = seen_[index].any ? seen_[index] : Seen{false, 0, 0, {}};
  std::string name = role.name;
  if (name.empty() && (seen.any || role.min || role.max)) name = kNoName;
  return {index, rows(), scale_for(role.min.value_or(seen.min), role.max.value_or(seen.max)), name};
}

void DataSetWriter::add_loss(uint64_t column, const Loss& loss) {
  if (loss.changed != 0) losses_.push_back({column, loss.changed, loss.largest});
}

void DataSetWriter::finish() {
  FeatureWriter writer(spill_, out_, limits_.record_bytes, context());
  std::vector<WrittenRecord> records;
  records.reserve(roles_.features.size());
  add_loss(roles_.target, target_loss_);
  for (uint64_t i = 0; i < roles_.features.size(); ++i) {
    const std::string label = concat("column \"", schema()[roles_.features[i].column].name, '"');
    records.push_back(writer.write(feature(i), path(), label));
    seen_[i].loss.add(records.back().loss);
    add_loss(roles_.features[i].column, seen_[i].loss);
  }
  if (roles_.query) append_boundaries();
  out_.flush();
  write_head(records);
}

void DataSetWriter::append_boundaries() {
  int32_t row = 0;
  spill_.visit(roles_.features.size(), [&](std::span<const double> starts) {
    for (const double start : starts) {
      if (start != 0) out_.append_cell<i32be>(row);
      ++row;
    }
  });
  out_.append_cell<i32be>(row);
}

void DataSetWriter::write_head(const std::vector<WrittenRecord>& records) {
  Appender head(file_, 0);
  head.append_cell<i32be>(kVersion);
  head.append_cell<i32be>(static_cast<int32_t>(records.size()));
  head.append_cell<i32be>(static_cast<int32_t>(rows()));
  for (const WrittenRecord& record : records) {
    head.append_cell<i32be>(static_cast<int32_t>(record.bytes));
  }
  for (const WrittenRecord& record : records) {
    head.append(std::as_bytes(std::span(&record.type, 1)));
  }
  if (roles_.query) head.append_cell<i32be>(static_cast<int32_t>(queries_));
  head.flush();
}

}  // namespace

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context) {
  return create(path, schema, options, context, WriteLimits{});
}

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context,
                                      const WriteLimits& limits) {
  return std::make_unique<DataSetWriter>(path, schema, options, context, limits);
}

}  // namespace heron::inline v0::jforests

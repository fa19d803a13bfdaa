// A record is the key of a row, all its values, and the length of the key.
#include "convert/sorted_rows.h"

#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "convert/row_bytes.h"
#include "heron/query.h"
#include "sort/sorter.h"
#include "values/batch_like.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kBatchRows = 8192;
constexpr uint64_t kBatchBytes = uint64_t{4} << 20;

std::vector<uint64_t> first_columns(uint64_t count) {
  std::vector<uint64_t> columns(count);
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  return columns;
}

std::string_view key_of(std::string_view record) {
  return record.substr(0, number_at_end(record));
}

class SortedRows final : public RowSource {
 public:
  SortedRows(RowSourcePtr source, uint64_t key_columns, SortOptions options,
             const Context& context)
      : source_(std::move(source)),
        key_columns_(key_columns),
        sorter_(std::move(options), context) {
    add_rows(context);
    sorter_.finish();
  }

  const std::string& name() const noexcept override { return source_->name(); }
  const Schema& schema() const override { return source_->schema(); }
  std::string_view format() const noexcept override { return source_->format(); }
  uint64_t key_columns() const noexcept override { return key_columns_; }
  uint64_t rows() const override { return rows_; }
  SkippedRows* skipped() const noexcept override { return source_->skipped(); }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override;

 private:
  class Stream;

  void add_rows(const Context& context);
  // Searches the source for the rows of the key.
  [[noreturn]] void fail_twice(std::string_view key, Context context) const;

  const RowSourcePtr source_;
  const uint64_t key_columns_;
  Sorter sorter_;  // empty if the rows are in order
  bool in_order_ = true;
  uint64_t rows_ = 0;
  RowBatch model_;  // some rows, for types and the values of keys
};

// The sorter gets no rows as long as they are in order.
void SortedRows::add_rows(const Context& context) {
  const auto columns = first_columns(schema().size());
  std::optional<SkippedRows::Uncounted> uncounted(source_->skipped());  // rows are read again
  auto stream = source_->read(columns, context);
  SortKeys keys;
  RowBytes bytes;
  std::string last_key;
  for (RowBatch batch; stream->next(batch);) {
    if (batch.rows == 0) continue;
    const auto add = [&] {
      keys.assign(batch, key_columns_);
      if (in_order_ && keys.first_not_ascending(last_key) == batch.rows) {
        last_key = keys[batch.rows - 1];
        return true;
      }
      if (std::exchange(in_order_, false) && (rows_ != 0 || source_->skipped() != nullptr)) {
        return false;
      }
      bytes.assign(batch);
      for (uint64_t row = 0; row < batch.rows; ++row) {
        sorter_.add(keys[row], bytes[row], view(sortable(keys[row].size())));
      }
      return true;
    };
    const bool added = batch.source == nullptr ? add() : unless_changed(*batch.source, add);
    rows_ += batch.rows;
    if (model_.columns.empty()) model_ = batch;
    if (added) continue;
    uncounted.reset();
    stream = source_->read(columns, context);
    rows_ = 0;
  }
}

void SortedRows::fail_twice(std::string_view key, Context context) const {
  context.progress = nullptr;
  const auto stream = source_->read(first_columns(key_columns_), context);
  uint64_t first_row = 0;
  std::optional<uint64_t> found;
  SortKeys keys;
  for (RowBatch batch; stream->next(batch); first_row += batch.rows) {
    keys.assign(batch, key_columns_);
    for (uint64_t row = 0; row < batch.rows; ++row) {
      if (keys[row] != key) continue;
      if (found) {
        fail(ErrorKind::Argument, name(), "rows ", *found, " and ", first_row + row,
             " have the same key ", key_text(schema(), batch, key_columns_, row));
      }
      found = first_row + row;
    }
  }
  fail(ErrorKind::Changed, name(), "other rows came when they were read again");
}

class SortedRows::Stream final : public RowStream {
 public:
  Stream(const SortedRows& rows, std::span<const uint64_t> columns, const Context& context)
      : rows_(rows),
        columns_(columns.begin(), columns.end()),
        context_(context),
        records_(rows.sorter_) {
    check_columns(columns, rows.schema());
    auto schema = std::make_shared<Schema>();
    for (const uint64_t column : columns_) {
      schema->push_back(rows.schema()[column]);
      schema->back().metadata.clear();
    }
    schema_ = std::move(schema);
  }

  bool next(RowBatch& batch) override {
    context_.step(done_, rows_.rows_);
    collect();
    auto memory = std::move(batch.memory);
    if (memory == nullptr || memory.use_count() > 1) {
      memory = std::make_shared<Arena>(context_.memory);
    } else {
      memory->reset();
    }
    batch = own_batch(schema_, std::move(memory));
    batch.rows = starts_.size();
    if (batch.rows == 0) return false;
    batch.memory->keep(rows_.model_.memory);  // the memory of key values
    std::vector<const char*> at;
    for (const uint64_t start : starts_) at.push_back(bytes_.data() + start);
    std::vector<Values> all;
    for (const Values& model : rows_.model_.columns) {
      all.push_back(read_column(model, at, *batch.memory));
    }
    for (const uint64_t column : columns_) batch.columns.push_back(all[column]);
    done_ += batch.rows;
    return true;
  }

 private:
  void collect() {
    bytes_.clear();
    starts_.clear();
    for (std::string_view record; starts_.size() < kBatchRows && bytes_.size() < kBatchBytes &&
                                  records_.next(record);) {
      const std::string_view key = key_of(record);
      if (key == last_key_) rows_.fail_twice(key, context_);
      last_key_ = key;
      starts_.push_back(bytes_.size());
      bytes_.insert(bytes_.end(), record.begin() + static_cast<ptrdiff_t>(key.size()),
                    record.end());
    }
  }

  const SortedRows& rows_;
  const std::vector<uint64_t> columns_;
  const Context context_;
  SortedRecords records_;
  std::shared_ptr<const Schema> schema_;
  std::vector<char> bytes_;       // bytes of the rows of a batch
  std::vector<uint64_t> starts_;  // start of each row in bytes_
  std::string last_key_;
  uint64_t done_ = 0;
};

std::unique_ptr<RowStream> SortedRows::read(std::span<const uint64_t> columns,
                                            const Context& context) const {
  if (in_order_) return source_->read(columns, context);
  return std::make_unique<Stream>(*this, columns, context);
}

}  // namespace

RowSourcePtr sorted_rows(const RowSourcePtr& source, uint64_t key_columns, uint64_t memory_bytes,
                         std::string path, const Context& context) {
  check_key_columns(source->name(), source->schema(), key_columns);
  SortOptions options = {.memory_bytes = sort_memory(memory_bytes, context),
                         .path = std::move(path)};
  return std::make_shared<SortedRows>(source, key_columns, std::move(options), context);
}

}  // namespace heron::inline v0

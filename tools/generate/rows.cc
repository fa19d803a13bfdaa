#include "generate/rows.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "generate/preset.h"
#include "heron/error.h"

namespace heron::generate {
namespace {

constexpr uint64_t kBatchRows = 8192;

std::unique_ptr<Preset> preset_of(const Order& order) {
  return make_preset(order.preset, order.seed, order.features);
}

class MadeUpStream final : public RowStream {
 public:
  MadeUpStream(const Order& order, std::span<const uint64_t> columns, Context context)
      : preset_(preset_of(order)),
        rows_(order.rows),
        columns_(columns.begin(), columns.end()),
        context_(std::move(context)),
        schema_(std::make_shared<Schema>()) {
    check_columns(columns_, *preset_->schema());
    for (const uint64_t column : columns_) schema_->push_back((*preset_->schema())[column]);
  }

  bool next(RowBatch& batch) override {
    batch = {};  // releases the memory of `whole_` for reuse
    context_.step(done_, rows_);
    preset_->fill(std::min(kBatchRows, rows_ - done_), whole_);
    done_ += whole_.rows;
    batch.schema = schema_;
    batch.rows = whole_.rows;
    batch.memory = whole_.memory;
    for (const uint64_t column : columns_) batch.columns.push_back(whole_.columns[column]);
    return batch.rows != 0;
  }

 private:
  std::unique_ptr<Preset> preset_;
  uint64_t rows_;
  std::vector<uint64_t> columns_;
  Context context_;
  std::shared_ptr<Schema> schema_;
  uint64_t done_ = 0;
  RowBatch whole_;
};

class MadeUpRows final : public RowSource {
 public:
  explicit MadeUpRows(const Order& order)
      : order_(order),
        name_(concat("the preset \"", order.preset, '"')),
        schema_(preset_of(order)->schema()) {
    const uint64_t max_rows = preset_of(order)->max_rows();
    if (order.rows > max_rows) {
      fail(ErrorKind::Limit, {}, name_, " has at most ", max_rows, " rows, got ", order.rows);
    }
  }

  const std::string& name() const noexcept override { return name_; }
  const Schema& schema() const override { return *schema_; }
  uint64_t rows() const override { return order_.rows; }
  std::unique_ptr<RowStream> read(std::span<const uint64_t> columns,
                                  const Context& context) const override {
    return std::make_unique<MadeUpStream>(order_, columns, context);
  }

 private:
  Order order_;
  std::string name_;
  std::shared_ptr<const Schema> schema_;
};

}  // namespace

RowSourcePtr made_up_rows(const Order& order) {
  return std::make_shared<MadeUpRows>(order);
}

}  // namespace heron::generate

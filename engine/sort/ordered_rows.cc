// Each range of morsels collects all of its rows, or the first ones in the order; the ranges are
// joined in table order.
#include "sort/ordered_rows.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "base/fail.h"
#include "base/machine_memory.h"
#include "cache/block_column.h"
#include "columns/column.h"
#include "exec/pool.h"
#include "exec/resolved_query.h"
#include "exec/selected_rows.h"
#include "exec/sink.h"
#include "exec/whole_read.h"
#include "heron/scan.h"
#include "sort/rows_before.h"
#include "table/internals.h"
#include "values/assemble.h"
#include "values/sort_keys.h"

namespace heron::inline v0 {
namespace {

// Collects records of a key and a row number. If `nulls` is not null, the only column has numbers:
// records are pairs of numbers, and rows whose value is null are added to `nulls`.
class OrderSink final : public Sink {
 public:
  OrderSink(const Input& input, std::span<const uint64_t> columns,
            std::span<const OrderColumn> order, uint64_t limit, const Context& context,
            Sorter& sorter, std::vector<uint64_t>* nulls)
      : input_(input),
        reader_(input, columns),
        order_(order),
        tests_bound_(limit != Query::kNoLimit && !order.empty() &&
                     RowsBefore::suits(input, order[0].column, context)),
        limit_(limit),
        context_(context),
        sorter_(sorter),
        nulls_(nulls) {
    for (const OrderColumn& by : order) descending_.push_back(by.descending);
  }

  // Returns whether sampling a few rows is worth its time.
  bool may_sample() const {
    if (!tests_bound_ || limit_ == 0 || limit_ > kMaxSampled) return false;
    const auto* blocks = internals(*input_.table()).column(order_[0].column).blocks();
    const uint64_t decoded = blocks == nullptr ? 0 : blocks->block_rows();
    const uint64_t read = std::max(sample_rows(), decoded) * (kSamples + 1);
    return input_.morsels().size() >= 2 * kSamples && read <= input_.morsels().rows() / 16;
  }
  // Returns record number `limit` of sampled rows from all over the table, so that most rows can be
  // left out even where each comes before those ahead of it; empty: fewer rows were sampled.
  std::string last_of_samples() const {
    const Morsels& morsels = input_.morsels();
    ReadState state(context_, nullptr, input_.skip_damaged());
    Local local(*this, context_);
    const auto add_rows = [&](const Morsel& morsel, uint64_t skipped) {
      Morsel rows = morsel;
      rows.rows.first += skipped;
      rows.first_row += skipped;
      rows.rows.last = std::min(rows.rows.last, rows.rows.first + sample_rows());
      MorselReader reader(input_, rows, state, context_);
      local.arena.reset();
      reader_.for_each(reader, local.arena, [&](SelectedRows&& some) { add(some, local); });
    };
    for (uint64_t i = 0; i < kSamples; ++i) add_rows(morsels[i * morsels.size() / kSamples], 0);
    const Morsel last = morsels[morsels.size() - 1];
    add_rows(last, last.rows.rows() - std::min(last.rows.rows(), sample_rows()));
    local.sorter.finish();
    if (local.sorter.size() < limit_) return {};
    SortedRecords records(local.sorter);
    std::string_view record;
    for (uint64_t i = 0; i < limit_; ++i) records.next(record);
    return std::string(record);
  }

  std::unique_ptr<LocalState> local(uint64_t) const override {
    auto local = std::make_unique<Local>(*this, context_);
    const std::lock_guard lock(mutex_);
    local->sorter.set_bound(sorter_.bound());
    return local;
  }
  std::span<const uint64_t> columns() const override { return reader_.columns(); }
  void consume(uint64_t, MorselReader& morsel, LocalState& state) const override {
    Local& local = static_cast<Local&>(state);
    const std::string& bound = local.sorter.bound();
    if (local.before && !bound.empty() && !local.before->narrow(bound, morsel)) return;
    local.arena.reset();
    reader_.for_each(morsel, local.arena, [&](SelectedRows&& rows) { add(rows, local); });
  }
  void combine(uint64_t, LocalState& state) override {
    Local& local = static_cast<Local&>(state);
    if (nulls_ != nullptr) nulls_->insert(nulls_->end(), local.nulls.begin(), local.nulls.end());
    const std::lock_guard lock(mutex_);
    const std::string& bound = local.sorter.bound();
    if (!bound.empty() && (sorter_.bound().empty() || bound < sorter_.bound()))
      sorter_.set_bound(bound);
    sorter_.add(std::move(local.sorter));
  }
  Pace pace() const override {
    return {.most_items_a_range = 4, .ranges_a_thread = 2, .bounded = true};
  }

 private:
  struct Local final : LocalState {
    Local(const OrderSink& sink, const Context& context)
        : arena(context.memory),
          sorter({.limit = sink.limit_, .numbers = sink.nulls_ != nullptr}, context) {
      if (!sink.tests_bound_) return;
      before.emplace(sink.input_, sink.order_[0], sink.order_.size() == 1, context);
    }
    std::optional<RowsBefore> before;
    Arena arena;
    Sorter sorter;
    SortKeys keys;
    std::vector<uint32_t> kept, rows;
    std::vector<uint64_t> nulls;
  };

  void add(SelectedRows& selected, Local& local) const {
    auto& [before, arena, sorter, keys, kept, rows, nulls] = local;
    rows.assign(selected.rows.begin(), selected.rows.end());
    kept = rows;
    std::iota(kept.begin(), kept.end(), 0U);
    if (!sorter.bound().empty() && !descending_.empty()) {
      // Leaves out later rows that tie with the bound in the only column: they are behind it.
      const bool level =
          descending_.size() > 1 || number_at_end(sorter.bound()) >= selected.first_row;
      find_not_behind(sorter.bound(), selected.columns[0], descending_[0] != 0, level,
                      selected.rows, kept);
      for (uint64_t i = 0; i < kept.size(); ++i) rows[i] = selected.rows[kept[i]];
      rows.resize(kept.size());
    }
    if (rows.empty()) return;
    for (Values& values : selected.columns) {
      if (rows.size() != values.rows) values = pick(values, rows, arena);
    }
    keys.assign(selected.columns, rows.size(), descending_);
    if (nulls_ != nullptr) {
      for (uint64_t i = 0; i < rows.size(); ++i) {
        const uint64_t row = selected.first_row + selected.offsets[i];
        keys[i].size() == 1 ? nulls.push_back(row) : sorter.add(key_prefix(keys[i], 1), row);
      }
      return;
    }
    // Adds the last rows first: if the order is the reverse of the table's, they exclude all other
    // rows.
    const bool backwards = limit_ < rows.size();
    for (uint64_t k = 0; k < rows.size(); ++k) {
      const uint64_t i = backwards ? rows.size() - 1 - k : k;
      sorter.add(keys[i], view(sortable(selected.first_row + selected.offsets[kept[i]])));
    }
  }

  static constexpr uint64_t kSamples = 8, kMaxSampled = 2048;
  uint64_t sample_rows() const { return std::max<uint64_t>(limit_, 128); }

  const Input& input_;
  const SelectedRowsReader reader_;
  const std::span<const OrderColumn> order_;
  const bool tests_bound_;  // tests the first column before others are read
  std::vector<uint8_t> descending_;
  const uint64_t limit_;
  const Context& context_;
  mutable std::mutex mutex_;
  Sorter& sorter_;
  std::vector<uint64_t>* const nulls_;
};

constexpr QueryUse kUse{.call = "ordered_rows", .limit = true, .order = true};

std::vector<OrderColumn> order_of(const Query& query) {
  check_use(query, kUse);
  return order_columns(*query.table, query.order);
}

// Returns whether a key is a number behind the byte that marks null.
bool is_number(const Table& table, std::span<const OrderColumn> order) {
  return order.size() == 1 && !internals(table).column(order[0].column).type().has_bytes();
}

// Returns a record behind which no row is among the first `limit`; empty: unknown. Errors of
// reading are left for the run to report.
std::string bound_of_samples(SelectedBy selected, std::span<const uint64_t> columns,
                             std::span<const OrderColumn> order, uint64_t limit,
                             const Context& context) {
  Context quiet = context;
  quiet.progress = nullptr;
  selected.metrics = nullptr;
  try {
    Sorter unused({.limit = limit}, quiet);
    const Input input(selected, quiet);
    return OrderSink(input, columns, order, limit, quiet, unused, nullptr).last_of_samples();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

uint64_t default_key_bytes() noexcept {
  constexpr uint64_t kMin = uint64_t{256} << 20, kMax = uint64_t{1} << 30;
  return std::clamp(machine_memory() / 16, kMin, kMax);
}

OrderedRows::OrderedRows(const Query& query, const Context& context, uint64_t key_bytes)
    : order_(order_of(query)),
      numbers_(query.limit == Query::kNoLimit && is_number(*query.table, order_)),
      sorter_({.limit = query.limit,
               .memory_bytes = sort_memory(key_bytes, context),
               .path = temporary_path("keys of rows"),
               .numbers = numbers_},
              context) {
  const SelectedBy selected(query, kUse);
  const std::shared_ptr<const Table>& table = query.table;
  std::vector<uint64_t> columns;
  for (const OrderColumn& by : order_) {
    const Column& column = internals(*table).column(by.column);
    column.check_readable();
    if (!has_order(column.type())) {
      fail(ErrorKind::Argument, bytes_of(*table).name(), "column \"", column.name(),
           "\" is of type ", column.type().name(), ", which has no order");
    }
    columns.push_back(by.column);
  }
  unless_changed(bytes_of(*table), [&] {
    if (selected.is_whole()) check_whole_read(*table, columns, context);
    check_stored(*table, columns, selected.range.rows());
    const Input input(selected, context);
    input.mark_read(columns);
    OrderSink sink(input, columns, order_, query.limit, context, sorter_,
                   numbers_ ? &nulls_ : nullptr);
    if (sink.may_sample()) {
      sorter_.set_bound(bound_of_samples(selected, columns, order_, query.limit, context));
    }
    run(input, sink, context);
    table->check_unchanged();
  });
  sorter_.finish();
  records_.emplace(sorter_);
}

void OrderedRows::next(uint64_t count, std::vector<uint64_t>& rows) {
  rows.clear();
  const auto next_nulls = [&] {
    const uint64_t some = std::min(count - rows.size(), nulls_.size() - given_nulls_);
    const auto from = nulls_.begin() + static_cast<ptrdiff_t>(given_nulls_);
    rows.insert(rows.end(), from, from + static_cast<ptrdiff_t>(some));
    given_nulls_ += some;
  };
  const bool nulls_last = numbers_ && order_[0].descending;
  if (!nulls_last) next_nulls();
  for (std::string_view record; rows.size() < count && records_->next(record);) {
    rows.push_back(number_at_end(record));
  }
  if (nulls_last) next_nulls();
}

std::vector<uint64_t> ordered_rows(const Query& query, const Context& context) {
  OrderedRows ordered(extended(query), context);
  std::vector<uint64_t> rows;
  rows.reserve(ordered.size());
  ordered.next(UINT64_MAX, rows);
  return rows;
}

}  // namespace heron::inline v0

// Asks each question. Values that an answer only points at in the map are read, as all others are,
// so that an answer means the same for every format.
#include <algorithm>
#include <array>

#include "base/fail.h"
#include "bench/plain_loop.h"
#include "bench/questions.h"
#include "heron/error.h"
#include "heron/find.h"
#include "heron/forest.h"
#include "heron/loader.h"
#include "heron/scan.h"
#include "heron/take.h"

namespace heron::cli::bench {
namespace {

// Reads values and their children; returns their number of bytes.
uint64_t look_at(const Values& values) {
  const bool has_extents = values.offsets.data != nullptr && values.rows > 0;
  uint64_t from = 0, bytes = values.data.bytes;
  if (has_extents && values.type.is_text()) {
    from = values.extent(0);
    bytes = values.extent(values.rows) - from;
  }
  uint64_t sum = 0, seen = bytes;
  if (bytes > 0) sum += sum_of(values.data.data + from, bytes);
  for (const Buffer* buffer : {&values.offsets, &values.validity}) {
    if (buffer->data == nullptr) continue;
    sum += sum_of(buffer->data, buffer->bytes);
    seen += buffer->bytes;
  }
  keep_sum(sum);
  // The children of keys are their values, which are the same for all rows.
  if (values.type.is(Type::Key)) return seen;
  for (const Values& child : values.children) seen += look_at(child);
  return seen;
}

Answered look_at(const RowBatch& batch) {
  Answered answered{batch.rows, 0};
  for (const Values& column : batch.columns) answered.bytes += look_at(column);
  return answered;
}

Answered all_of(Scan& scan, RowBatch& batch) {
  Answered all;
  while (scan.next(batch)) {
    const Answered some = look_at(batch);
    all.rows += some.rows;
    all.bytes += some.bytes;
  }
  return all;
}

class Opening final : public Asker {
 public:
  Opening(const Subject& subject, const Context& context) : subject_(subject), context_(context) {}

  Answered ask(const Input&) override {
    file_ = open_file(subject_, context_);
    return {};
  }
  void rest() override { file_ = {}; }

 private:
  const Subject& subject_;
  const Context& context_;
  OpenFile file_;
};

// Asks row, rows and take.
class Taking final : public Asker {
 public:
  Taking(Projection columns, const Context& context)
      : columns_(std::move(columns)), context_(context) {}

  Answered ask(const Input& input) override {
    take(columns_, input.rows, batch_, context_);
    return look_at(batch_);
  }

 private:
  const Projection columns_;
  const Context& context_;
  RowBatch batch_;
};

// Asks block and group.
class Reading final : public Asker {
 public:
  Reading(Projection columns, Op op, uint64_t rows, const Context& context)
      : columns_(std::move(columns)), op_(op), rows_(rows), context_(context) {}

  Answered ask(const Input& input) override {
    read(columns_, rows_of(op_, columns_, rows_, input), batch_, context_);
    return look_at(batch_);
  }

 private:
  const Projection columns_;
  const Op op_;
  const uint64_t rows_;
  const Context& context_;
  RowBatch batch_;
};

// Asks column, scan and filter.
class Scanning final : public Asker {
 public:
  Scanning(Projection columns, bool by_column, const std::string& where,
           std::optional<RowRange> range, const Context& context)
      : columns_(std::move(columns)), by_column_(by_column), range_(range), context_(context) {
    if (!where.empty()) where_.emplace(columns_.table(), where);
  }

  Answered ask(const Input& input) override {
    Query query(columns_, where_);
    query.range = range_;
    if (by_column_) {
      query.columns = Projection(columns_.table(), std::array{columns_.indices()[input.unit]});
    }
    Scan scan(query, context_);
    return all_of(scan, batch_);
  }

 private:
  const Projection columns_;
  const bool by_column_;
  const std::optional<RowRange> range_;
  std::optional<Predicate> where_;
  const Context& context_;
  RowBatch batch_;
};

class Sampling final : public Asker {
 public:
  Sampling(Projection columns, uint64_t seed, std::optional<RowRange> range, const Context& context)
      : query_(std::move(columns)), seed_(seed), context_(context) {
    query_.range = range;
  }

  Answered ask(const Input& input) override {
    if (!loader_ || !loader_->next(batch_)) {
      const EpochOptions epoch{.sampler = {.seed = seed_, .epoch = input.number},
                               .batch_rows = kBatchRows};
      loader_.emplace(query_, epoch, LoaderOptions{.prefetch = 0}, context_);
      loader_->next(batch_);
    }
    return look_at(batch_.columns);
  }

 private:

  Query query_;
  const uint64_t seed_;
  const Context& context_;
  std::optional<Loader> loader_;
  LoaderBatch batch_;
};

class Finding final : public Asker {
 public:
  Finding(Projection columns, const FileFacts& facts, const Context& context)
      : columns_(std::move(columns)),
        key_(columns_.table(), facts.key_columns),
        facts_(facts),
        context_(context) {
    if (!facts.key_error.empty()) throw Error(ErrorKind::Corrupt, {}, facts.key_error);
  }

  Answered ask(const Input& input) override {
    const std::vector<uint64_t> rows = find(key_, facts_.keys[input.unit], context_);
    if (rows.front() == kNoRow) {
      fail(ErrorKind::Argument, {}, "find: the key of row ", input.first_row, " was not found");
    }
    take(columns_, rows, batch_, context_);
    return look_at(batch_);
  }

 private:
  const Projection columns_;
  const Projection key_;
  const FileFacts& facts_;
  const Context& context_;
  RowBatch batch_;
};

// Asks predict, predict_256 and predict_100k.
class Predicting final : public Asker {
 public:
  Predicting(std::shared_ptr<const Table> table, std::span<const float> points, uint64_t at_once,
             const Context& context)
      : forest_(std::move(table)), points_(points), labels_(at_once), context_(context) {}

  Answered ask(const Input& input) override {
    const uint64_t features = forest_.feature_count(), values = labels_.size() * features;
    const auto points = points_.subspan(input.number * values % (points_.size() - values + 1) /
                                            features * features, values);
    if (labels_.size() == 1) {
      labels_[0] = forest_.predict_one(points);
    } else {
      forest_.predict(points, std::span(labels_), {}, context_);
    }
    keep_sum(labels_.back());
    return {labels_.size(), labels_.size()};
  }

 private:
  const Forest forest_;
  const std::span<const float> points_;
  std::vector<uint8_t> labels_;
  const Context& context_;
};

}  // namespace

std::unique_ptr<Asker> make_asker(Op op, const Subject& subject, const FileFacts& facts,
                                  const OpenFile& file, const Context& context) {
  if (op == Op::Open) return std::make_unique<Opening>(subject, context);
  if (is_prediction(op)) {
    return std::make_unique<Predicting>(file.opened->table(facts.forest_table), facts.points,
                                        points_of(op), context);
  }
  Projection columns = projection_of(subject, file);
  // Questions are limited to the rows that all files have.
  std::optional<RowRange> range;
  if (facts.rows < file.table->rows()) range = RowRange{0, facts.rows};
  switch (op) {
    case Op::Row:
    case Op::Rows:
    case Op::Take: return std::make_unique<Taking>(std::move(columns), context);
    case Op::Block:
    case Op::Group:
      return std::make_unique<Reading>(std::move(columns), op, facts.rows, context);
    case Op::Sample:
      return std::make_unique<Sampling>(std::move(columns), subject.seed, range, context);
    case Op::Find: return std::make_unique<Finding>(std::move(columns), facts, context);
    default: break;
  }
  return std::make_unique<Scanning>(std::move(columns), op == Op::Column,
                                    op == Op::Filter ? subject.where : std::string(), range,
                                    context);
}

}  // namespace heron::cli::bench

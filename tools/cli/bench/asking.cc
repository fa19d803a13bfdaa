// Asking each question. Values that a call only points at in the map are looked at, as all are, so
// that an answer means the same for every format.
#include <algorithm>
#include <array>
#include <cstring>

#include "bench/questions.h"
#include "heron/error.h"
#include "heron/find.h"
#include "heron/sampler.h"
#include "heron/scan.h"
#include "heron/take.h"

namespace heron::cli::bench {
namespace {

// Adds up bytes, eight at a time: what looking at them costs at least.
uint64_t look_at(const std::byte* data, uint64_t bytes) {
  std::array<uint64_t, 4> sums{};
  uint64_t at = 0;
  for (; at + sizeof sums <= bytes; at += sizeof sums) {
    std::array<uint64_t, 4> words;
    std::memcpy(words.data(), data + at, sizeof words);
    for (size_t i = 0; i < words.size(); ++i) sums[i] += words[i];
  }
  for (; at < bytes; ++at) sums[0] += std::to_integer<uint64_t>(data[at]);
  return sums[0] + sums[1] + sums[2] + sums[3];
}

// Of values and their children; returns how many bytes they are.
uint64_t look_at(const Values& values) {
  const bool has_extents = values.offsets.data != nullptr && values.rows > 0;
  uint64_t from = 0, bytes = values.data.bytes;
  if (has_extents && values.type.is_text()) {
    from = values.extent(0);
    bytes = values.extent(values.rows) - from;
  }
  uint64_t sum = 0, seen = bytes;
  if (bytes > 0) sum += look_at(values.data.data + from, bytes);
  for (const Buffer* buffer : {&values.offsets, &values.validity}) {
    if (buffer->data == nullptr) continue;
    sum += look_at(buffer->data, buffer->bytes);
    seen += buffer->bytes;
  }
  asm volatile("" : : "g"(&sum) : "memory");  // the sums are used
  // The values that keys stand for are the same for all rows.
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

Projection projection_of(const Subject& subject, const OpenFile& file) {
  return subject.columns.empty() ? Projection(file.table) : Projection(file.table, subject.columns);
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

// row, rows, take.
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

// block, group.
class Reading final : public Asker {
 public:
  Reading(Projection columns, bool groups, const Context& context)
      : columns_(std::move(columns)), groups_(groups), context_(context) {}

  Answered ask(const Input& input) override {
    const RowRange rows =
        groups_ ? columns_.table()->group(input.unit) : columns_.block(input.unit);
    read(columns_, rows, batch_, context_);
    return look_at(batch_);
  }

 private:
  const Projection columns_;
  const bool groups_;
  const Context& context_;
  RowBatch batch_;
};

// column, scan, filter.
class Scanning final : public Asker {
 public:
  Scanning(Projection columns, bool by_column, const std::string& where, const Context& context)
      : columns_(std::move(columns)), by_column_(by_column), context_(context) {
    if (!where.empty()) where_.emplace(columns_.table(), where);
  }

  Answered ask(const Input& input) override {
    Query query(columns_, where_);
    if (by_column_) {
      query.columns = Projection(columns_.table(), std::array{columns_.indices()[input.unit]});
    }
    Scan scan(query, context_);
    return all_of(scan, batch_);
  }

 private:
  const Projection columns_;
  const bool by_column_;
  std::optional<Predicate> where_;
  const Context& context_;
  RowBatch batch_;
};

class Sampling final : public Asker {
 public:
  Sampling(Projection columns, uint64_t seed, const Context& context)
      : columns_(std::move(columns)), seed_(seed), context_(context) {}

  Answered ask(const Input& input) override {
    if (!loader_) loader_.emplace(columns_, options(input), kBatchRows, 0, context_);
    if (!loader_->next(batch_)) {
      loader_.emplace(columns_, options(input), kBatchRows, 0, context_);
      loader_->next(batch_);
    }
    return look_at(batch_);
  }

 private:
  SamplerOptions options(const Input& input) const {
    return {.seed = seed_, .epoch = input.number};
  }

  const Projection columns_;
  const uint64_t seed_;
  const Context& context_;
  std::optional<BatchLoader> loader_;
  RowBatch batch_;
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
      fail(ErrorKind::Argument, {}, "find: the key of row ", input.place, " was not found");
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

}  // namespace

std::unique_ptr<Asker> make_asker(Op op, const Subject& subject, const FileFacts& facts,
                                  const OpenFile& file, const Context& context) {
  if (op == Op::Open) return std::make_unique<Opening>(subject, context);
  Projection columns = projection_of(subject, file);
  switch (op) {
    case Op::Row:
    case Op::Rows:
    case Op::Take: return std::make_unique<Taking>(std::move(columns), context);
    case Op::Block:
    case Op::Group: return std::make_unique<Reading>(std::move(columns), op == Op::Group, context);
    case Op::Sample: return std::make_unique<Sampling>(std::move(columns), subject.seed, context);
    case Op::Find: return std::make_unique<Finding>(std::move(columns), facts, context);
    default: break;
  }
  return std::make_unique<Scanning>(std::move(columns), op == Op::Column,
                                    op == Op::Filter ? subject.where : std::string(), context);
}

}  // namespace heron::cli::bench

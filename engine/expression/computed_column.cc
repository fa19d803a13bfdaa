#include "expression/computed_column.h"

#include <algorithm>
#include <utility>

#include "expression/column_vector.h"
#include "expression/evaluator.h"

namespace heron::inline v0 {
namespace {

// What is read and computed together: inputs of eight bytes fill the nearest cache but one.
constexpr uint64_t kRowsTogether = 8 * kVectorRows;

}  // namespace

// The inputs of some rows, each read at its first use.
class ComputedColumn::Inputs final : public ColumnReader {
 public:
  Inputs(const ComputedColumn& column, Arena& arena, const Context& context)
      : column_(column), arena_(arena), context_(context), read_(column.inputs_.size()) {}

  // The next rows: from `first` on or, if it is not empty, those of the list.
  void move_to(uint64_t first, std::span<const uint64_t> list) {
    first_ = first;
    list_ = list;
    for (auto& [chunk, is_read] : read_) is_read = false;
  }

  const ColumnChunk& read(uint64_t column, RowRange rows) override {
    const auto& columns = column_.program_->columns();
    const auto at = std::lower_bound(columns.begin(), columns.end(), column) - columns.begin();
    auto& [chunk, is_read] = read_[static_cast<size_t>(at)];
    if (!std::exchange(is_read, true)) {
      const Column& input = *column_.inputs_[static_cast<size_t>(at)];
      chunk = ColumnChunk();
      if (list_.empty())
        chunk = vector_input(input, {first_ + rows.first, first_ + rows.last}, arena_, context_);
      else
        chunk.values = input.take(list_.subspan(rows.first, rows.rows()), arena_, context_);
    }
    return chunk;
  }

 private:
  const ComputedColumn& column_;
  Arena& arena_;
  const Context& context_;
  uint64_t first_ = 0;
  std::span<const uint64_t> list_;
  std::vector<std::pair<ColumnChunk, bool>> read_;
};

ComputedColumn::ComputedColumn(uint64_t rows, ColumnLabel label,
                               std::shared_ptr<const Program> program,
                               std::vector<const Column*> inputs)
    : Column(program->root().expression.kind == Expression::Kind::Column ? inputs.front()->type()
                                                                         : program->type(),
             rows, std::move(label)),
      program_(std::move(program)),
      inputs_(std::move(inputs)) {}

Values ComputedColumn::read(RowRange rows, Arena& arena, const Context& context) const {
  if (is_renamed()) return inputs_.front()->read(rows, arena, context);
  return compute(rows.first, {}, rows.rows(), arena, context);
}

Values ComputedColumn::take(std::span<const uint64_t> rows, Arena& arena,
                            const Context& context) const {
  if (is_renamed()) return inputs_.front()->take(rows, arena, context);
  return compute(0, rows, rows.size(), arena, context);
}

Values ComputedColumn::compute(uint64_t first, std::span<const uint64_t> list, uint64_t count,
                               Arena& arena, const Context& context) const {
  VectorCollector collector(type(), count, arena);
  Arena read(context.memory);
  Inputs inputs(*this, read, context);
  Evaluator evaluator(*program_, inputs, arena, context);
  uint64_t needed[kVectorWords];
  for (uint64_t at = 0; at < count; at += kRowsTogether) {
    const uint64_t together = std::min(kRowsTogether, count - at);
    context.check_cancelled();
    read.reset();
    inputs.move_to(first + at, list.empty() ? list : list.subspan(at, together));
    evaluator.move_to({0, together});
    for (uint64_t row = 0; row < together; row += kVectorRows) {
      const uint64_t rows = std::min(kVectorRows, together - row);
      set_first_bits(needed, rows);
      collector.append(evaluator.evaluate(row, rows, needed, collector.room()), rows);
    }
  }
  return collector.finish();
}

void ComputedColumn::locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
                            const Context& context) const {
  for (const Column* input : inputs_) input->locate(rows, round, bytes, context);
}

void ComputedColumn::prefetch(std::span<const uint64_t> rows) const noexcept {
  for (const Column* input : inputs_) input->prefetch(rows);
}

const KeyValues* ComputedColumn::key_values() const noexcept {
  return is_renamed() ? inputs_.front()->key_values() : nullptr;
}

const Error* ComputedColumn::unreadable() const noexcept {
  for (const Column* input : inputs_) {
    if (const Error* error = input->unreadable()) return error;
  }
  return nullptr;
}

}  // namespace heron::inline v0

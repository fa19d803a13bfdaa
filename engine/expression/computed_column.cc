#include "expression/computed_column.h"

#include <algorithm>
#include <utility>

#include "columns/dictionaries/dictionary.h"
#include "columns/dictionaries/key_column.h"
#include "expression/column_vector.h"
#include "expression/evaluator.h"
#include "expression/functions/ascii_texts.h"
#include "values/assemble.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

// With fewer rows per value, computing all values, which rows may not have, would take longer.
constexpr uint64_t kRowsAValue = 4;

// Rows that are read and computed together: inputs of eight bytes fill the second cache.
constexpr uint64_t kRowsTogether = 8 * kVectorRows;

// Returns the same values for every column.
class GivenInput final : public ColumnReader {
 public:
  explicit GivenInput(const Values& values) {
    chunk_.rows = {0, values.rows};
    chunk_.values = values;
  }
  const ColumnChunk& read(uint64_t, RowRange) override { return chunk_; }

 private:
  ColumnChunk chunk_;
};

Values results_for(const Program& program, const Values& input, Arena& arena,
                   const Context& context) {
  VectorCollector collector(program.type(), input.rows, arena);
  GivenInput given(input);
  Evaluator evaluator(program, given, arena, context);
  evaluator.move_to({0, input.rows});
  uint64_t needed[kVectorWords];
  for (uint64_t first = 0; first < input.rows; first += kVectorRows) {
    const uint64_t rows = std::min(kVectorRows, input.rows - first);
    context.check_cancelled();
    set_first_bits(needed, rows);
    collector.append(evaluator.evaluate(first, rows, needed, collector.room()), rows);
  }
  return collector.finish();
}

// Return the indices of the results of keys and of codes: 0 for null.
std::span<const uint32_t> rows_of_keys(const Values& keys, Arena& arena) {
  auto* indices = arena.allocate_array<uint32_t>(keys.rows);
  visit_unsigned_type(keys.type, [&]<class Cell>() {
    for (uint64_t i = 0; i < keys.rows; ++i) {
      indices[i] = keys.is_null(i) ? 0 : static_cast<uint32_t>(cell_of<Cell>(keys, i));
    }
  });
  return {indices, keys.rows};
}
std::span<const uint32_t> rows_of_codes(const Values& codes, const Dictionary& texts,
                                        Arena& arena) {
  const auto null = static_cast<uint32_t>(texts.size() - 1);
  auto* indices = arena.allocate_array<uint32_t>(codes.rows);
  with_codes(codes, [&](auto code_of) {
    for (uint64_t i = 0; i < codes.rows; ++i) {
      const uint32_t code = code_of(i);
      indices[i] = code < null ? code + 1 : 0;
    }
  });
  return {indices, codes.rows};
}

}  // namespace

bool KeyResults::has_keys(const Context& context) const {
  const KeyValues* keys = input_.key_values();
  if (keys == nullptr || program_.columns().size() != 1) return false;
  once_.run([&] { compute(keys->values(context), context); });
  return results_.has_value();
}

void KeyResults::compute(const Values& values, const Context& context) const {
  if (values.rows >= UINT32_MAX || values.rows > input_.rows() / kRowsAValue) return;
  Values null(Type::Null, 1);
  null.null_count = 1;
  try {
    Arena arena(context.memory);
    const Values results[] = {results_for(program_, null, arena, context),
                              results_for(program_, values, arena, context)};
    results_ = concatenate(program_.type(), results, arena_);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Argument && error.kind() != ErrorKind::Limit) throw;
  }
}

std::optional<KeyResults::OfRows> KeyResults::read(RowRange rows, Arena& arena,
                                                   const Context& context) const {
  if (has_keys(context)) {
    return OfRows{*results_, rows_of_keys(input_.read(rows, arena, context), arena)};
  }
  if (!input_.type().is_text() || program_.columns().size() != 1) return std::nullopt;
  const auto codes = input_.codes(rows, arena, context);
  if (!codes || codes->dictionary->texts() == nullptr) return std::nullopt;
  once_.run([&] {
    compute(codes->dictionary->values(context), context);
    texts_ = codes->dictionary;
  });
  if (codes->dictionary != texts_ || !results_) return std::nullopt;
  return OfRows{*results_, rows_of_codes(codes->codes, *texts_, arena)};
}

std::optional<KeyResults::OfRows> KeyResults::take(std::span<const uint64_t> rows, Arena& arena,
                                                   const Context& context) const {
  if (!has_keys(context)) return std::nullopt;
  return OfRows{*results_, rows_of_keys(input_.take(rows, arena, context), arena)};
}

// Reads the inputs of some rows, each at its first use.
class ComputedColumn::Inputs final : public ColumnReader {
 public:
  Inputs(const ComputedColumn& column, Arena& arena, const Context& context)
      : column_(column), arena_(arena), context_(context), read_(column.inputs_.size()) {}

  // Moves to the rows from `first` on or, if the list is not empty, to the rows of the list.
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

// Computes one batch of rows after the other, in memory that they share.
class ComputedColumn::Computing {
 public:
  // All arguments must outlive this.
  Computing(const ComputedColumn& column, Arena& own, const Context& context)
      : column_(column),
        context_(context),
        read_(context.memory),
        inputs_(column, read_, context),
        evaluator_(*column.program_, inputs_, own, context) {}

  // Returns the values of `count` rows, as compute() does, in the arena.
  Values values(uint64_t first, std::span<const uint64_t> list, uint64_t count, Arena& arena) {
    VectorCollector collector(column_.type(), count, arena);
    for (uint64_t at = 0; at < count; at += kRowsTogether) {
      const uint64_t together = std::min(kRowsTogether, count - at);
      move_to(first + at, list.empty() ? list : list.subspan(at, together), together);
      append({0, together}, collector);
    }
    return collector.finish();
  }

  // Moves to `count` rows, given as to compute(), for which inputs are read together.
  void move_to(uint64_t first, std::span<const uint64_t> list, uint64_t count) {
    context_.check_cancelled();
    read_.reset();
    inputs_.move_to(first, list);
    evaluator_.move_to({0, count});
  }
  // Appends the values of some rows, counted from the first row of move_to().
  void append(RowRange rows, VectorCollector& to) {
    uint64_t needed[kVectorWords];
    for (uint64_t row = rows.first; row < rows.last; row += kVectorRows) {
      const uint64_t count = std::min(kVectorRows, rows.last - row);
      set_first_bits(needed, count);
      to.append(evaluator_.evaluate(row, count, needed, to.room()), count);
    }
  }

 private:
  const ComputedColumn& column_;
  const Context& context_;
  Arena read_;
  Inputs inputs_;
  Evaluator evaluator_;
};

ComputedColumn::ComputedColumn(uint64_t rows, ColumnLabel label,
                               std::shared_ptr<const Program> program,
                               std::vector<const Column*> inputs)
    : Column(program->root().expression.kind == Expression::Kind::Column ? inputs.front()->type()
                                                                         : program->type(),
             rows, std::move(label)),
      program_(std::move(program)),
      inputs_(std::move(inputs)) {
  if (inputs_.size() == 1) by_key_.emplace(*program_, *inputs_.front());
}

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
  if (by_key_) {
    const auto rows = list.empty() ? by_key_->read({first, first + count}, arena, context)
                                   : by_key_->take(list, arena, context);
    if (rows) return pick(rows->results, rows->indices, arena);
  }
  if (auto texts = texts_at_once(first, list, count, arena, context)) return *std::move(texts);
  Arena own(context.memory);
  return Computing(*this, own, context).values(first, list, count, arena);
}

std::optional<Values> ComputedColumn::texts_at_once(uint64_t first, std::span<const uint64_t> list,
                                                    uint64_t count, Arena& arena,
                                                    const Context& context) const {
  const Program::Node& root = program_->root();
  const bool may_be =
      has_ascii_texts(root.expression) &&
      program_->nodes()[root.parts[0]].expression.kind == Expression::Kind::Column &&
      inputs_.front()->type().is(Type::Text) && type().is(Type::Text);
  if (!may_be) return std::nullopt;
  const Values texts = list.empty() ? inputs_.front()->read({first, first + count}, arena, context)
                                    : inputs_.front()->take(list, arena, context);
  return ascii_texts(root.expression, texts, arena);
}

void ComputedColumn::read_blocks(RowRange rows, uint64_t first_rows, uint64_t block_rows,
                                 const Context& context, const UseBlock& use) const {
  Arena own(context.memory), arena(context.memory);
  const auto has_keys = [&] {
    return by_key_ && rows.rows() != 0 &&
           by_key_->read({rows.first, rows.first + 1}, arena, context).has_value();
  };
  if (is_renamed() || type().has_bytes() || has_keys()) {
    return Column::read_blocks(rows, first_rows, block_rows, context, use);
  }
  Computing computing(*this, own, context);
  const uint64_t blocks = std::max<uint64_t>(kRowsTogether / block_rows, 1);
  RowRange together{rows.first, rows.first};  // the rows that inputs are read for
  for (uint64_t next = first_rows; rows.first < rows.last; next = block_rows) {
    if (rows.first == together.last) {
      const uint64_t count = std::min(next + (blocks - 1) * block_rows, rows.rows());
      together = {rows.first, rows.first + count};
      computing.move_to(rows.first, {}, count);
    }
    const RowRange block{rows.first, rows.first + std::min(next, rows.rows())};
    arena.reset();
    VectorCollector collector(type(), block.rows(), arena);
    computing.append({block.first - together.first, block.last - together.first}, collector);
    use(block, collector.finish(), arena);
    rows.first = block.last;
  }
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

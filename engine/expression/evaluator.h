// Computes an expression for some rows at a time: each part for all rows that need it, one part
// after the other, in memory that is reused.
#pragma once

#include <array>
#include <vector>

#include "base/arena.h"
#include "columns/column_chunk.h"
#include "expression/functions/function.h"
#include "expression/program.h"
#include "heron/context.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Gives an evaluator the values of columns.
class ColumnReader {
 public:
  virtual ~ColumnReader() = default;
  // Returns a column of the table that the expression was checked against, in the form of
  // vector_input(), for the rows that the evaluator was moved to; it lives until the evaluator is
  // moved again, or longer.
  virtual const ColumnChunk& read(uint64_t column, RowRange rows) = 0;
};

// Computes a program's values. One thread at a time. Keeps references to all its arguments; its own
// memory comes from the arena.
class Evaluator {
 public:
  Evaluator(const Program& program, ColumnReader& columns, Arena& arena, const Context& context);

  // Columns are read for these rows together, at their first use.
  void move_to(RowRange rows) {
    rows_ = rows;
    columns_read_.assign(columns_read_.size(), nullptr);
  }
  // Returns the values of `count` rows, at most kVectorRows, from `first` on, counted from the
  // first row of move_to(); valid until the next call. Only rows whose bit is set in `needed` are
  // computed: the others are undefined, and cause no errors. Throws what reading columns throws,
  // Error(Argument) for a value without a result, Error(Limit). Numbers that are computed are
  // written to `room`, of `count` values of their kind, if it is not null.
  Vector evaluate(uint64_t first, uint64_t count, const uint64_t* needed,
                  std::byte* room = nullptr);

 private:
  using Bits = std::array<uint64_t, kVectorWords>;
  struct State {
    std::byte* out = nullptr;  // kVectorRows values
    uint64_t* valid = nullptr;
    uint64_t step = 0;  // number of the last evaluate() that computed it
    Bits computed{};    // the rows for which that evaluate() computed it
    Vector result;
  };

  // How many vectors are computed with exact nulls after one that had a NaN.
  static constexpr uint64_t kExactAfterNaN = 32;

  const Vector& value(uint32_t node, const uint64_t* needed);
  void compute(uint32_t node, const uint64_t* needed);
  void fill(const Expression& constant, State& state);
  void call(const Program::Node& node, const uint64_t* needed, State& state);
  void combine(const Program::Node& node, const uint64_t* needed, State& state);
  void choose(const Program::Node& node, const uint64_t* needed, State& state);
  void choose_between(const Vector& left, const Vector& right, const uint64_t* rows,
                      const uint64_t* needed, State& state);
  bool choose_or_null(const Program::Node& node, const uint64_t* needed, State& state);
  void coalesce(const Program::Node& node, const uint64_t* needed, State& state);
  void copy_rows(const Vector& from, const uint64_t* rows, State& state);
  uint64_t words() const noexcept { return bit_words(count_); }

  const Program& program_;
  ColumnReader& columns_;
  Arena& arena_;
  Arena texts_;
  RowRange rows_;
  uint64_t first_ = 0, count_ = 0, step_ = 0;
  bool trusts_nans_ = false;  // NaNs that are nulls are taken for values
  uint64_t exact_left_ = 0;
  std::vector<State> states_;                     // one for each node
  std::vector<const ColumnChunk*> columns_read_;  // chunk of each node that is a column
};

}  // namespace heron::inline v0

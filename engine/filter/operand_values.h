// Computes operands of a predicate for some rows at a time.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "base/arena.h"
#include "filter/column_predicate.h"

namespace heron::inline v0 {

inline constexpr uint64_t kOperandRows = 1024;

// A value per row; rows whose bit in `valid` is clear are null. Integers may be of a wider type
// than the operand's kind.
struct OperandValues {
  std::variant<const int64_t*, const Int128*, const double*, const std::string_view*,
               const UInt128*>
      values;
  const uint64_t* valid = nullptr;
};

// One thread at a time.
class OperandReader {
 public:
  OperandReader(ColumnReader& columns, Arena& arena) : columns_(columns), arena_(arena) {}

  // Call it before the next rows, at most kOperandRows. Overwrites the values of earlier rows.
  void move_to(RowRange rows) {
    rows_ = rows;
    used_ = 0;
  }
  OperandValues evaluate(const Operand& operand);

 private:
  template <class T>
  T* room();
  uint64_t* all_valid();
  template <class T>
  const T* as(const OperandValues& operand);
  OperandValues of_column(const Operand& operand);
  OperandValues of_constant(const Operand& operand);
  OperandValues computed(const Operand& operand);
  template <class T>
  OperandValues computed_as(Operand::Kind kind, const T* left, const T* right, uint64_t* valid);

  ColumnReader& columns_;
  Arena& arena_;
  RowRange rows_;
  std::vector<std::byte*> rooms_;  // each holds a value of any kind per row
  size_t used_ = 0;
};

}  // namespace heron::inline v0

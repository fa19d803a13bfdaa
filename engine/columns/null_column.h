// Columns without stored values, and columns that cannot be read.
#pragma once

#include "columns/column.h"

namespace heron::inline v0 {

// Every row is null.
class NullColumn final : public Column {
 public:
  NullColumn(uint64_t rows, ColumnLabel label) : Column(Type::Null, rows, std::move(label)) {}

  bool nullable() const noexcept override { return true; }
  Values read(RowRange rows, Arena&, const Context&) const override { return nulls(rows.rows()); }
  Values take(std::span<const uint64_t> rows, Arena&, const Context&) const override {
    return nulls(rows.size());
  }
  std::optional<FlatCells> flat() const override { return FlatCells(); }

 private:
  static Values nulls(uint64_t rows) {
    Values values(Type::Null, rows);
    values.null_count = rows;
    return values;
  }
};

// A column whose description is damaged (Error(Corrupt)), or whose type or codec is undefined
// (Error(Unsupported)). It is listed; every use of its values throws that Error.
class UnreadableColumn final : public Column {
 public:
  UnreadableColumn(Type type, uint64_t rows, ColumnLabel label, Error error)
      : Column(std::move(type), rows, std::move(label)), error_(std::move(error)) {}

  bool nullable() const noexcept override { return true; }
  Values read(RowRange, Arena&, const Context&) const override { throw error_; }
  Values take(std::span<const uint64_t>, Arena&, const Context&) const override { throw error_; }
  std::optional<FlatCells> flat() const override { throw error_; }
  const Error* unreadable() const noexcept override { return &error_; }

 private:
  Error error_;
};

}  // namespace heron::inline v0

// Keys: small numbers from 1 whose values the file stores once.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/once.h"
#include "columns/column.h"

namespace heron::inline v0 {

// The values of keys 1, 2, .. Thread-safe.
class KeyValues {
 public:
  // `load` returns one column whose rows are the values; it is called at first use, and again if it
  // threw. `type` is the type of the values, if known. `are_ordered`: the values are in an order of
  // their own, in which texts among them are compared; else they are compared as values.
  using Load = std::function<RowBatch(const Context&)>;
  explicit KeyValues(Load load, std::optional<Type> type = std::nullopt, bool are_ordered = false)
      : load_(std::move(load)), type_(std::move(type)), are_ordered_(are_ordered) {}

  const Values& values(const Context& context) const;
  // Returns for each value the key of the first value equal to it, 0 for a null; empty if all
  // values differ and none is null. Computed at the first call.
  const std::vector<uint64_t>& first_equal(const Context& context) const;
  // Loads the values only if the type was not given.
  const Type& type(const Context& context) const { return type_ ? *type_ : values(context).type; }
  bool are_ordered() const noexcept { return are_ordered_; }

 private:
  Load load_;
  std::optional<Type> type_;
  bool are_ordered_;
  mutable Once once_, first_equal_once_;
  mutable RowBatch batch_;
  mutable std::vector<uint64_t> first_equal_;
};

// A column of key numbers, with the values of the keys.
class KeyColumn final : public Column {
 public:
  // `numbers` are of a key type and read AsIndices. Reading a number above the number of values
  // throws Error(Corrupt).
  KeyColumn(ColumnLabel label, ColumnPtr numbers, std::shared_ptr<const KeyValues> values);

  bool nullable() const noexcept override { return numbers_->nullable(); }
  // The arena keeps the values alive.
  Values read(RowRange rows, Arena& arena, const Context& context) const override;
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override;
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override {
    numbers_->locate(rows, round, bytes, context);
  }
  void prefetch(std::span<const uint64_t> rows) const noexcept override {
    numbers_->prefetch(rows);
  }
  std::optional<FlatCells> flat() const override { return numbers_->flat(); }
  const KeyValues* key_values() const noexcept override { return values_.get(); }

 private:
  template <class RowNumber>
  Values with_values(Values numbers, RowNumber row_number, Arena& arena,
                     const Context& context) const;

  ColumnPtr numbers_;
  std::shared_ptr<const KeyValues> values_;
};

}  // namespace heron::inline v0

// Unified dictionary of key columns of several files read as one column. The key values of a file
// are compared with those of the others when the first of its rows are read, so nothing is read for
// this alone.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "columns/column.h"

namespace heron::inline v0 {

// The key values of all files: those of the first file read. Thread-safe.
class UnifiedDictionary {
 public:
  // Throws Error(Argument) that names the column and both files.
  void check(const Values& values, const std::string& file, const std::string& column);

 private:
  std::mutex mutex_;
  std::string file_;  // empty: none read yet
  Arena arena_;
  std::optional<Values> values_;  // nullopt: the keys are plain numbers
};

// Returns whether the type is a key or contains one.
bool holds_keys(const Type& type);
// Returns the values of the keys in values of such a type; null: the keys are plain numbers.
const Values* key_values_in(const Values& values);
// Returns whether values of keys are the same, of one type and in one order.
bool same_key_values(const Values& a, const Values& b);

class UnifiedKeyColumn final : public Column {
 public:
  // `column` holds keys; errors name its `file`.
  UnifiedKeyColumn(std::shared_ptr<const Column> column, std::string file,
                   std::shared_ptr<UnifiedDictionary> agreed)
      : Column(column->type(), column->rows(), {column->name(), column->encoding()}),
        column_(std::move(column)),
        file_(std::move(file)),
        agreed_(std::move(agreed)) {}

  bool nullable() const noexcept override { return column_->nullable(); }
  Values read(RowRange rows, Arena& arena, const Context& context) const override {
    return checked(column_->read(rows, arena, context));
  }
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context& context) const override {
    return checked(column_->take(rows, arena, context));
  }
  void locate(const RowsToRead& rows, unsigned round, Prefetch& bytes,
              const Context& context) const override {
    column_->locate(rows, round, bytes, context);
  }
  void prefetch(std::span<const uint64_t> rows) const noexcept override { column_->prefetch(rows); }
  const KeyValues* key_values() const noexcept override { return column_->key_values(); }

 private:
  Values checked(Values values) const;

  std::shared_ptr<const Column> column_;
  std::string file_;
  std::shared_ptr<UnifiedDictionary> agreed_;
  mutable std::atomic<bool> checked_{false};
};

}  // namespace heron::inline v0

// Values in memory as a column of a table, so that columns of any type can be queried.
#pragma once

#include <numeric>

#include "columns/column.h"
#include "kit/made_table.h"
#include "kit/random_batch.h"
#include "values/assemble.h"

namespace heron::inline v0 {

// Column i of a batch, which the object keeps alive.
class ValuesColumn final : public Column {
 public:
  ValuesColumn(RowBatch batch, uint64_t i, ColumnLabel label)
      : Column(batch.columns[i].type, batch.rows, std::move(label)),
        batch_(std::move(batch)),
        values_(batch_.columns[i]) {}

  bool nullable() const noexcept override { return values_.null_count != 0; }
  Values read(RowRange rows, Arena& arena, const Context&) const override {
    arena.keep(batch_.memory);  // the batch owns the values of keys
    std::vector<uint32_t> list(rows.rows());
    std::iota(list.begin(), list.end(), static_cast<uint32_t>(rows.first));
    return pick(values_, list, arena);
  }
  Values take(std::span<const uint64_t> rows, Arena& arena, const Context&) const override {
    arena.keep(batch_.memory);
    return pick(values_, std::vector<uint32_t>(rows.begin(), rows.end()), arena);
  }

 private:
  RowBatch batch_;
  const Values& values_;
};

// Adds column i of the batch to a table of as many rows.
inline void add_values(TableMaker& maker, std::string name, const RowBatch& batch, uint64_t i) {
  maker.add(std::move(name), [=](const ByteSource&, uint64_t, ColumnLabel label) {
    return std::make_unique<ValuesColumn>(batch, i, std::move(label));
  });
}

// Returns a table of one column of made-up values, some of them null.
inline std::shared_ptr<const Table> table_of_random(const Type& type, uint64_t rows) {
  const auto schema = std::make_shared<Schema>(1);
  (*schema)[0].type = type;
  TableMaker maker(rows);
  add_values(maker, "c", random_batch(schema, rows, 0.2, 1), 0);
  return maker.table();
}

}  // namespace heron::inline v0

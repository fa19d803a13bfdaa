// The rows of a dataset as lines of JSON, read in several ways.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "heron/heron.h"
#include "kit/json_rows.h"

namespace heron::test {

// Returns all rows of some columns, or of all columns.
inline std::vector<std::string> rows_of(const File& file,
                                        const std::vector<std::string>& columns = {}) {
  const auto& table = file.table();
  const Projection projection =
      columns.empty() ? Projection(table) : Projection(table, std::span(columns));
  return json_rows(read(projection, {0, table->rows()}));
}

// Returns the rows of the dataset that open(mapped) returns, which must be the same mapped and
// without a map, in order and one by one backwards.
template <class Open>
std::vector<std::string> rows_in_every_way(Open open) {
  const auto rows = rows_of(*open(true));
  for (const bool mapped : {true, false}) {
    const std::shared_ptr<const File> file = open(mapped);
    EXPECT_EQ(rows_of(*file), rows) << "mapped: " << mapped;
    const Projection all(file->table());
    for (uint64_t row = rows.size(); row-- > 0;) {
      EXPECT_EQ(json_rows(take(all, std::vector{row})), std::vector{rows[row]});
    }
  }
  return rows;
}

// Returns the rows of all batches.
inline std::vector<std::string> lines_of(const std::vector<RowBatch>& batches) {
  std::vector<std::string> all;
  for (const RowBatch& batch : batches) {
    const std::vector<std::string> lines = json_rows(batch);
    all.insert(all.end(), lines.begin(), lines.end());
  }
  return all;
}

}  // namespace heron::test

// A table of many groups, for tests of groups and orders.
#pragma once

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "heron/heron.h"
#include "kit/effort.h"
#include "kit/made_table.h"

namespace heron::test {

inline constexpr uint64_t kGroupedRows = kIsSanitized ? 140'007 : 300'007;  // three morsels at least

// Returns a table of random `k` from 0 to 9,999, floats `f`, and `t`, the text of `k` modulo 100,
// which is sometimes null.
inline std::shared_ptr<const Table> grouped_table() {
  std::mt19937_64 random(3);
  std::vector<int32_t> k(kGroupedRows);
  std::vector<double> f(kGroupedRows);
  std::vector<std::optional<std::string>> t(kGroupedRows);
  for (uint64_t row = 0; row < kGroupedRows; ++row) {
    k[row] = static_cast<int32_t>(random() % 10'000);
    f[row] = static_cast<double>(random() % 1'000'003) / 7;
    if (k[row] % 100 != 7) t[row] = "text " + std::to_string(k[row] % 100);
  }
  return TableMaker(kGroupedRows)
      .fixed("k", Type::Int32, k)
      .fixed("f", Type::Float64, f)
      .texts("t", t)
      .null("nothing")
      .table(true);
}

inline Query by(const std::shared_ptr<const Table>& table, std::vector<std::string> names,
                Where where = {}) {
  Query query(table, std::move(where));
  query.by = std::move(names);
  return query;
}

}  // namespace heron::test

// Results of aggregates as texts, to be compared.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/fail.h"
#include "heron/heron.h"
#include "kit/on_threads.h"
#include "values/decimals.h"
#include "values/scalar.h"

namespace heron {

// Returns a value as text, with all digits of floats.
inline std::string shown(const ScalarView& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, std::monostate>)
          return "null";
        else if constexpr (std::is_same_v<T, bool>)
          return held ? "true" : "false";
        else if constexpr (std::is_same_v<T, Int128>)
          return decimal_text(held, 0);
        else
          return concat(held);
      },
      value);
}
inline std::string shown(const Values& values, uint64_t row) {
  const bool is_wide = values.type.is(Type::Int128) || values.type.is(Type::Decimal);
  return is_wide ? to_text(values, row) : shown(scalar_at(values, row));
}
// Returns the results as texts, with their types.
inline std::vector<std::string> shown(const RowBatch& results) {
  std::vector<std::string> all;
  for (const Values& result : results.columns) {
    all.push_back(concat(result.type.name(), ' ', shown(result, 0)));
  }
  return all;
}

inline std::vector<std::string> answers(const std::shared_ptr<const Table>& table,
                                        std::string_view list, const std::string& where = {},
                                        unsigned threads = 1) {
  std::optional<Predicate> predicate;
  if (!where.empty()) predicate.emplace(table, where);
  return shown(
      aggregate(Query(table, predicate), parse_aggregates(*table, list), on_threads(threads)));
}

}  // namespace heron

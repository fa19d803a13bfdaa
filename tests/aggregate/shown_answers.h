// Results of aggregates as texts, to be compared.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "heron/heron.h"
#include "kit/on_threads.h"

namespace heron {

// With all digits of floats.
inline std::string shown(const AggregateValue& answer) {
  const std::string type = answer.type.name() + " ";
  if (const auto* wide = std::get_if<WideInteger>(&answer.value)) return type + to_string(*wide);
  return type + std::visit(
                    [](const auto& value) -> std::string {
                      using T = std::decay_t<decltype(value)>;
                      if constexpr (std::is_same_v<T, std::monostate>)
                        return "null";
                      else if constexpr (std::is_same_v<T, std::string>)
                        return value;
                      else if constexpr (std::is_same_v<T, bool>)
                        return value ? "true" : "false";
                      else
                        return concat(value);
                    },
                    std::get<Scalar>(answer.value));
}
inline std::vector<std::string> shown(const std::vector<AggregateValue>& answers) {
  std::vector<std::string> all;
  for (const AggregateValue& answer : answers) all.push_back(shown(answer));
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

// Columns that are computed from others when they are read, by expressions such as
//   price * 1.2 as gross
//   case when qty > 10 then 'many' else 'few' end as size
// engine/expression/EXPRESSIONS.md describes the language and its functions.
#pragma once

#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heron/dataset.h"
#include "heron/export.h"

namespace heron::inline v0 {

// Returns the columns of `table` followed by computed columns, named by "as", else by their text:
// every query uses them like other columns. The result has the rows, blocks, groups and files of
// `table`, and keeps it alive. Reads no rows. Throws what the constructor of Predicate throws.
// Reading a computed column also throws Error(Argument) for a row without a result, such as an
// integer that its type does not hold.
HERON_EXPORT std::shared_ptr<const Table> with_columns(std::shared_ptr<const Table> table,
                                                       std::span<const std::string> expressions);
inline std::shared_ptr<const Table> with_columns(
    std::shared_ptr<const Table> table, std::initializer_list<std::string_view> expressions) {
  const std::vector<std::string> texts(expressions.begin(), expressions.end());
  return with_columns(std::move(table), texts);
}

// A function of expressions, for help.
struct FunctionHelp {
  std::string_view name;       // "substr"
  std::string_view arguments;  // "text, start [, count]"
  std::string_view text;       // one line
};
// All functions, by family; functions of one name differ in their arguments.
HERON_EXPORT std::span<const FunctionHelp> expression_functions();

}  // namespace heron::inline v0

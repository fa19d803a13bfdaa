// Parses the order of rows, and values for the `?` of --where.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace heron::cli {

struct SortOptions {
  std::string order_by;
};
inline constexpr Option kOrderBy{
    .names = "--order-by",
    .value = "A,B:desc",
    .what = "sort by these columns, nulls first, or with :desc in reverse",
    .read = into<&SortOptions::order_by>,
    .kind = Kind::Order,
    .elsewhere = "--sort --sort-by --order --orderby --desc --reverse -r"};

struct ParameterOptions {
  std::vector<std::string> values;
};
inline constexpr Option kParameter{
    .names = "--param",
    .value = "V",
    .what = "a value for the next ? in --where, taken as it is; may be repeated",
    .read = into<&ParameterOptions::values>,
    .repeats = true,
    .elsewhere = "--parameter --bind --arg"};

}  // namespace heron::cli

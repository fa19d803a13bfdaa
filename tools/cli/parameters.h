// Values for the `?` of --where.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace heron::cli {

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

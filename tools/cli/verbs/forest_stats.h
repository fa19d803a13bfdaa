// Prints what the nodes of a forest say about it, for `stats`.
#pragma once

#include "parsing/command.h"

namespace heron::cli {

class Session;

struct ForestStatsOptions {
  bool forest = false;
};
inline constexpr Option kForestStats{
    .names = "--forest",
    .value = "",
    .what = "print splits by feature, leaves by class and depths of a forest instead",
    .read = into<&ForestStatsOptions::forest>,
    .elsewhere = "--importance --feature-importance --model"};

// Prints a line per figure: of the forest's trees, of each feature, of each class.
void print_forest_stats(Session& session);

}  // namespace heron::cli

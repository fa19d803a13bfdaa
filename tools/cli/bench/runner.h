// Carries out a plan: the files in turns, so that drift of the machine affects all alike.
#pragma once

#include <functional>
#include <string_view>

#include "bench/measurement.h"
#include "heron/context.h"

namespace heron::cli::bench {

// Shows the current work, how much of the time is over, and about how many seconds are left.
using Shown = std::function<void(std::string_view what, double share, double seconds_left)>;

// Runs a plan. Fills in what subjects leave open: the columns that all files have, a predicate. A
// failed question is an error in the report. After a cancellation the report has the results until
// then. Throws Error before anything is measured: Argument, Io or Changed of any file, and any kind
// if no file can be opened.
Report run(Plan plan, const Shown& show, const Context& context);

}  // namespace heron::cli::bench

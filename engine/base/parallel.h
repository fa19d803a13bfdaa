// Work on several threads; only parallel.cc includes oneTBB.
#pragma once

#include <cstdint>
#include <functional>

#include "heron/context.h"

namespace heron::inline v0 {

// How many threads the Context allows: no more than the machine has.
unsigned thread_count(const Context& context);

// Calls work(i, context) for every i below count, on as many threads as the Context allows, each
// taking the smallest i not yet taken; with one, on this thread. The Context passed to work has one
// thread; its progress is summed over all i (each has the same total) and reported one call at a
// time. If work throws, parallel_for throws the error of the smallest i, whatever ran first; larger
// i may then be skipped.
void parallel_for(uint64_t count, const Context& context,
                  const std::function<void(uint64_t i, const Context& context)>& work);

}  // namespace heron::inline v0

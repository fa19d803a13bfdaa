// Work on several threads: the door of oneTBB.
#pragma once

#include <cstdint>
#include <functional>

#include "heron/context.h"

namespace heron::inline v0 {

// How many threads the Context means: no more than the machine has.
unsigned thread_count(const Context& context);

// Calls work(i, context) for every i below count, on as many threads as the Context says, each
// taking the smallest that nobody has; with one, on this thread. The Context that is passed on has
// one thread; what is told of progress is added up over all i (each has the same total) and told on
// one call at a time. If work throws, what is thrown on is the error of the smallest i, whatever
// ran first; larger i may then not have been worked on.
void parallel_for(uint64_t count, const Context& context,
                  const std::function<void(uint64_t i, const Context& context)>& work);

}  // namespace heron::inline v0

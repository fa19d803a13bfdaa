// Work on several threads; only parallel.cc includes oneTBB.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

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

// A parallel_for that goes on while its caller does something else. One thread at a time.
class WorkAhead {
 public:
  WorkAhead();
  // Waits until no thread works for it; work not yet begun is left out.
  ~WorkAhead();
  WorkAhead(const WorkAhead&) = delete;
  WorkAhead& operator=(const WorkAhead&) = delete;

  // Begins what parallel_for would do, on all threads but this, without progress. What `context`
  // points to must outlive the join.
  void start(uint64_t count, const Context& context,
             std::function<void(uint64_t i, const Context& context)> work);
  // Does the rest, on this thread as well. Throws as parallel_for does, and Error(Argument) in a child
  // process forked since the start(). Nothing without a start().
  void join();

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace heron::inline v0

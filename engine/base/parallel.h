// Runs work on several threads; only parallel.cc includes oneTBB.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "heron/context.h"

namespace heron::inline v0 {

// Returns how many threads the Context allows, at most as many as the machine has.
unsigned thread_count(const Context& context);

// Calls work(i, context) for every i below count, on as many threads as the Context allows, each
// taking the smallest i not yet taken; with one, on this thread. The Context passed to work has one
// thread; its progress is summed over all i (each has the same total) and reported one call at a
// time. If work throws, parallel_for throws the error of the smallest i, whatever ran first; larger
// i may then be skipped.
void parallel_for(uint64_t count, const Context& context,
                  const std::function<void(uint64_t i, const Context& context)>& work);

// Work that threads do in order, ahead of a caller who takes what is finished. One thread at a
// time.
class WorkAhead {
 public:
  using Item = std::function<void(const Context& context)>;

  // The objects that `context` points to must outlive this. Other threads start as soon as more
  // groups wait than the caller of take() is to work on.
  explicit WorkAhead(const Context& context, uint64_t left_to_caller = 1);
  // Waits until no thread works for it; items not yet begun are left out.
  ~WorkAhead();
  WorkAhead(const WorkAhead&) = delete;
  WorkAhead& operator=(const WorkAhead&) = delete;

  // Adds items that one thread does one after the other.
  void add(std::vector<Item> group);
  // Returns when the oldest item not yet taken is done; meanwhile works on items that no other
  // thread has begun. Throws what the item throws and Error(Cancelled); Error(Argument) in a child
  // process forked since another thread began. At least one item must be left. The Context passed
  // to items has one thread and no progress.
  void take();

 private:
  struct Shared;
  std::unique_ptr<Shared> shared_;
};

}  // namespace heron::inline v0

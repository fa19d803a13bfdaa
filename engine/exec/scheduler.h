// The one scheduler: threads work on ranges of items, each range with its own state, and the states
// are merged in the order of the items while threads go on with the next ranges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace heron::inline v0 {

// Limits how many items share a state, and how many states there are before they are merged. By
// default there are enough ranges per thread that none waits long for the last. One thread has one
// state for all items.
struct Pace {
  uint64_t most_items_a_range = UINT64_MAX;
  uint64_t ranges_a_thread = 16;
  // States hold what they read: one thread, too, gets several ranges, and works on one at a time.
  bool bounded = false;
};

// Called by one thread at a time; works on the Context's threads. Steps are:
//   State begin(uint64_t first) const       on any thread: the state of a range from this item on
//   void work(uint64_t item, State&, const Context&) const
//                                           on any thread, item by item of a range; the Context
//                                           has one thread and no progress
//   uint64_t lanes() const                  how many parts of the result are merged in parallel
//   void end(uint64_t lane, State&)         merges range by range in order; with several lanes on
//                                           any thread, with one on the caller's
template <class State, class Steps>
class OrderedReduce {
 public:
  OrderedReduce(uint64_t count, const Context& context, const Pace& pace, Steps steps)
      : count_(count),
        quiet_(context),
        steps_(std::move(steps)),
        progress_(context.progress),
        work_(quiet_) {
    quiet_.progress = nullptr;
    const uint64_t threads = thread_count(context);
    uint64_t most = pace.most_items_a_range;
    if (threads > 1) {
      most_states_ = threads * pace.ranges_a_thread;
      most = std::min(most, count / most_states_ + (count % most_states_ != 0));
    } else if (!pace.bounded) {
      most = count;
    }
    items_a_range_ = std::max<uint64_t>(most, 1);
    states_.resize(most_states_);
  }

  bool done() const noexcept { return merged_ == count_; }

  // Merges the state of the next range. Throws what work throws for it; then it must not be called
  // again.
  void next() {
    begin_ranges();
    std::optional<State>& slot = states_[merged_ / items_a_range_ % most_states_];
    work_.take();
    State state = std::move(*slot);
    slot.reset();
    merged_ += std::min(items_a_range_, count_ - merged_);
    begin_ranges();
    if (steps_.lanes() == 1) return steps_.end(0, state);
    parallel_for(steps_.lanes(), quiet_,
                 [&](uint64_t lane, const Context&) { steps_.end(lane, state); });
  }

 private:
  void begin_ranges() {
    while (begun_ != count_ && begun_ - merged_ < most_states_ * items_a_range_) {
      const uint64_t first = begun_;
      begun_ += std::min(items_a_range_, count_ - begun_);
      work_.add({[this, first, last = begun_](const Context& context) {
        State& state = states_[first / items_a_range_ % most_states_].emplace(steps_.begin(first));
        for (uint64_t item = first; item < last; ++item) {
          context.check_cancelled();
          report_step();
          steps_.work(item, state, context);
        }
      }});
    }
  }

  void report_step() {
    if (!progress_) return;
    const std::lock_guard lock(mutex_);
    progress_(worked_++, count_);
  }

  const uint64_t count_;
  Context quiet_;
  Steps steps_;
  const std::function<void(uint64_t, uint64_t)> progress_;
  std::mutex mutex_;     // guards worked_, calls of progress_
  uint64_t worked_ = 0;  // items
  uint64_t items_a_range_ = 1;
  uint64_t most_states_ = 1;
  uint64_t begun_ = 0;                        // items
  uint64_t merged_ = 0;                       // items
  std::vector<std::optional<State>> states_;  // states of ranges begun and not merged
  WorkAhead work_;                            // the threads' work on states_
};

}  // namespace heron::inline v0

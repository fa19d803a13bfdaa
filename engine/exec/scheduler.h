// The one scheduler: threads work on ranges of items in parallel, each range with its own state,
// and the states are merged in the order of the items, one window of ranges at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace heron::inline v0 {

// How many items share a state, and how many are in a window. By default one window has all items,
// in enough ranges per thread that none waits long for the last. One thread has one state for all.
struct Pace {
  uint64_t most_items_a_range = UINT64_MAX;
  uint64_t ranges_a_thread = 16;
  // For results that are wanted early, and perhaps only the first: the first window has an item per
  // thread, and each next one is twice as long, up to ranges_a_thread ranges of one item per
  // thread.
  bool grows = false;
  // States hold what they read: even one thread works on at most one range at a time.
  bool bounded = false;
};

// Called by one thread at a time; works on the Context's threads. Steps are:
//   State begin(uint64_t first) const       on any thread: the state of a range from this item on
//   void work(uint64_t item, State&, const Context&) const
//                                           on any thread, item by item of a range; the Context
//                                           has one thread and no progress
//   uint64_t lanes() const                  how many parts of the result are merged in parallel
//   void end(uint64_t lane, State&)         merges range by range in order; with several lanes on
//                                           on any thread, with one on the caller's
template <class State, class Steps>
class OrderedReduce {
 public:
  OrderedReduce(uint64_t count, const Context& context, const Pace& pace, Steps steps)
      : count_(count), context_(context), steps_(std::move(steps)), quiet_(context) {
    quiet_.progress = nullptr;
    const uint64_t threads = thread_count(context);
    const uint64_t ranges = threads * pace.ranges_a_thread;
    if (pace.grows) {
      window_ = threads;
      most_window_ = threads == 1 ? 1 : ranges;
    } else if (threads == 1) {
      items_a_range_ = window_ = most_window_ =
          pace.bounded ? std::min(count, pace.most_items_a_range) : count;
    } else {
      const uint64_t share = count / ranges + (count % ranges != 0);
      items_a_range_ = std::clamp<uint64_t>(share, 1, pace.most_items_a_range);
      window_ = most_window_ = items_a_range_ * ranges;
    }
  }

  bool done() const noexcept { return first_ == count_; }

  // Works on the next window. Throws what work throws, for the first item that fails; then no
  // state of the window is merged.
  void next() {
    context_.check_cancelled();
    const uint64_t items = std::min(window_, count_ - first_);
    const uint64_t ranges = items / items_a_range_ + (items % items_a_range_ != 0);
    if (ranges == 1 && !context_.progress) {
      State state = steps_.begin(first_);
      work_on(first_, items, state, [](uint64_t) {});
      for (uint64_t lane = 0; lane < steps_.lanes(); ++lane) steps_.end(lane, state);
    } else {
      work_side_by_side(items, ranges);
    }
    first_ += items;
    window_ = std::min(2 * window_, most_window_);
  }

 private:
  template <class Step>
  void work_on(uint64_t first, uint64_t items, State& state, const Step& step) const {
    Context one_thread = quiet_;
    one_thread.threads = 1;
    for (uint64_t i = 0; i < items; ++i) {
      one_thread.check_cancelled();
      step(i);
      steps_.work(first + i, state, one_thread);
    }
  }

  void work_side_by_side(uint64_t items, uint64_t ranges) {
    std::vector<std::optional<State>> states(ranges);
    Context context = context_;
    if (context_.progress) {
      context.progress = [this](uint64_t done, uint64_t) {
        context_.progress(first_ + done, count_);
      };
    }
    parallel_for(ranges, context, [&](uint64_t i, const Context& one_thread) {
      const uint64_t first = i * items_a_range_;
      State& state = states[i].emplace(steps_.begin(first_ + first));
      work_on(first_ + first, std::min(items_a_range_, items - first), state,
              [&](uint64_t done) { one_thread.step(done, items_a_range_); });
    });
    const auto end = [&](uint64_t lane) {
      for (std::optional<State>& state : states) steps_.end(lane, *state);
    };
    if (steps_.lanes() == 1) return end(0);
    parallel_for(steps_.lanes(), quiet_, [&](uint64_t lane, const Context&) { end(lane); });
  }

  const uint64_t count_;
  const Context& context_;
  Steps steps_;
  Context quiet_;
  uint64_t first_ = 0;
  uint64_t items_a_range_ = 1;
  uint64_t window_ = 1;
  uint64_t most_window_ = 1;
};

}  // namespace heron::inline v0

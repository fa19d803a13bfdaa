// The one scheduler: items are worked on side by side, in stretches that each have a state of their
// own, and the states come together in the order of the items, a window of them at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace heron::inline v0 {

// How many items share a state, and how many are worked on before their states come together. The
// default: all in one window, each thread's share in enough stretches that none waits long for the
// last. One thread has one state for all.
struct Pace {
  uint64_t most_items_a_stretch = UINT64_MAX;
  uint64_t stretches_a_thread = 16;
  // Somebody waits for the first answers and may want no more: the first window is an item for each
  // thread, and each that follows is twice as long, up to that many stretches of one item.
  bool grows = false;
};

// One thread at a time calls it; work goes on the Context's threads.
template <class State>
class OrderedReduce {
 public:
  struct Steps {
    // On any thread: the state of the stretch that begins with this item.
    std::function<State(uint64_t first)> begin;
    // On any thread, item by item of a stretch. The Context has one thread and no progress.
    std::function<void(uint64_t item, State& state, const Context& context)> work;
    // On the caller's thread, stretch by stretch in order.
    std::function<void(State& state)> end;
  };

  OrderedReduce(uint64_t count, const Context& context, const Pace& pace, Steps steps)
      : count_(count), context_(context), steps_(std::move(steps)), quiet_(context) {
    quiet_.progress = nullptr;
    const uint64_t threads = thread_count(context);
    const uint64_t stretches = threads * pace.stretches_a_thread;
    if (pace.grows) {
      window_ = threads;
      most_window_ = threads == 1 ? 1 : stretches;
    } else if (threads == 1) {
      stretch_ = window_ = most_window_ = count;
    } else {
      const uint64_t share = count / stretches + (count % stretches != 0);
      stretch_ = std::clamp<uint64_t>(share, 1, pace.most_items_a_stretch);
      window_ = most_window_ = stretch_ * stretches;
    }
  }

  bool done() const noexcept { return first_ == count_; }

  // Works on the next window. What work throws is thrown on, of several items that of the first;
  // no state of its window has come to an end then.
  void next() {
    context_.check_cancelled();
    const uint64_t items = std::min(window_, count_ - first_);
    std::vector<std::optional<State>> states(items / stretch_ + (items % stretch_ != 0));
    Context context = context_;
    if (context_.progress) {
      context.progress = [this](uint64_t done, uint64_t) {
        context_.progress(first_ + done, count_);
      };
    }
    parallel_for(states.size(), context, [&](uint64_t i, const Context& one_thread) {
      const uint64_t first = first_ + i * stretch_;
      const uint64_t last = first + std::min(stretch_, first_ + items - first);
      Context quiet = quiet_;
      quiet.threads = 1;
      State& state = states[i].emplace(steps_.begin(first));
      for (uint64_t item = first; item < last; ++item) {
        one_thread.step(item - first, stretch_);
        steps_.work(item, state, quiet);
      }
    });
    for (std::optional<State>& state : states) steps_.end(*state);
    first_ += items;
    window_ = std::min(2 * window_, most_window_);
  }

 private:
  const uint64_t count_;
  const Context& context_;
  const Steps steps_;
  Context quiet_;
  uint64_t first_ = 0;
  uint64_t stretch_ = 1;
  uint64_t window_ = 1;
  uint64_t most_window_ = 1;
};

}  // namespace heron::inline v0

// Consecutive runs of rows, such as the documents of one search or the nodes of one tree.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/once.h"
#include "heron/values.h"

namespace heron::inline v0 {

// Run i covers rows starts[i] up to starts[i + 1]; together they cover all rows. Immutable,
// thread-safe. Starts are loaded and checked at first use, in time and memory that grow with their
// number.
class Runs {
 public:
  // `load` returns count + 1 starts that never descend, the first 0, the last `rows`; it throws if
  // they are invalid, and then so does every call.
  using Load = std::function<std::vector<uint64_t>()>;
  Runs(uint64_t count, uint64_t rows, Load load)
      : count_(count), rows_(rows), load_(std::move(load)) {}
  // Makes runs from valid starts.
  explicit Runs(std::vector<uint64_t> starts);
  Runs(const Runs&) = delete;
  Runs& operator=(const Runs&) = delete;

  uint64_t size() const noexcept { return count_; }
  RowRange operator[](uint64_t run) const {
    const std::vector<uint64_t>& all = starts();
    return {all[run], all[run + 1]};
  }
  const std::vector<uint64_t>& starts() const;
  // The run that covers a row below rows(). A few memory accesses, whatever the number of runs.
  uint64_t run_of(uint64_t row) const;

 private:
  void index() const;

  uint64_t count_;
  uint64_t rows_;
  Load load_;
  mutable Once once_;
  mutable std::vector<uint64_t> starts_;
  // The run that covers row i << shift_, and at the end the last run: a row's run is between two
  // neighbours.
  mutable std::vector<uint32_t> buckets_;
  mutable int shift_ = 0;
};

}  // namespace heron::inline v0

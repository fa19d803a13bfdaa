#include "measure/clock.h"

#include "measure/histogram.h"

namespace heron::measure {

uint64_t clock_overhead_ns() {
  constexpr int kTimes = 10'001;
  Histogram times;
  for (int i = 0; i < kTimes; ++i) {
    const uint64_t start = now_ns();
    times.add(now_ns() - start);
  }
  return times.quantile(0.5);
}

}  // namespace heron::measure

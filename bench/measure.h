// Times two engines on the same work in turns, so that drift of the machine affects both alike;
// prints one JSON line for each on stdout and a line of a table on stderr.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace heron::bench {

struct Op {
  const char* name;
  double max_ratio = 0;    // target: at most this ratio of Heron's time to the bound's; 0: none
  double max_seconds = 0;  // target: at most this time of Heron; 0: `max_ratio` is the target
  double min_rate = 0;     // target: at least this `amount` per second; 0: none
  uint64_t amount = 0;     // units of work in a run, for rates; 0: no rate
  uint64_t inputs = 1;     // number of different inputs
  uint64_t parts = 1;      // reported operations per run
  uint64_t runs = 15;      // min number of runs; each input is used at least once
  uint64_t max_runs = 20'000;
  double tolerance = 0;  // allowed difference of the checks
};

inline double seconds_now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// The times of one engine, and its checks by input.
class Series {
 public:
  explicit Series(const Op& op) : parts_(static_cast<double>(op.parts)), checks_(op.inputs) {}

  template <class Engine>
  void run(Engine& engine, uint64_t input) {
    const double start = seconds_now();
    engine.run(input);
    seconds_.push_back((seconds_now() - start) / parts_);
    checks_[input] = engine.check();
  }
  void sort() { std::sort(seconds_.begin(), seconds_.end()); }
  double median() const { return seconds_[seconds_.size() / 2]; }
  double p99() const { return seconds_[seconds_.size() * 99 / 100]; }
  double check(uint64_t input) const { return checks_[input]; }

 private:
  double parts_;
  std::vector<double> seconds_;
  std::vector<double> checks_;
};

// The file, and the time per op.
struct Turns {
  std::string file;
  double seconds;
};

void print_heading(const std::string& file);
// Returns false, with a message on stderr, if the checks of an input differ.
bool report(const Op& op, const std::string& file, Series& heron, Series& bound);
// Reports an op without a bound; `expected` is the check of all inputs.
bool report(const Op& op, const std::string& file, Series& heron, double expected);

// Reports bytes instead of a time; `max_bytes` is the target.
void report_bytes(const char* op, const std::string& file, uint64_t bytes, uint64_t max_bytes);

// Inputs rotate in the same order for both, half a rotation apart, so that with several inputs no
// engine finds in the cache what the other has just fetched. Heron and Bound have run(input), which
// is timed, and check(), which is not and returns a number computed from the answer.
template <class Heron, class Bound>
bool measure(const Op& op, const Turns& turns, Heron& heron, Bound& bound) {
  Series heron_series(op), bound_series(op);
  heron.run(0);
  bound.run(0);
  heron.check();
  bound.check();
  const uint64_t min_runs = std::max(op.runs, op.inputs);
  const double end = seconds_now() + turns.seconds;
  for (uint64_t run = 0; run < min_runs || (run < op.max_runs && seconds_now() < end); ++run) {
    heron_series.run(heron, run % op.inputs);
    bound_series.run(bound, (run + op.inputs / 2) % op.inputs);
  }
  return report(op, turns.file, heron_series, bound_series);
}

// Measures ops that take so long that warming up is needless, and that have no bound.
template <class Heron>
bool measure_alone(const Op& op, const Turns& turns, Heron& heron, double expected) {
  Series series(op);
  const double end = seconds_now() + turns.seconds;
  for (uint64_t run = 0; run < op.runs || (run < op.max_runs && seconds_now() < end); ++run) {
    series.run(heron, run % op.inputs);
  }
  return report(op, turns.file, series, expected);
}

}  // namespace heron::bench

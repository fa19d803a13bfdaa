// Times two engines on the same work in turns, so that what drifts on the machine hits both alike;
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
  double wanted = 0;          // heron / bound, at most; 0: nothing is wanted
  double wanted_seconds = 0;  // of heron, at most; 0: see `wanted`
  double wanted_rate = 0;     // of `amount` a second, by heron, at least; 0: see `wanted`
  uint64_t amount = 0;        // how much one run does of what makes a rate; 0: none is told
  uint64_t inputs = 1;        // how many different inputs there are
  uint64_t parts = 1;         // one run does so many of what is reported
  uint64_t runs = 15;         // at least; each input is used once or more anyway
  uint64_t max_runs = 20'000;
  double tolerance = 0;  // by how much the checks may differ
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

// On which file, and for how long an op.
struct Turns {
  std::string file;
  double seconds;
};

void print_heading(const std::string& file);
// False, with a message on stderr, if the checks of an input differ.
bool report(const Op& op, const std::string& file, Series& heron, Series& bound);
// The same of what has no bound; `expected` is the check of all inputs.
bool report(const Op& op, const std::string& file, Series& heron, double expected);

// What is no time: so many bytes, and how many are wanted at most.
void report_bytes(const char* op, const std::string& file, uint64_t bytes, uint64_t wanted);

// Inputs come in the same rotation for both, half of it apart: where there are several, no engine
// finds in the cache what the other has just fetched. Heron and Bound have run(input), which is
// timed, and check(), which is not and gives a number made of the answer.
template <class Heron, class Bound>
bool measure(const Op& op, const Turns& turns, Heron& heron, Bound& bound) {
  Series heron_series(op), bound_series(op);
  heron.run(0);
  bound.run(0);
  heron.check();
  bound.check();
  const uint64_t least = std::max(op.runs, op.inputs);
  const double end = seconds_now() + turns.seconds;
  for (uint64_t run = 0; run < least || (run < op.max_runs && seconds_now() < end); ++run) {
    heron_series.run(heron, run % op.inputs);
    bound_series.run(bound, (run + op.inputs / 2) % op.inputs);
  }
  return report(op, turns.file, heron_series, bound_series);
}

// What takes so long that nothing needs to be warm, and has no bound.
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

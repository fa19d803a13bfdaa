// What is measured: of one question to one file, and of the files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/questions.h"
#include "heron/error.h"
#include "measure/histogram.h"
#include "measure/machine.h"
#include "measure/process.h"

namespace heron::cli::bench {

// What is asked for.
struct Plan {
  std::vector<Subject> subjects;
  std::vector<Op> ops;
  bool every_op = false;       // none was named: those that no file answers are left out
  double seconds = 1;          // for each question to each file, warm and cold
  unsigned threads = 1;        // that ask at the same time
  std::optional<double> rate;  // questions a second, of all threads together
  bool cold = false;
  uint64_t seed = 0;

  static constexpr uint64_t kPasses = 3, kTurns = 21;  // turns of all passes, at most
};

// Latencies by where in the file the question's rows are.
class Places {
 public:
  static constexpr uint64_t kPlaces = 64;

  void add(uint64_t place, uint64_t rows, uint64_t latency);
  void add(const Places& other);
  bool empty() const noexcept { return parts_.empty(); }
  // kPlaces of them, unless empty.
  const std::vector<measure::Histogram>& parts() const noexcept { return parts_; }

 private:
  std::vector<measure::Histogram> parts_;
};

// A measurement of reading the same bytes without Heron.
struct BoundMeasurement {
  std::string what;
  bool is_same_work = false;
  measure::Histogram latency;
  std::vector<double> turns;
};

// One question to one file, warm or cold.
struct Measurement {
  uint64_t file = 0;
  Op op{};
  bool cold = false;
  std::optional<Error> failure;  // and then nothing else counts
  bool is_asked = true;  // false: the file has no answer, and nobody asked for this question

  measure::Histogram latency;
  Places places;
  std::vector<double> turns;  // the median of each, in ns
  Answered answered;          // of all questions
  uint64_t busy_ns = 0;       // that askers worked, added up
  uint64_t turns_ns = 0;      // that warm turns took
  uint64_t unanswered = 0;  // were due, and not begun; their wait until the end of the turn counts
  measure::ProcessCosts costs;
  uint64_t peak_memory_bytes = 0;
  std::map<std::string, uint64_t> counters;  // of the file's format
  std::optional<double> touched_bytes;       // of the file, a question
  uint64_t warm_samples = 0;                 // of a cold measurement: pages had stayed, not counted
  uint64_t stayed_pages = 0;                 // at most, in one of these
  std::optional<BoundMeasurement> bound;
};

// What the device does by itself.
struct DeviceLine {
  bool random = true;
  unsigned depth = 1;
  uint64_t piece_bytes = 0;
  uint64_t bytes = 0;
  double seconds = 0;
  measure::Histogram latency;
};

struct FileReport {
  std::string path;
  std::optional<Error> failure;  // it cannot be opened
  std::string format;
  std::vector<std::string> containers;
  uint64_t bytes = 0;
  uint64_t rows = 0;
  uint64_t asked_rows = 0;  // the first ones, which questions are about: those that all files have
  uint64_t columns = 0;     // that are asked for
  std::string where;
  std::vector<std::string> key_columns;
  std::optional<double> in_memory;  // the share of its pages, before warm questions
  measure::Facts disk;
  std::vector<DeviceLine> device;
};

struct Report {
  std::string started;  // in UTC
  double seconds = 0;
  uint64_t clock_overhead_ns = 0;
  bool interrupted = false;
  measure::Facts machine;
  std::optional<double> other_load;  // cores that other processes kept busy; short runs: unknown
  std::vector<FileReport> files;
  std::vector<Measurement> measurements;
};

}  // namespace heron::cli::bench

// The plan of a run, and its measurements: of one question to one file, and of the files.
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

// The measurements that a run takes.
struct Plan {
  std::vector<Subject> subjects;
  std::vector<Op> ops;
  bool every_op = false;       // no op was named: ops that no file answers are left out
  double seconds = 1;          // time for each question to each file, warm and cold
  unsigned threads = 1;        // number of threads that ask at the same time
  std::optional<double> rate;  // questions per second, of all threads in total
  bool cold = false;
  uint64_t seed = 0;

  static constexpr uint64_t kPasses = 3, kTurns = 21;  // maximum turns of all passes
};

// Latencies by the part of the file that holds the question's rows.
class PartLatencies {
 public:
  static constexpr uint64_t kParts = 64;

  void add(uint64_t row, uint64_t rows, uint64_t latency);
  void add(const PartLatencies& other);
  bool empty() const noexcept { return histograms_.empty(); }
  // Has kParts histograms, unless empty.
  const std::vector<measure::Histogram>& histograms() const noexcept { return histograms_; }

 private:
  std::vector<measure::Histogram> histograms_;
};

// Measures reading the same bytes without Heron.
struct BoundMeasurement {
  std::string what;
  bool is_same_work = false;
  measure::Histogram latency;
  std::vector<double> turns;
};

// Measures one question to one file, warm or cold.
struct Measurement {
  uint64_t file = 0;
  Op op{};
  bool cold = false;
  std::optional<Error> failure;  // if set, the other members have no meaning
  bool is_requested = true;  // false if the file has no answer, and no option names the op

  measure::Histogram latency;
  PartLatencies parts;
  std::vector<double> turns;  // median of each turn, in ns
  Answered answered;          // size of all answers
  uint64_t busy_ns = 0;       // working time of all askers, added up
  uint64_t turns_ns = 0;      // duration of warm turns
  uint64_t unanswered = 0;  // due, but not begun; their wait until the end of the turn counts
  measure::ProcessCosts costs;
  uint64_t peak_memory_bytes = 0;
  std::map<std::string, uint64_t> counters;  // counters of the file's format
  std::optional<double> touched_bytes;       // bytes of the file per question
  uint64_t warm_samples = 0;                 // cold samples left out because pages had stayed
  uint64_t stayed_pages = 0;                 // maximum in one of these samples
  std::optional<BoundMeasurement> bound;
};

// Measures reads of the device by itself.
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
  std::optional<Error> failure;  // the error of opening the file
  std::string format;
  std::vector<std::string> containers;
  uint64_t bytes = 0;
  uint64_t rows = 0;
  uint64_t common_rows = 0;  // number of first rows that all files have; questions are about these
  uint64_t columns = 0;     // number of projected columns
  std::string where;
  std::vector<std::string> key_columns;
  std::optional<double> in_memory;  // share of its pages in memory before warm questions
  measure::Facts disk;
  std::vector<DeviceLine> device;
};

struct Report {
  std::string started;  // time in UTC
  double seconds = 0;
  uint64_t clock_overhead_ns = 0;
  bool interrupted = false;
  measure::Facts machine;
  std::optional<double> other_load;  // cores that other processes kept busy; nullopt in short runs
  std::vector<FileReport> files;
  std::vector<Measurement> measurements;
};

}  // namespace heron::cli::bench

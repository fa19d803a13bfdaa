// Turns of `heron bench`: in a turn, one question is put to one file again and again for some time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "bench/measurement.h"
#include "bench/plain_loop.h"
#include "bench/questions.h"
#include "measure/cold_file.h"

namespace heron::cli::bench {

// Asks an open file questions, by some threads, each as soon as its last question was answered, or
// at a rate: then a latency counts from when the question was due, so that waiting behind a slow
// one counts. Turns follow each other in the schedule of a rate, whatever is measured between them,
// and last exactly as long as requested: in a turn no question may be due.
class WarmTurns {
 public:
  // The arguments must outlive the turns. `first`: the number of the first question.
  WarmTurns(const Plan& plan, Op op, const Subject& subject, const FileFacts& facts,
            const OpenFile& file, uint64_t first, uint64_t clock_overhead_ns,
            const Context& context);

  // Asks at least one question by each thread; none of these counts.
  void warm_up(uint64_t ns);
  // Asks at least one question, unless at a rate.
  void turn(uint64_t ns, Measurement& to);
  // Answers the same questions by the plain loop.
  void bound_turn(uint64_t ns, PlainLoop& loop, BoundMeasurement& to);

 private:
  struct Local;
  void on_threads(uint64_t ns, bool scheduled, std::vector<Local>& locals);
  void work(uint64_t ns, bool scheduled, Asker& asker, Local& local);
  void ask(Asker& asker, const Input& input, uint64_t due, Local& local);
  void miss_rest(uint64_t due, uint64_t end, Local& local);
  uint64_t due_at(uint64_t number) const;

  const Plan& plan_;
  const Op op_;
  const Subject& subject_;
  const FileFacts& facts_;
  const OpenFile& file_;
  const uint64_t clock_overhead_ns_;
  const Context& context_;
  std::vector<std::unique_ptr<Asker>> askers_;
  std::atomic<uint64_t> next_;
  const uint64_t first_;           // number of the question due at 0 of the schedule
  uint64_t schedule_ns_ = 0;       // begin of this turn in the schedule
  uint64_t start_ = 0;             // start of this turn
  uint64_t bound_next_;
};

// Each sample drops the file's pages, opens it and asks one question: opening is part of it.
void cold_turn(Op op, const Subject& subject, const FileFacts& facts, const measure::ColdFile& file,
               uint64_t ns, uint64_t clock_overhead_ns, Measurement& to, const Context& context);

// Measures the device's own reads, without Heron: random pages, and pieces in order, at three
// depths.
std::vector<DeviceLine> measure_device(const measure::ColdFile& file, double seconds,
                                       const Context& context);

}  // namespace heron::cli::bench

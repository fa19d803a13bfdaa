#include "bench/runner.h"

#include <algorithm>
#include <ctime>
#include <memory>

#include "base/fail.h"
#include "bench/targets.h"
#include "bench/turns.h"
#include "heron/error.h"
#include "measure/clock.h"
#include "measure/cold_file.h"

namespace heron::cli::bench {
namespace {

using measure::ProcessCosts;

constexpr double kWarmUp = 0.1, kBound = 0.25, kDevice = 0.1;  // shares of a question's seconds

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// Returns the last part of a path: a terminal's line is short.
std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

class Runner {
 public:
  Runner(Plan plan, const Shown& show, const Context& context)
      : plan_(std::move(plan)), show_(show), context_(context) {}

  Report run() {
    report_.started = utc_now();
    report_.seconds = plan_.seconds;
    report_.machine = measure::machine_facts();
    report_.clock_overhead_ns = measure::clock_overhead_ns();
    const auto begin = measure::ProcessorTimes::now();
    try {
      targets_ = prepare_targets(plan_, report_.files, context_);
      plan_time();
      measure(false);
      if (plan_.cold) measure_cold();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Cancelled) throw;
      report_.interrupted = true;
    }
    report_.other_load = measure::ProcessorTimes::now().others_since(begin);
    for (auto& one : measurements_) {
      // An interrupted run reports nothing about questions without an answer yet.
      if (one->failure || !one->turns.empty()) {
        report_.measurements.push_back(std::move(*one));
      }
    }
    return std::move(report_);
  }

 private:
  void plan_time();
  bool is_open(uint64_t i) const { return !report_.files[i].failure; }
  bool has_answer(Op op) const;

  void measure(bool cold);
  void measure_op(Op op, bool cold, std::span<const std::unique_ptr<Measurement>> all);
  void measure_turns(std::vector<std::function<void(uint64_t)>>& turns,
                     std::vector<Measurement*>& of, double seconds);
  std::function<void(uint64_t)> warm_turns(uint64_t i, Op op, Measurement& to);
  void measure_cold();
  double touched_bytes(Target& target, Op op);
  void shown(std::string_view what, double done);

  Plan plan_;
  const Shown& show_;
  const Context& context_;
  std::vector<Target> targets_;
  Report report_;
  // The measurements so far, which have stable addresses.
  std::vector<std::unique_ptr<Measurement>> measurements_;
  std::string shown_;
  double seconds_done_ = 0, seconds_planned_ = 0;
  uint64_t start_ns_ = measure::now_ns();
};

// Leaves questions out that no file answers, and sums up how long the others take.
void Runner::plan_time() {
  if (plan_.every_op) std::erase_if(plan_.ops, [&](Op op) { return !has_answer(op); });
  const double modes = plan_.cold ? 2 + kWarmUp + kBound : 1 + kWarmUp + kBound;
  seconds_planned_ =
      plan_.seconds * modes * static_cast<double>(plan_.ops.size() * targets_.size());
  if (plan_.cold) seconds_planned_ += 6 * kDevice * static_cast<double>(targets_.size());
}

// Returns whether any file has an answer.
bool Runner::has_answer(Op op) const {
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    if (is_open(i) && why_unanswerable(op, targets_[i].subject, targets_[i].facts).empty()) {
      return true;
    }
  }
  return false;
}

// An empty `what` shows the last one again.
void Runner::shown(std::string_view what, double done) {
  if (!what.empty()) shown_ = what;
  seconds_done_ += done;
  const double share = std::min(seconds_done_ / seconds_planned_, 1.0);
  const double passed = static_cast<double>(measure::now_ns() - start_ns_) / 1e9;
  show_(shown_, share, share > 0 ? passed * (1 - share) / share : plan_.seconds);
}

// Returns the bytes of the file that a question touches. The system counts read calls, so the file
// is not mapped; blocks are not cached.
double Runner::touched_bytes(Target& target, Op op) {
  constexpr uint64_t kQuestions = 3;
  Subject subject = target.subject;
  subject.options.mmap = false;
  subject.options.cache_bytes = 0;
  if (op != Op::Open && target.without_map.opened == nullptr) {
    target.without_map = open_file(subject, context_);
  }
  const auto asker = make_asker(op, subject, target.facts, target.without_map, context_);
  Input input;
  const auto ask = [&](uint64_t number) {
    draw_input(op, subject, target.facts, number, input);
    asker->ask(input);
  };
  ask(0);
  const ProcessCosts start = ProcessCosts::now(), before = ProcessCosts::now();
  for (uint64_t i = 1; i <= kQuestions; ++i) ask(i);
  const uint64_t read = (ProcessCosts::now() - before).read_bytes;
  const uint64_t by_looking = (before - start).read_bytes;
  return static_cast<double>(read - std::min(read, by_looking)) / kQuestions;
}

// The returned function owns everything that has to live as long as the turns.
std::function<void(uint64_t)> Runner::warm_turns(uint64_t i, Op op, Measurement& to) {
  Target& target = targets_[i];
  if (!to.touched_bytes) to.touched_bytes = touched_bytes(target, op);
  const auto turns =
      std::make_shared<WarmTurns>(plan_, op, target.subject, target.facts, target.file,
                                  to.latency.count(), report_.clock_overhead_ns, context_);
  const std::shared_ptr<PlainLoop> loop = plain_loop_of(
      op, target.subject, target.facts, target.file, static_cast<uint64_t>(*to.touched_bytes));
  const double second = 1e9 * plan_.seconds;
  turns->warm_up(static_cast<uint64_t>(second * kWarmUp / Plan::kPasses));
  if (loop != nullptr) {
    BoundMeasurement unused;
    turns->bound_turn(0, *loop, unused);
    // A latency at a rate includes the wait, which the loop does not have.
    if (!to.bound) {
      to.bound.emplace();
      to.bound->what = loop->what();
      to.bound->is_same_work = loop->does_same_work() && !plan_.rate;
    }
  }
  return [turns, loop, &to, second](uint64_t ns) {
    turns->turn(ns, to);
    if (loop != nullptr) {
      turns->bound_turn(static_cast<uint64_t>(second * kBound / Plan::kTurns), *loop, *to.bound);
    }
  };
}

// Runs one turn of each file after the other, at least one each, until the time is over. Each round
// begins with another file.
void Runner::measure_turns(std::vector<std::function<void(uint64_t)>>& turns,
                           std::vector<Measurement*>& of, double seconds) {
  constexpr uint64_t kTurns = Plan::kTurns / Plan::kPasses;
  const auto turn_ns = static_cast<uint64_t>(1e9 * plan_.seconds / Plan::kTurns);
  const uint64_t start = measure::now_ns();
  const double allowed = seconds * static_cast<double>(turns.size());
  for (uint64_t round = 0; round < kTurns; ++round) {
    const double passed = static_cast<double>(measure::now_ns() - start) / 1e9;
    if (round > 0 && passed >= allowed * 1.1) break;
    for (uint64_t i = 0; i < turns.size(); ++i) {
      const uint64_t which = (i + round) % turns.size();
      Measurement& to = *of[which];
      if (to.failure) continue;
      const std::string& path = report_.files[to.file].path;
      shown(concat(name_of(path), ' ', text_of(to.op).name, to.cold ? " cold" : ""), 0);
      to.failure = failure_of(targets_[to.file].cold.get(), [&] { turns[which](turn_ns); });
    }
    shown("", allowed / kTurns);
  }
}

// Asks one question of all files, some turns each.
void Runner::measure_op(Op op, bool cold, std::span<const std::unique_ptr<Measurement>> all) {
  std::vector<Measurement*> of;
  std::vector<std::function<void(uint64_t)>> turns;
  const double done = seconds_done_;
  const double planned = plan_.seconds / Plan::kPasses * (cold ? 1 : 1 + kWarmUp + kBound);
  for (const auto& one : all) {
    Measurement& to = *one;
    Target& target = targets_[to.file];
    if (to.failure) continue;
    shown(concat(name_of(target.subject.path), ' ', text_of(op).name, cold ? " cold" : ""), 0);
    to.failure = failure_of(target.cold.get(), [&] {
      turns.push_back(cold ? [this, op, &target, &to](uint64_t ns) {
        cold_turn(op, target.subject, target.facts, *target.cold, ns, report_.clock_overhead_ns, to,
                  context_);
      } : warm_turns(to.file, op, to));
      of.push_back(&to);
    });
  }
  measure_turns(turns, of, planned);
  seconds_done_ = done + planned * static_cast<double>(targets_.size());
}

// Measures in passes over all questions: a machine may be slower for some seconds, which then shows
// as noise.
void Runner::measure(bool cold) {
  const uint64_t first = measurements_.size(), files = targets_.size();
  for (const Op op : plan_.ops) {
    for (uint64_t i = 0; i < files; ++i) {
      Measurement& one = *measurements_.emplace_back(std::make_unique<Measurement>());
      one.file = i;
      one.op = op;
      one.cold = cold;
      one.failure = report_.files[i].failure;
      if (!is_open(i)) continue;
      const Subject& subject = targets_[i].subject;
      const std::string why = why_unanswerable(op, subject, targets_[i].facts);
      if (why.empty()) continue;
      one.failure.emplace(ErrorKind::Limit, std::string_view(), why);
      one.is_requested = !plan_.every_op && (op != Op::Filter || subject.no_where.empty());
    }
  }
  for (uint64_t pass = 0; pass < Plan::kPasses; ++pass) {
    for (uint64_t i = 0; i < plan_.ops.size(); ++i) {
      measure_op(plan_.ops[i], cold, std::span(measurements_).subspan(first + i * files, files));
    }
  }
  for (auto& one : measurements_) {
    if (!one->failure && one->latency.count() == 0 && one->warm_samples > 0) {
      one->failure.emplace(ErrorKind::Limit, report_.files[one->file].path,
                           concat(one->stayed_pages, " of ", targets_[one->file].cold->pages(),
                                  " pages stay in memory"));
    }
  }
}

// Closes the files first: pages that a map holds do not leave memory.
void Runner::measure_cold() {
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    targets_[i].file = {};
    targets_[i].without_map = {};
    if (!is_open(i) || targets_[i].cold->bytes() == 0 || !targets_[i].cold->is_direct()) continue;
    shown(concat(name_of(report_.files[i].path), ": the device"), 6 * kDevice);
    report_.files[i].device = measure_device(*targets_[i].cold, kDevice, context_);
  }
  measure(true);
}

}  // namespace

Report run(Plan plan, const Shown& show, const Context& context) {
  return Runner(std::move(plan), show, context).run();
}

}  // namespace heron::cli::bench

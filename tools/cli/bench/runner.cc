#include "bench/runner.h"

#include <algorithm>
#include <ctime>
#include <memory>
#include <new>

#include "bench/turns.h"
#include "heron/error.h"
#include "measure/clock.h"
#include "measure/cold_file.h"

namespace heron::cli::bench {
namespace {

using measure::ColdFile;
using measure::ProcessCosts;

constexpr double kWarmUp = 0.1, kBound = 0.25, kDevice = 0.1;  // of the seconds of a question

// A file while it is measured.
struct Target {
  Subject subject;
  FileFacts facts;
  OpenFile file;
  OpenFile without_map;  // whose reads the system counts
  std::unique_ptr<ColdFile> cold;
};

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

// The last part of a path: a terminal's line is short.
std::string_view name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// Returns the text of what `work` throws, except that it was cancelled; empty: nothing.
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::Cancelled) throw;
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  }
  return {};
}

class Runner {
 public:
  Runner(Plan plan, const Shown& show, const Context& context)
      : plan_(std::move(plan)), show_(show), context_(context), targets_(plan_.subjects.size()) {}

  Report run() {
    report_.started = utc_now();
    report_.seconds = plan_.seconds;
    report_.machine = measure::machine_facts();
    report_.clock_overhead_ns = measure::clock_overhead_ns();
    report_.files.resize(targets_.size());
    try {
      prepare();
      measure(false);
      if (plan_.cold) measure_cold();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Cancelled) throw;
      report_.interrupted = true;
    }
    for (auto& one : measurements_) {
      // Of what was interrupted, what has no answer yet says nothing.
      if (!one->error.empty() || !one->turns.empty()) {
        report_.measurements.push_back(std::move(*one));
      }
    }
    return std::move(report_);
  }

 private:
  void prepare();
  void describe(uint64_t i);
  void share_columns();
  void find_predicates();
  bool is_open(uint64_t i) const { return report_.files[i].error.empty(); }
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
  // Those that are measured: pointers to them stay.
  std::vector<std::unique_ptr<Measurement>> measurements_;
  double seconds_done_ = 0, seconds_planned_ = 0;
  uint64_t start_ns_ = measure::now_ns();
};

void Runner::describe(uint64_t i) {
  FileReport& file = report_.files[i];
  Target& target = targets_[i];
  target.cold = std::make_unique<ColdFile>(target.subject.path);
  file.bytes = target.cold->bytes();
  file.disk = measure::disk_facts(file.path);
  target.file = open_file(target.subject, context_);
  file.format = target.file.dataset->format(*target.file.table);
  file.containers = target.file.dataset->containers();
  file.rows = target.file.table->rows();
}

// With several files, those that all have, by name, in the order of the first.
void Runner::share_columns() {
  std::vector<std::string> shared;
  bool is_first = true;
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    if (!is_open(i) || !targets_[i].subject.columns.empty()) continue;
    const std::shared_ptr<const Table>& table = targets_[i].file.table;
    if (is_first) {
      const Projection all(table);
      for (const uint64_t column : all.indices()) {
        shared.push_back(table->column_name(column));
      }
    } else {
      std::erase_if(shared, [&](const auto& name) { return !table->find_column(name); });
    }
    is_first = false;
  }
  if (targets_.size() == 1) return;
  if (shared.empty() && !is_first && context_.note) {
    context_.note("the files have no column in common: each is asked for its own");
  }
  for (Target& target : targets_) {
    if (target.subject.columns.empty()) target.subject.columns = shared;
  }
}

// That of the first file in which one is found, for all.
void Runner::find_predicates() {
  std::string where;
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    Target& target = targets_[i];
    if (!is_open(i)) continue;
    if (where.empty() && target.subject.where.empty()) {
      error_of([&] {
        if (target.file.table->rows() > 0) {
          where = find_predicate(target.subject, *target.file.dataset, context_);
        }
      });
    }
    if (target.subject.where.empty()) target.subject.where = where;
    report_.files[i].where = target.subject.where;
  }
}

void Runner::prepare() {
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    targets_[i].subject = plan_.subjects[i];
    report_.files[i].path = plan_.subjects[i].path;
    report_.files[i].error = error_of([&] { describe(i); });
  }
  share_columns();
  if (std::find(plan_.ops.begin(), plan_.ops.end(), Op::Filter) != plan_.ops.end()) {
    find_predicates();
  }
  uint64_t common_rows = UINT64_MAX;  // the same rows are asked for in all
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    if (is_open(i)) common_rows = std::min(common_rows, report_.files[i].rows);
  }
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    Target& target = targets_[i];
    FileReport& file = report_.files[i];
    if (!is_open(i)) continue;
    file.error = error_of([&] {
      target.facts =
          facts_of(target.subject, *target.file.dataset, plan_.ops, common_rows, context_);
      target.cold->warm();
      file.in_memory = static_cast<double>(target.cold->resident_pages()) /
                       static_cast<double>(std::max<uint64_t>(target.cold->pages(), 1));
    });
    file.asked_rows = target.facts.rows;
    file.columns = target.facts.column_count;
    file.key_columns = target.facts.key_columns;
  }
  if (plan_.every_op) std::erase_if(plan_.ops, [&](Op op) { return !has_answer(op); });
  const double modes = plan_.cold ? 2 + kWarmUp + kBound : 1 + kWarmUp + kBound;
  seconds_planned_ =
      plan_.seconds * modes * static_cast<double>(plan_.ops.size() * targets_.size());
  if (plan_.cold) seconds_planned_ += 6 * kDevice * static_cast<double>(targets_.size());
}

// Of any file, or none can be opened.
bool Runner::has_answer(Op op) const {
  bool any_open = false;
  for (uint64_t i = 0; i < targets_.size(); ++i) {
    if (!is_open(i)) continue;
    any_open = true;
    if (why_unanswerable(op, targets_[i].subject, targets_[i].facts).empty()) return true;
  }
  return !any_open;
}

void Runner::shown(std::string_view what, double done) {
  seconds_done_ += done;
  const double share = std::min(seconds_done_ / seconds_planned_, 1.0);
  const double passed = static_cast<double>(measure::now_ns() - start_ns_) / 1e9;
  show_(what, share, share > 0 ? passed * (1 - share) / share : plan_.seconds);
}

// Read calls are counted by the system. Blocks are not kept.
double Runner::touched_bytes(Target& target, Op op) {
  constexpr uint64_t kQuestions = 3;
  Subject subject = target.subject;
  subject.options.map = false;
  subject.options.cache_bytes = 0;
  if (op != Op::Open && target.without_map.dataset == nullptr) {
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

// What has to live as long as the turns is in the function returned.
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
    if (!to.bound) to.bound.emplace().what = loop->what();
  }
  return [turns, loop, &to, second](uint64_t ns) {
    turns->turn(ns, to);
    if (loop != nullptr) {
      turns->bound_turn(static_cast<uint64_t>(second * kBound / Plan::kTurns), *loop, *to.bound);
    }
  };
}

// One turn of each file after the other, at least one each, until the time is over. Each round
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
      if (!to.error.empty()) continue;
      const std::string& path = report_.files[to.file].path;
      shown(concat(name_of(path), ' ', text_of(to.op).name, to.cold ? " cold" : ""), 0);
      to.error = error_of([&] { turns[which](turn_ns); });
    }
    shown("", allowed / kTurns);
  }
}

// One question to all files, some turns each.
void Runner::measure_op(Op op, bool cold, std::span<const std::unique_ptr<Measurement>> all) {
  std::vector<Measurement*> of;
  std::vector<std::function<void(uint64_t)>> turns;
  const double done = seconds_done_;
  const double planned = plan_.seconds / Plan::kPasses * (cold ? 1 : 1 + kWarmUp + kBound);
  for (const auto& one : all) {
    Measurement& to = *one;
    Target& target = targets_[to.file];
    if (!to.error.empty()) continue;
    shown(concat(name_of(target.subject.path), ' ', text_of(op).name, cold ? " cold" : ""), 0);
    to.error = error_of([&] {
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

// In passes over all questions: a machine may be slower for some seconds, which then shows as
// noise.
void Runner::measure(bool cold) {
  const uint64_t first = measurements_.size(), files = targets_.size();
  for (const Op op : plan_.ops) {
    for (uint64_t i = 0; i < files; ++i) {
      Measurement& one = *measurements_.emplace_back(std::make_unique<Measurement>());
      one.file = i;
      one.op = op;
      one.cold = cold;
      one.error = report_.files[i].error;
      if (!is_open(i)) continue;
      one.error = why_unanswerable(op, targets_[i].subject, targets_[i].facts);
      one.is_asked = one.error.empty() || !plan_.every_op;
    }
  }
  for (uint64_t pass = 0; pass < Plan::kPasses; ++pass) {
    for (uint64_t i = 0; i < plan_.ops.size(); ++i) {
      measure_op(plan_.ops[i], cold, std::span(measurements_).subspan(first + i * files, files));
    }
  }
  for (auto& one : measurements_) {
    if (one->error.empty() && one->latency.count() == 0 && one->warm_samples > 0) {
      one->error = concat(report_.files[one->file].path, ": ", one->stayed_pages, " of ",
                          targets_[one->file].cold->pages(), " pages stay in memory");
    }
  }
}

// The files are closed first: pages that a map holds do not leave memory.
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

#include "bench/turns.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>
#include <random>
#include <thread>

#include "heron/error.h"
#include "measure/clock.h"

namespace heron::cli::bench {
namespace {

using measure::Histogram;
using measure::now_ns;
using measure::ProcessCosts;

uint64_t without(uint64_t ns, uint64_t overhead) {
  return ns > overhead + 1 ? ns - overhead : 1;  // 0 would make ratios infinite
}

// Sleeps as long as sleeping is exact, then spins. `context` may end the wait.
void wait_until(uint64_t due, const Context& context) {
  constexpr uint64_t kSpin = 100'000, kMaxSleep = 50'000'000;
  for (uint64_t now; (now = now_ns()) < due;) {
    context.check_cancelled();
    if (due - now <= kSpin) continue;
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(due - now - kSpin, kMaxSleep)));
  }
}

std::map<std::string, uint64_t> counters_of(const File& opened) {
  std::map<std::string, uint64_t> all;
  for (const Counter& counter : opened.counters()) all[counter.name] += counter.value;
  return all;
}

}  // namespace

// The state of one thread in one turn.
struct WarmTurns::Local {
  Histogram latency;
  PartLatencies parts;
  Answered answered;
  uint64_t busy_ns = 0;
  uint64_t unanswered = 0;
  std::exception_ptr error;
};

void PartLatencies::add(uint64_t row, uint64_t rows, uint64_t latency) {
  if (histograms_.empty()) histograms_.assign(kParts, Histogram(4));
  const double share = static_cast<double>(row) / static_cast<double>(rows);
  histograms_[std::min<uint64_t>(static_cast<uint64_t>(share * kParts), kParts - 1)].add(latency);
}

void PartLatencies::add(const PartLatencies& other) {
  if (other.empty()) return;
  if (histograms_.empty()) histograms_.assign(kParts, Histogram(4));
  for (uint64_t i = 0; i < kParts; ++i) histograms_[i].add(other.histograms_[i]);
}

WarmTurns::WarmTurns(const Plan& plan, Op op, const Subject& subject, const FileFacts& facts,
                     const OpenFile& file, uint64_t first, uint64_t clock_overhead_ns,
                     const Context& context)
    : plan_(plan),
      op_(op),
      subject_(subject),
      facts_(facts),
      file_(file),
      clock_overhead_ns_(clock_overhead_ns),
      context_(context),
      next_(first),
      first_(first),
      bound_next_(first) {
  for (unsigned i = 0; i < plan.threads; ++i) {
    askers_.push_back(make_asker(op, subject, facts, file, context));
  }
}

uint64_t WarmTurns::due_at(uint64_t number) const {
  const double in_schedule = static_cast<double>(number - first_) * 1e9 / *plan_.rate;
  return start_ + static_cast<uint64_t>(in_schedule) - schedule_ns_;
}

void WarmTurns::ask(Asker& asker, const Input& input, uint64_t due, Local& local) {
  const uint64_t start = now_ns();
  const Answered answered = asker.ask(input);
  const uint64_t end = now_ns();
  asker.rest();
  const uint64_t latency = without(end - (due == 0 ? start : due), clock_overhead_ns_);
  local.latency.add(latency);
  if (text_of(op_).counts_parts) local.parts.add(input.first_row, facts_.rows, latency);
  local.answered.rows += answered.rows;
  local.answered.bytes += answered.bytes;
  local.busy_ns += without(end - start, clock_overhead_ns_);
}

// Counts the questions due from `due` to the end of the turn, which have waited until now at least.
void WarmTurns::miss_rest(uint64_t due, uint64_t end, Local& local) {
  constexpr uint64_t kCheck = 1 << 16;
  const uint64_t now = now_ns();
  for (; due < end; due = due_at(next_++)) {
    local.latency.add(now - due);
    if (++local.unanswered % kCheck == 0) context_.check_cancelled();
  }
}

void WarmTurns::work(uint64_t ns, bool scheduled, Asker& asker, Local& local) {
  const uint64_t end = start_ + ns, latest = end + ns;
  Input input;
  for (uint64_t count = 0;; ++count) {
    context_.check_cancelled();
    if (!scheduled && count > 0 && now_ns() >= end) return;
    const uint64_t number = next_++;
    draw_input(op_, subject_, facts_, number, input);
    uint64_t due = 0;
    if (scheduled) {
      due = due_at(number);
      if (due >= end) return wait_until(end, context_);
      if (now_ns() >= latest) return miss_rest(due, end, local);
      wait_until(due, context_);
    }
    ask(asker, input, due, local);
  }
}

void WarmTurns::on_threads(uint64_t ns, bool scheduled, std::vector<Local>& locals) {
  locals.resize(askers_.size());
  if (scheduled) {  // repeats the numbers that the last turn took but that were not due in it
    const double due = static_cast<double>(schedule_ns_) * *plan_.rate / 1e9;
    next_ = first_ + static_cast<uint64_t>(std::ceil(due));
  }
  start_ = now_ns();
  const auto run = [&](uint64_t i) {
    try {
      work(ns, scheduled, *askers_[i], locals[i]);
    } catch (...) {
      locals[i].error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;  // joined here, also if not all can be started
    for (uint64_t i = 1; i < askers_.size(); ++i) threads.emplace_back(run, i);
    run(0);
  }
  if (scheduled) schedule_ns_ += ns;
  for (const Local& local : locals) {
    if (local.error) std::rethrow_exception(local.error);
  }
}

void WarmTurns::warm_up(uint64_t ns) {
  std::vector<Local> unused;
  const uint64_t first = next_;
  on_threads(ns, false, unused);
  next_ = first;
}

void WarmTurns::turn(uint64_t ns, Measurement& to) {
  std::vector<Local> locals;
  const auto counted = counters_of(*file_.opened);
  measure::reset_peak_memory();
  const ProcessCosts before = ProcessCosts::now();
  const uint64_t start = now_ns();
  on_threads(ns, plan_.rate.has_value(), locals);
  to.turns_ns += now_ns() - start;
  to.costs += ProcessCosts::now() - before;
  to.peak_memory_bytes = std::max(to.peak_memory_bytes, measure::peak_memory_bytes());
  for (const auto& [name, value] : counters_of(*file_.opened)) {
    const auto old = counted.find(name);
    to.counters[name] += value - (old == counted.end() ? 0 : old->second);
  }
  Histogram turn;
  for (const Local& local : locals) {
    turn.add(local.latency);
    to.parts.add(local.parts);
    to.answered.rows += local.answered.rows;
    to.answered.bytes += local.answered.bytes;
    to.busy_ns += local.busy_ns;
    to.unanswered += local.unanswered;
  }
  to.latency.add(turn);
  if (turn.count() > 0) to.turns.push_back(static_cast<double>(turn.quantile(0.5)));
}

void WarmTurns::bound_turn(uint64_t ns, PlainLoop& loop, BoundMeasurement& to) {
  Histogram turn;
  Input input;
  const uint64_t end = now_ns() + ns;
  do {
    context_.check_cancelled();
    draw_input(op_, subject_, facts_, bound_next_++, input);
    const uint64_t start = now_ns();
    loop.run(input);
    turn.add(without(now_ns() - start, clock_overhead_ns_));
    loop.rest();
  } while (now_ns() < end);
  loop.check();
  to.latency.add(turn);
  to.turns.push_back(static_cast<double>(turn.quantile(0.5)));
}

void cold_turn(Op op, const Subject& subject, const FileFacts& facts, const measure::ColdFile& file,
               uint64_t ns, uint64_t clock_overhead_ns, Measurement& to, const Context& context) {
  const uint64_t to_touch = std::min<uint64_t>(
      file.bytes(), text_of(op).is_random || op == Op::Open ? 4 << 20 : 256 << 20);
  Input input;
  Histogram turn;
  const uint64_t end = now_ns() + ns;
  do {
    context.check_cancelled();
    draw_input(op, subject, facts, to.latency.count() + turn.count() + to.warm_samples, input);
    measure::touch_free_memory(to_touch);
    measure::reset_peak_memory();
    if (const uint64_t stayed = file.drop_all(); stayed > 0) {
      to.stayed_pages = std::max(to.stayed_pages, stayed);
      ++to.warm_samples;
      continue;
    }
    const ProcessCosts before = ProcessCosts::now();
    const uint64_t start = now_ns();
    const OpenFile opened = op == Op::Open ? OpenFile() : open_file(subject, context);
    const auto asker = make_asker(op, subject, facts, opened, context);
    const Answered answered = asker->ask(input);
    const uint64_t latency = without(now_ns() - start, clock_overhead_ns);
    to.costs += ProcessCosts::now() - before;
    to.peak_memory_bytes = std::max(to.peak_memory_bytes, measure::peak_memory_bytes());
    turn.add(latency);
    to.busy_ns += latency;
    if (text_of(op).counts_parts) to.parts.add(input.first_row, facts.rows, latency);
    to.answered.rows += answered.rows;
    to.answered.bytes += answered.bytes;
  } while (now_ns() < end);
  to.latency.add(turn);
  if (turn.count() > 0) to.turns.push_back(static_cast<double>(turn.quantile(0.5)));
}

std::vector<DeviceLine> measure_device(const measure::ColdFile& file, double seconds,
                                       const Context& context) {
  constexpr uint64_t kSequential = 256 << 10, kMaxBytes = uint64_t{256} << 20;
  std::vector<DeviceLine> lines;
  std::mt19937_64 random(7);
  for (const bool is_random : {true, false}) {
    for (const unsigned depth : {1U, 8U, 64U}) {
      DeviceLine& line = lines.emplace_back();
      line.random = is_random;
      line.depth = depth;
      line.piece_bytes = is_random ? kPageBytes : kSequential;
      uint64_t at = 0;
      for (uint64_t pieces = depth; line.seconds < seconds && line.bytes < kMaxBytes;
           pieces = std::min<uint64_t>(pieces * 2, 4096)) {
        context.check_cancelled();
        std::vector<ByteRange> ranges;
        for (uint64_t i = 0; i < pieces; ++i) {
          if (!is_random && at >= file.bytes()) at = 0;
          const uint64_t start = is_random ? random() % file.pages() * kPageBytes : at;
          ranges.push_back({start, std::min(line.piece_bytes, file.bytes() - start)});
          line.bytes += ranges.back().bytes;
          at += line.piece_bytes;
        }
        line.seconds += file.read_ranges(ranges, {depth, line.piece_bytes}, &line.latency);
      }
    }
  }
  return lines;
}

}  // namespace heron::cli::bench

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/fail.h"
#include "bench/document.h"
#include "bench/runner.h"
#include "exit_code.h"
#include "heron/error.h"
#include "interrupt.h"
#include "output/destination.h"
#include "parsing/arguments.h"
#include "parsing/files.h"
#include "parsing/options.h"
#include "session.h"
#include "verbs/verbs.h"

namespace heron::cli {
namespace {

struct BenchVerbOptions {
  std::string ops;
  std::string seconds;
  std::string rate;
  std::string where;
  std::string baseline;
  std::string html;
  bool cold = false;
  bool merge = false;
};

constexpr Option kOpsOption{
    .names = "--ops",
    .value = "A,B",
    .what = "ask only these questions (default: all that a file can answer)",
    .read = into<&BenchVerbOptions::ops>,
    .choices = bench::kOps,
    .is_list = true,
    .elsewhere = "--operations --questions --only"};
constexpr Option kSeconds{.names = "--seconds",
                          .value = "S",
                          .what = "ask each question to each file for S seconds (default: 1)",
                          .read = into<&BenchVerbOptions::seconds>,
                          .elsewhere = "--time --duration"};
constexpr Option kCold{.names = "--cold",
                       .value = "",
                       .what = "ask also while no page of the file is in memory",
                       .read = into<&BenchVerbOptions::cold>};
constexpr Option kRate{.names = "--rate",
                       .value = "R",
                       .what = "ask R questions a second, whether they are answered in time or not",
                       .read = into<&BenchVerbOptions::rate>,
                       .elsewhere = "--qps --rps"};
constexpr Option kAskers{.names = "--threads",
                         .value = "N",
                         .what = "ask from N threads at the same time (default: 1)",
                         .read = into<&OpeningOptions::threads>,
                         .min = 1,
                         .elsewhere = "-j --jobs --cores --workers"};
constexpr Option kFilterBy{
    .names = "--where",
    .value = "E",
    .what = "filter by this predicate (default: one that 1 row in 100 passes)",
    .read = into<&BenchVerbOptions::where>,
    .kind = Kind::Expression,
    .elsewhere = "--filter"};
constexpr Option kBaseline{.names = "--baseline",
                           .value = "OLD",
                           .what = "mark what differs from this report in JSON",
                           .read = into<&BenchVerbOptions::baseline>,
                           .kind = Kind::File,
                           .elsewhere = "--compare"};
constexpr Option kHtml{.names = "--html",
                       .value = "PAGE",
                       .what = "also write the report as a page",
                       .read = into<&BenchVerbOptions::html>,
                       .kind = Kind::File,
                       .elsewhere = "--page --report"};
constexpr Option kMerge{.names = "--merge",
                        .value = "",
                        .what = "read FILE... as reports in JSON and print them side by side",
                        .read = into<&BenchVerbOptions::merge>};
constexpr Option kBenchOutput = output_option("table json csv");

double parse_positive(std::string_view option, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number > 0) || number > 1e9) {
    fail(ErrorKind::Argument, {}, option, ": expected a number above 0, up to 1000000000, got \"",
         text, '"');
  }
  return number;
}

bench::Plan plan_of(Session& session) {
  const auto& requested = session.get<BenchVerbOptions>();
  bench::Plan plan;
  plan.every_op = requested.ops.empty();
  if (plan.every_op) {
    for (const std::string_view name : words(bench::kOps))
      plan.ops.push_back(bench::op_named(name));
  } else {
    for (const std::string& name : parse_names(requested.ops)) {
      const bench::Op op = bench::op_named(name);
      if (std::find(plan.ops.begin(), plan.ops.end(), op) == plan.ops.end()) plan.ops.push_back(op);
    }
  }
  if (!requested.seconds.empty()) plan.seconds = parse_positive("--seconds", requested.seconds);
  if (!requested.rate.empty()) plan.rate = parse_positive("--rate", requested.rate);
  constexpr uint64_t kMaxThreads = 1024;
  const uint64_t threads = session.get<OpeningOptions>().threads.value_or(1);
  if (threads > kMaxThreads) {
    fail(ErrorKind::Argument, {}, "--threads: expected at most ", kMaxThreads, ", got ", threads);
  }
  plan.threads = static_cast<unsigned>(threads);
  plan.cold = requested.cold;
  if (plan.cold && plan.rate) {
    fail(ErrorKind::Argument, {}, "--rate cannot be combined with --cold");
  }
  plan.seed = session.get<DrawOptions>().seed.value_or(0);
  for (const std::string& path : matching_files(session.arguments(0))) {
    bench::Subject& subject = plan.subjects.emplace_back();
    subject.path = path;
    subject.options = session.open_options();
    subject.table = session.get<TableOptions>().table;
    const std::string& columns = session.get<TableOptions>().columns;
    if (!columns.empty()) subject.columns = parse_names(columns);
    subject.where = requested.where;
    subject.seed = plan.seed;
  }
  return plan;
}

std::string time_left(double seconds) {
  const auto whole = static_cast<uint64_t>(std::max(seconds, 0.0) + 0.5);
  const uint64_t rest = whole % 60;
  return concat(whole / 60, ':', rest < 10 ? "0" : "", rest, " left");
}

// Reports how many questions of a document failed, and why the first did; sets `kind` to the kind
// of the first error.
void report_failures(Session& session, const bench::Json& document, ErrorKind kind) {
  uint64_t failed = 0;
  std::string first;
  for (const bench::Json& report : document["reports"]) {
    for (const bench::Json& one : report["results"]) {
      if (!one.contains("error") || !one.value("asked", true)) continue;
      if (failed++ == 0) first = one["error"].get<std::string>();
    }
  }
  if (failed == 0) return;
  session.note(
      concat(failed, failed == 1 ? " question" : " questions", " failed, the first: ", first));
  if (session.exit_code() == 0) session.set_exit_code(exit_code(kind));
}

ErrorKind first_failure(const bench::Report& report) {
  for (const bench::Measurement& one : report.measurements) {
    if (one.failure && one.is_requested) return one.failure->kind();
  }
  return ErrorKind::Limit;
}

// Notes the load of the machine, which disturbs the measured times.
void note_load(Session& session, const bench::Report& report) {
  std::string text = "this machine:";
  for (const auto& [name, value] : report.machine) {
    if (name == "cores") text += concat(' ', value, value == "1" ? " core," : " cores,");
    if (name == "load_of_the_last_minute") text += concat(" load ", value, " at the start");
  }
  if (report.other_load) {
    const auto tenths = static_cast<uint64_t>(*report.other_load * 10 + 0.5);
    text += concat(", and other processes kept ", tenths / 10, '.', tenths % 10,
                   tenths == 10 ? " core" : " cores", " busy meanwhile");
    if (tenths >= 2) text += ": times are longer than on a quiet machine";
  }
  session.note(text);
}

bench::Report measured(Session& session, const bench::Plan& plan) {
  const bench::Shown show = [&](std::string_view what, double share, double left) {
    session.show_progress(share, concat(time_left(left), what.empty() ? "" : ", ", what));
  };
  Context context = session.context();
  context.progress = nullptr;
  context.threads = 1;
  bench::Report report = bench::run(plan, show, context);
  if (report.interrupted) {
    session.note("interrupted: the report has the measurements until then");
    session.set_exit_code(interrupted_exit_code());
  }
  return report;
}

// Merges documents. Throws Error(Argument) for options that say how to measure.
bench::Json merged(Session& session) {
  const auto& requested = session.get<BenchVerbOptions>();
  const std::pair<const char*, bool> given[] = {{"--ops", !requested.ops.empty()},
                                                {"--seconds", !requested.seconds.empty()},
                                                {"--rate", !requested.rate.empty()},
                                                {"--where", !requested.where.empty()},
                                                {"--cold", requested.cold}};
  for (const auto& [name, is_given] : given) {
    if (!is_given) continue;
    fail(ErrorKind::Argument, {}, name, " does not apply to --merge, which measures nothing");
  }
  return bench::merge_documents(session.arguments(0));
}

void run_bench(Session& session) {
  const auto& requested = session.get<BenchVerbOptions>();
  // A file that cannot be read or written fails before minutes of work.
  std::optional<Destination> page;
  if (!requested.html.empty()) {
    session.check_output("--html", requested.html);
    const auto& output = session.get<OutputOptions>();
    if (requested.html == output.to) {
      fail(ErrorKind::Argument, requested.html, "--html and --to name the same file");
    }
    page.emplace(requested.html, output.force);
  }
  bench::Json baseline;
  if (!requested.baseline.empty()) baseline = bench::read_document(requested.baseline);
  const OutputForm form = session.form();

  bench::Report report;
  bench::Json document;
  if (requested.merge) {
    document = merged(session);
  } else {
    const bench::Plan plan = plan_of(session);
    report = measured(session, plan);
    document = bench::document_of(plan, report);
  }
  if (!requested.baseline.empty() && bench::compare_with(document, baseline) == 0) {
    session.note(
        concat(requested.baseline, " has none of these questions to a file of these names"));
  }
  if (form.name == "json") {
    bench::print_document(document, session.out());
  } else {
    bench::print_lines(document, form, session.out());
  }
  if (page) {
    bench::print_page(document, page->sink());
    page->finish();
  }
  session.out().flush();  // prints the report before its notes
  if (!requested.merge && form.name == "table") note_load(session, report);
  report_failures(session, document, first_failure(report));
}

}  // namespace

Verb bench_verb() {
  return {
      "bench",
      "measure what access to files costs: latencies, rates, memory, pages",
      {{"heron bench train.jay", "all questions, a second each"},
       {"heron bench train.jay train.idv --ops row,take --html report.html",
        "two files side by side, and a page with plots"},
       {"heron bench train.jay --cold --seconds 5", "also from the device, and the device alone"},
       {"heron bench train.jay --ops row --rate 20000 --threads 2",
        "latencies under load, waiting included"},
       {"heron bench train.jay -o json > old.json", "to compare with later:"},
       {"heron bench train.jay --baseline old.json", "what is slower or faster by more than noise"},
       {"heron bench --merge here.json there.json --html both.html", "two reports on one page"}},
      {{"FILE", "the files to measure, each by itself", Kind::File, true, true}},
      opening_options({kOpsOption, kSeconds, kCold, kAskers, kRate, kSeed, kColumns, kFilterBy,
                       kBaseline, kHtml, kMerge, kTable, kBenchOutput, kTo, kForce},
                      {kExplain}),
      run_bench,
      "Questions: open; row, rows, take: 1, 100 and 10,000 random rows in one call; block; "
      "column; scan; filter; sample: a batch of 256 rows in random order; find: a row by key; "
      "group. All values of an answer are read. Questions are about the columns and rows that "
      "all files have; files take turns.\n"
      "Columns: asked: the number of questions; rows: the rows of an answer; p50 to p99.9: half, "
      "90 %, 99 %, 99.9 % of the questions took no longer (-: there were fewer than 10, 100, 1,000 "
      "questions); over plain loop: the median as a multiple of that of a plain loop, where a file "
      "stores columns so "
      "that the loop does the same work. With --cold, each sample drops the file's pages, opens it "
      "and asks; a sample whose pages stayed does not count.\n",
      {{"benchmark time measure perf", "to measure access to a file", "heron bench FILE"}}};
}

}  // namespace heron::cli

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "arguments.h"
#include "bench/document.h"
#include "bench/runner.h"
#include "files.h"
#include "heron/error.h"
#include "interrupt.h"
#include "options.h"
#include "output/destination.h"
#include "session.h"
#include "verbs.h"

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

constexpr Option kOpsOption{"--ops", "A,B", "which questions (default: all that a file can answer)",
                            into<&BenchVerbOptions::ops>};
constexpr Option kSeconds{"--seconds", "S", "for each question to each file (default: 1)",
                          into<&BenchVerbOptions::seconds>};
constexpr Option kCold{"--cold", "", "also with no page of the file in memory",
                       into<&BenchVerbOptions::cold>};
constexpr Option kRate{"--rate", "R", "R questions a second, whether answered in time or not",
                       into<&BenchVerbOptions::rate>};
constexpr Option kAskers{.names = "--threads",
                         .value = "N",
                         .what = "N threads that ask at the same time (default: 1)",
                         .read = into<&OpeningOptions::threads>,
                         .least = 1};
constexpr Option kFilterBy{"--where", "E",
                           "the predicate of filter (default: one that 1 row in 100 passes)",
                           into<&BenchVerbOptions::where>};
constexpr Option kBaseline{"--baseline",
                           "OLD",
                           "a report in JSON: marks what differs from it",
                           into<&BenchVerbOptions::baseline>,
                           {},
                           true};
constexpr Option kHtml{
    "--html", "PAGE", "also write the report as a page", into<&BenchVerbOptions::html>, {}, true};
constexpr Option kMerge{"--merge", "", "the files are reports in JSON: put them side by side",
                        into<&BenchVerbOptions::merge>};
constexpr Option kBenchOutput{"-o,--output", "FORM", "how to print (default: table)",
                              into<&OutputOptions::output>, "table json csv"};

double parse_positive(std::string_view option, const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || !(number > 0) || number > 1e9) {
    fail(ErrorKind::Argument, {}, option, ": expected a number above 0, got \"", text, '"');
  }
  return number;
}

bench::Plan plan_of(Session& session) {
  const auto& asked = session.get<BenchVerbOptions>();
  bench::Plan plan;
  plan.every_op = asked.ops.empty();
  if (plan.every_op) {
    for (const std::string_view name : words(bench::kOps))
      plan.ops.push_back(bench::op_named(name));
  } else {
    for (const std::string& name : parse_names(asked.ops)) {
      const bench::Op op = bench::op_named(name);
      if (std::find(plan.ops.begin(), plan.ops.end(), op) == plan.ops.end()) plan.ops.push_back(op);
    }
  }
  if (!asked.seconds.empty()) plan.seconds = parse_positive("--seconds", asked.seconds);
  if (!asked.rate.empty()) plan.rate = parse_positive("--rate", asked.rate);
  plan.threads = static_cast<unsigned>(
      std::min<uint64_t>(session.get<OpeningOptions>().threads.value_or(1), 1024));
  plan.cold = asked.cold;
  if (plan.cold && plan.rate) fail(ErrorKind::Argument, {}, "--rate is not for --cold");
  plan.seed = session.get<DrawOptions>().seed.value_or(0);
  for (const std::string& path : matching_files(session.arguments(0))) {
    bench::Subject& subject = plan.subjects.emplace_back();
    subject.path = path;
    subject.options = session.open_options();
    subject.table = session.get<TableOptions>().table;
    const std::string& columns = session.get<TableOptions>().columns;
    if (!columns.empty()) subject.columns = parse_names(columns);
    subject.where = asked.where;
    subject.seed = plan.seed;
  }
  return plan;
}

std::string time_left(double seconds) {
  const auto whole = static_cast<uint64_t>(std::max(seconds, 0.0) + 0.5);
  const uint64_t rest = whole % 60;
  return concat(whole / 60, ':', rest < 10 ? "0" : "", rest, " left");
}

uint64_t failed_questions(const bench::Json& document) {
  uint64_t failed = 0;
  for (const bench::Json& report : document["reports"]) {
    for (const bench::Json& one : report["results"]) {
      failed += one.contains("error") && one.value("asked", true);
    }
  }
  return failed;
}

bench::Json measured(Session& session) {
  const bench::Plan plan = plan_of(session);
  const bench::Shown show = [&](std::string_view what, double share, double left) {
    session.show_progress(share, concat(time_left(left), what.empty() ? "" : ", ", what));
  };
  Context context = session.context();
  context.progress = nullptr;
  context.metrics = nullptr;
  context.threads = 1;
  const bench::Report report = bench::run(plan, show, context);
  if (report.interrupted) {
    session.note("interrupted: the report has what was measured until then");
    session.set_exit_code(interrupted_exit_code());
  }
  return bench::document_of(plan, report);
}

void write_page(Session& session, const bench::Json& document, const std::string& path) {
  Destination page(path, session.get<OutputOptions>().force);
  bench::print_page(document, page.sink());
  page.finish();
}

void run_bench(Session& session) {
  const auto& asked = session.get<BenchVerbOptions>();
  // What cannot be read or written fails before minutes of work.
  if (!asked.html.empty()) session.check_output("--html", asked.html);
  bench::Json baseline;
  if (!asked.baseline.empty()) baseline = bench::read_document(asked.baseline);
  const OutputForm form = session.form();

  bench::Json document =
      asked.merge ? bench::merge_documents(session.arguments(0)) : measured(session);
  if (!asked.baseline.empty() && bench::compare_with(document, baseline) == 0) {
    session.note(concat(asked.baseline, " has none of these questions to a file of these names"));
  }
  if (form.name == "json") {
    bench::print_document(document, session.out());
  } else {
    bench::print_lines(document, form, session.out());
  }
  if (!asked.html.empty()) write_page(session, document, asked.html);
  const uint64_t failed = failed_questions(document);
  if (failed == 0) return;
  session.note(concat(failed, failed == 1 ? " question" : " questions",
                      " could not be asked: see the report"));
  if (session.exit_code() == 0) session.set_exit_code(1);
}

}  // namespace

Verb bench_verb() {
  return {
      "bench",
      "what access to files costs: latencies, rates, memory, pages",
      {{"heron bench train.jay", "all questions, a second each"},
       {"heron bench train.jay train.idv --ops row,take --html report.html",
        "two files side by side, and a page with plots"},
       {"heron bench train.jay --cold --seconds 5", "also from the device, and the device alone"},
       {"heron bench train.jay --ops row --rate 20000 --threads 2",
        "latencies under load, waiting included"},
       {"heron bench train.jay -o json > old.json", "to compare with later:"},
       {"heron bench train.jay --baseline old.json", "what is slower or faster by more than noise"},
       {"heron bench --merge here.json there.json --html both.html", "two reports on one page"}},
      {{"FILE", "the files to measure; each by itself", Argument::Kind::File, true, true}},
      {kOpsOption, kSeconds,   kCold,     kAskers,   kRate,        kSeed,     kColumns, kFilterBy,
       kBaseline,  kHtml,      kMerge,    kTable,    kBenchOutput, kTo,       kForce,   kEntry,
       kFormat,    kSeparator, kNoHeader, kTypes,    kNullWords,   kEncoding, kValues,  kMode,
       kNoMmap,    kAccess,    kNoIndex,  kCacheMib, kMaxDecode,   kQuiet,    kVerbose, kHelp},
      run_bench,
      "Questions: open; row, rows, take: 1, 100 and 10,000 random rows in one call; block; "
      "column; scan; filter; sample: a batch of 256 rows in random order; find: a row by key; "
      "group. All values of an answer are looked at. Of several files, the columns that all "
      "have are asked for, and the same rows; files take turns.\n"
      "bound: a plain loop over the same bytes. With --cold, each sample drops the file's "
      "pages, opens it and asks; a sample whose pages stayed does not count.\n"};
}

}  // namespace heron::cli

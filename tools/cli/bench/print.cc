// A report as lines, as JSON and as a page.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/document.h"
#include "bench/page.h"
#include "heron/error.h"
#include "output/records.h"

namespace heron::cli::bench {
namespace {

std::string scaled(double value, double scale) {
  const double number = value / scale;
  return fmt::format("{:.{}f}", number, number < 10 ? 2 : number < 100 ? 1 : 0);
}

std::string duration(double ns) {
  if (ns < 1e3) return fmt::format("{:.0f} ns", ns);
  if (ns < 1e6) return scaled(ns, 1e3) + " µs";
  return ns < 1e9 ? scaled(ns, 1e6) + " ms" : scaled(ns, 1e9) + " s";
}

std::string rate(double each_second) {
  if (each_second < 1e3) return scaled(each_second, 1);
  if (each_second < 1e6) return scaled(each_second, 1e3) + "k";
  return each_second < 1e9 ? scaled(each_second, 1e6) + "M" : scaled(each_second, 1e9) + "G";
}

std::string ratio_text(const Json& of) {
  return fmt::format("{:.3g} ({:.3g} to {:.3g})", of["ratio"].get<double>(),
                     of["low"].get<double>(), of["high"].get<double>());
}

std::string text(const Json& of) {
  return of.get<std::string>();
}

RecordCell number_of(const Json& result, const char* name) {
  return result.contains(name) ? number_cell(result[name].get<double>()) : RecordCell();
}

RecordCell text_or_null(std::string value) {
  return value.empty() ? RecordCell() : text_cell(value);
}

constexpr const char* kTimes[] = {"p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"};
constexpr const char* kNumbers[] = {"samples",         "mean_ns",          "questions_per_second",
                                    "rows_per_second", "bytes_per_second", "rows",
                                    "bytes",           "touched_bytes",    "minor_faults",
                                    "major_faults",    "device_bytes",     "peak_memory_bytes"};

// For programs: numbers in their units.
void print_csv(const Json& document, const OutputForm& form, TextSink& sink) {
  std::vector<TableLayout::Heading> headings = {
      {"engine", false}, {"file", false}, {"op", false}, {"mode", false}};
  for (const char* name : kTimes) headings.push_back({name, true});
  for (const char* name : kNumbers) headings.push_back({name, true});
  for (const char* name : {"bound_p50_ns", "ratio", "ratio_low", "ratio_high", "baseline_ratio"}) {
    headings.push_back({name, true});
  }
  for (const char* name : {"verdict", "error"}) headings.push_back({name, false});
  const auto writer = make_record_writer(form, sink, std::move(headings));
  for (const Json& report : document["reports"]) {
    for (const Json& one : report["results"]) {
      const Json& file = report["files"][one["file"].get<size_t>()];
      std::vector<RecordCell> cells = {text_cell(text(file["engine"])),
                                       text_cell(text(file["path"])), text_cell(text(one["op"])),
                                       text_cell(text(one["mode"]))};
      for (const char* name : kTimes) cells.push_back(number_of(one, name));
      for (const char* name : kNumbers) cells.push_back(number_of(one, name));
      const Json none = Json::object();
      const auto part = [&](const char* name) -> const Json& {
        return one.contains(name) ? one[name] : none;
      };
      cells.push_back(number_of(part("bound"), "p50_ns"));
      for (const char* name : {"ratio", "low", "high"}) {
        cells.push_back(number_of(part("versus"), name));
      }
      cells.push_back(number_of(part("baseline"), "ratio"));
      cells.push_back(text_or_null(part("baseline").value("verdict", std::string())));
      cells.push_back(text_or_null(one.value("error", std::string())));
      writer->write(std::move(cells));
    }
  }
  writer->finish();
}

// Which columns a table of people has.
struct LineColumns {
  bool versus = false, baseline = false, error = false, engines = false;

  explicit LineColumns(const Json& document) {
    for (const Json& report : document["reports"]) {
      engines |= report["engine"] != "heron";
      for (const Json& one : report["results"]) {
        versus |= one.contains("versus");
        baseline |= one.contains("baseline");
        error |= one.contains("error");
      }
    }
  }
};

std::vector<RecordCell> line_of(const Json& file, const Json& one, const LineColumns& columns) {
  const bool failed = one.contains("error");
  const auto cell = [&](std::string value) { return failed ? RecordCell() : text_cell(value); };
  const auto get = [&](const char* name) { return failed ? 0 : one.value(name, 0.0); };
  std::vector<RecordCell> cells;
  if (columns.engines) cells.push_back(text_cell(text(file["engine"])));
  for (const std::string& name : {text(file["path"]), text(one["op"]), text(one["mode"])}) {
    cells.push_back(text_cell(name));
  }
  for (const char* name : kTimes) cells.push_back(cell(duration(get(name))));
  const bool has_rows = get("rows_per_second") > 0;
  cells.push_back(has_rows ? cell(rate(get("rows_per_second"))) : RecordCell());
  cells.push_back(has_rows ? cell(rate(get("bytes_per_second"))) : RecordCell());
  cells.push_back(one.contains("bound")
                      ? text_cell(fmt::format("{:.3g}", one["bound"]["ratio"].get<double>()))
                      : RecordCell());
  if (columns.versus) {
    cells.push_back(one.contains("versus") ? text_cell(ratio_text(one["versus"])) : RecordCell());
  }
  if (columns.baseline) {
    cells.push_back(one.contains("baseline") ? text_cell(ratio_text(one["baseline"]) + ' ' +
                                                         text(one["baseline"]["verdict"]))
                                             : RecordCell());
  }
  if (columns.error) cells.push_back(text_or_null(one.value("error", std::string())));
  return cells;
}

}  // namespace

void print_lines(const Json& document, const OutputForm& form, TextSink& sink) {
  if (form.name == "csv") return print_csv(document, form, sink);
  const LineColumns columns(document);
  std::vector<TableLayout::Heading> headings;
  if (columns.engines) headings.push_back({"engine", false});
  for (const char* name : {"file", "op", "mode"}) headings.push_back({name, false});
  for (const char* name :
       {"p50", "p90", "p99", "p99.9", "max", "rows/s", "bytes/s", "over plain loop"}) {
    headings.push_back({name, true});
  }
  if (columns.versus) headings.push_back({"over the first file", false});
  if (columns.baseline) headings.push_back({"over the baseline", false});
  if (columns.error) headings.push_back({"error", false});
  const auto writer = make_record_writer(form, sink, std::move(headings));
  for (const Json& report : document["reports"]) {
    for (const Json& one : report["results"]) {
      writer->write(line_of(report["files"][one["file"].get<size_t>()], one, columns));
    }
  }
  writer->finish();
}

void print_document(const Json& document, TextSink& sink) {
  sink.append(document.dump(1, ' ', false, Json::error_handler_t::replace));
  sink.append('\n');
}

// What would end the script element is escaped, as JSON allows.
void print_page(const Json& document, TextSink& sink) {
  constexpr std::string_view kMark = "@REPORT@";
  const size_t mark = kPage.find(kMark);
  sink.append(kPage.substr(0, mark));
  for (const char c : document.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      sink.append(std::string_view("\\u003c"));
    } else {
      sink.append(c);
    }
  }
  sink.append(kPage.substr(mark + kMark.size()));
}

}  // namespace heron::cli::bench

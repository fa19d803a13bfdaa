// Prints a report as lines, as JSON and as a page.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/document.h"
#include "bench/page.h"
#include "heron/error.h"
#include "output/report.h"

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

// Returns nullopt if the number is absent or null, as percentiles of few samples are.
std::optional<double> number_in(const Json& result, const char* name) {
  const auto found = result.find(name);
  if (found == result.end() || found->is_null()) return std::nullopt;
  return found->get<double>();
}

// Formats a number as "12,345".
std::string with_separators(double number) {
  std::string digits = fmt::format("{:.0f}", number);
  for (auto at = static_cast<ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<size_t>(at), 1, ',');
  }
  return digits;
}

// The table shows this if a result has no value.
constexpr const char* kAbsent = "-";

Cell text_or_null(const std::string& value) {
  return value.empty() ? Cell() : Cell(value);
}

constexpr const char* kTimes[] = {"p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"};
constexpr const char* kNumbers[] = {"samples",         "mean_ns",          "questions_per_second",
                                    "rows_per_second", "bytes_per_second", "rows",
                                    "bytes",           "touched_bytes",    "minor_faults",
                                    "major_faults",    "device_bytes",     "peak_memory_bytes"};

// Prints for programs: numbers in their units.
void print_csv(const Json& document, const OutputForm& form, TextSink& sink) {
  Schema columns;
  for (const char* name : {"engine", "file", "op", "mode"}) columns.push_back(text_column(name));
  for (const char* name : kTimes) columns.push_back(number_column(name));
  for (const char* name : kNumbers) columns.push_back(number_column(name));
  for (const char* name : {"bound_p50_ns", "ratio", "ratio_low", "ratio_high", "baseline_ratio"}) {
    columns.push_back(number_column(name));
  }
  for (const char* name : {"verdict", "error"}) columns.push_back(text_column(name));
  const auto writer = make_report_writer(form, sink, columns);
  for (const Json& report : document["reports"]) {
    for (const Json& one : report["results"]) {
      const Json& file = report["files"][one["file"].get<size_t>()];
      std::vector<Cell> cells = {text(file["engine"]), text(file["path"]), text(one["op"]),
                                 text(one["mode"])};
      for (const char* name : kTimes) cells.push_back(number_in(one, name));
      for (const char* name : kNumbers) cells.push_back(number_in(one, name));
      const Json none = Json::object();
      const auto part = [&](const char* name) -> const Json& {
        return one.contains(name) ? one[name] : none;
      };
      cells.push_back(number_in(part("bound"), "p50_ns"));
      for (const char* name : {"ratio", "low", "high"}) {
        cells.push_back(number_in(part("versus"), name));
      }
      cells.push_back(number_in(part("baseline"), "ratio"));
      cells.push_back(text_or_null(part("baseline").value("verdict", std::string())));
      cells.push_back(text_or_null(one.value("error", std::string())));
      writer->write(row_of(cells));
    }
  }
  writer->finish();
}

// The optional columns that a table for people has.
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

std::vector<Cell> line_of(const Json& file, const std::string& name, const Json& one,
                          const LineColumns& columns) {
  std::vector<Cell> cells;
  const auto show = [&](const char* member, const auto& as_text) {
    const auto number = number_in(one, member);
    cells.push_back(number ? Cell(as_text(*number)) : kAbsent);
  };
  const auto show_if = [&](const char* member, const auto& as_text) {
    cells.push_back(one.contains(member) ? Cell(as_text(one[member])) : kAbsent);
  };
  if (columns.engines) cells.push_back(text(file["engine"]));
  for (const std::string& word : {name, text(one["op"]), text(one["mode"])}) {
    cells.push_back(word);
  }
  show("samples", with_separators);
  show("rows", with_separators);
  for (const char* time : kTimes) show(time, duration);
  const auto if_any = [](double number) { return number > 0 ? rate(number) : kAbsent; };
  show("rows_per_second", if_any);
  show("bytes_per_second", if_any);
  show_if("bound", [](const Json& bound) {
    const auto ratio = number_in(bound, "ratio");
    return ratio ? fmt::format("{:.3g}", *ratio) : kAbsent;
  });
  if (columns.versus) show_if("versus", ratio_text);
  if (columns.baseline) {
    show_if("baseline",
            [](const Json& old) { return ratio_text(old) + ' ' + text(old["verdict"]); });
  }
  if (columns.error) show_if("error", text);
  return cells;
}

// Returns the last parts of paths, as many as it takes to tell them apart.
std::vector<std::string> short_names(const Json& files) {
  std::vector<std::string> paths, names;
  for (const Json& file : files) paths.push_back(text(file["path"]));
  const auto last_parts = [](const std::string& path, int parts) {
    size_t slash = path.size();
    while (parts-- > 0 && slash != std::string::npos && slash > 0) {
      slash = path.rfind('/', slash - 1);
    }
    return slash == std::string::npos || slash == 0 ? path : path.substr(slash + 1);
  };
  for (const std::string& path : paths) {
    for (int parts = 1;; ++parts) {
      const std::string name = last_parts(path, parts);
      const bool is_shared = std::any_of(paths.begin(), paths.end(), [&](const std::string& other) {
        return other != path && last_parts(other, parts) == name;
      });
      if (is_shared && name != path) continue;
      names.push_back(name);
      break;
    }
  }
  return names;
}

}  // namespace

void print_lines(const Json& document, const OutputForm& form, TextSink& sink) {
  if (form.name == "csv") return print_csv(document, form, sink);
  const LineColumns columns(document);
  Schema headings;
  if (columns.engines) headings.push_back(text_column("engine"));
  for (const char* name : {"file", "op", "mode"}) headings.push_back(text_column(name));
  for (const char* name : {"asked", "rows", "p50", "p90", "p99", "p99.9", "max", "rows/s",
                           "bytes/s", "over plain loop"}) {
    headings.push_back(number_column(name));
  }
  if (columns.versus) headings.push_back(text_column("over the first file"));
  if (columns.baseline) headings.push_back(text_column("over the baseline"));
  if (columns.error) headings.push_back(text_column("error"));
  const auto writer = make_report_writer(form, sink, headings);
  for (const Json& report : document["reports"]) {
    const std::vector<std::string> names = short_names(report["files"]);
    for (const Json& one : report["results"]) {
      const auto file = one["file"].get<size_t>();
      writer->write(row_of(line_of(report["files"][file], names[file], one, columns)));
    }
  }
  writer->finish();
}

void print_document(const Json& document, TextSink& sink) {
  sink.append(document.dump(1, ' ', false, Json::error_handler_t::replace));
  sink.append('\n');
}

// Text that would end the script element is escaped, as JSON allows.
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

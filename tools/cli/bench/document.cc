#include "bench/document.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/library.h"
#include "measure/noise.h"

namespace heron::cli::bench {
namespace {

constexpr unsigned kHistogramBits = 4;  // buckets are 4 % wide on average
// A difference below this share counts as none: machines vary that much from run to run.
constexpr double kNoiseFloor = 0.1;

Json json_of(const measure::Facts& facts) {
  Json json = Json::object();
  for (const auto& [name, value] : facts) json[name] = value;
  return json;
}

Json json_of(const measure::Histogram& histogram) {
  Json json = Json::array();
  for (const auto& bucket : histogram.buckets(kHistogramBits)) {
    json.push_back({bucket.end, bucket.count});
  }
  return json;
}

// Returns null if there are too few samples.
Json quantile(const measure::Histogram& latency, double q) {
  return latency.has_quantile(q) ? Json(latency.quantile(q)) : Json();
}

void add_quantiles(Json& json, const measure::Histogram& latency) {
  json["samples"] = latency.count();
  json["min_ns"] = latency.min();
  json["p50_ns"] = latency.quantile(0.5);  // a single sample is its own median
  json["p90_ns"] = quantile(latency, 0.9);
  json["p99_ns"] = quantile(latency, 0.99);
  json["p999_ns"] = quantile(latency, 0.999);
  json["max_ns"] = latency.max();
  json["mean_ns"] = latency.mean();
}

Json json_of(const DeviceLine& line) {
  Json json;
  json["pattern"] = line.random ? "random" : "sequential";
  json["depth"] = line.depth;
  json["piece_bytes"] = line.piece_bytes;
  add_quantiles(json, line.latency);
  json["reads_per_second"] = static_cast<double>(line.latency.count()) / line.seconds;
  json["bytes_per_second"] = static_cast<double>(line.bytes) / line.seconds;
  return json;
}

Json json_of(const FileReport& file) {
  Json json;
  json["path"] = file.path;
  if (file.failure) json["error"] = file.failure->what();
  json["engine"] = "heron";
  json["format"] = file.format;
  json["containers"] = file.containers;
  json["bytes"] = file.bytes;
  json["rows"] = file.rows;
  json["asked_rows"] = file.common_rows;
  json["columns"] = file.columns;
  if (!file.where.empty()) json["where"] = file.where;
  if (!file.key_columns.empty()) json["key"] = file.key_columns;
  if (file.in_memory) json["in_memory"] = *file.in_memory;
  json["disk"] = json_of(file.disk);
  json["device"] = Json::array();
  for (const DeviceLine& line : file.device) json["device"].push_back(json_of(line));
  return json;
}

// Returns the first row of one of kParts equal parts of the rows.
uint64_t first_row(uint64_t part, uint64_t rows) {
  constexpr uint64_t kParts = PartLatencies::kParts;
  return rows / kParts * part + rows % kParts * part / kParts;
}

Json json_of(const PartLatencies& parts, uint64_t rows) {
  Json json = Json::array();
  for (uint64_t i = 0; i < parts.histograms().size(); ++i) {
    const measure::Histogram& part = parts.histograms()[i];
    if (part.count() == 0) continue;
    json.push_back({first_row(i, rows), part.count(), part.quantile(0.5), quantile(part, 0.99)});
  }
  return json;
}

// Returns how many questions have an answer: at least one, so that it can be divided by.
double answered(const Measurement& one) {
  return static_cast<double>(std::max<uint64_t>(one.latency.count() - one.unanswered, 1));
}

// Returns the seconds by which rates are counted: the seconds that each asker worked; with a rate
// the elapsed seconds, as askers wait until questions are due.
double rated_seconds(const Plan& plan, const Measurement& one) {
  if (plan.rate && !one.cold) return static_cast<double>(one.turns_ns) / 1e9;
  return static_cast<double>(one.busy_ns) / 1e9 / (one.cold ? 1 : plan.threads);
}

void add_costs(Json& json, const Measurement& one) {
  const auto each = [&](uint64_t all) { return static_cast<double>(all) / answered(one); };
  json["minor_faults"] = each(one.costs.minor_faults);
  json["major_faults"] = each(one.costs.major_faults);
  json["device_bytes"] = each(one.costs.device_bytes);
  if (one.touched_bytes) json["touched_bytes"] = *one.touched_bytes;
  json["counters"] = Json::object();
  for (const auto& [name, value] : one.counters) json["counters"][name] = each(value);
  json["peak_memory_bytes"] = one.peak_memory_bytes;
}

Json json_of(const Plan& plan, const Report& report, const Measurement& one) {
  Json json;
  json["file"] = one.file;
  json["op"] = text_of(one.op).name;
  json["mode"] = one.cold ? "cold" : "warm";
  if (one.failure) {
    json["error"] = one.failure->what();
    if (!one.is_requested) json["asked"] = false;
    return json;
  }
  add_quantiles(json, one.latency);
  const double seconds = rated_seconds(plan, one);
  json["rows"] = static_cast<double>(one.answered.rows) / answered(one);
  json["bytes"] = static_cast<double>(one.answered.bytes) / answered(one);
  json["questions_per_second"] =
      static_cast<double>(one.latency.count() - one.unanswered) / seconds;
  json["rows_per_second"] = static_cast<double>(one.answered.rows) / seconds;
  json["bytes_per_second"] = static_cast<double>(one.answered.bytes) / seconds;
  if (plan.rate && !one.cold) json["unanswered"] = one.unanswered;
  add_costs(json, one);
  if (one.cold) {
    json["not_cold"] = one.warm_samples;
    json["stayed_pages"] = one.stayed_pages;
  }
  json["turns_ns"] = one.turns;
  if (one.bound && !one.bound->turns.empty()) {
    Json& bound = json["bound"];
    bound["what"] = one.bound->what;
    add_quantiles(bound, one.bound->latency);
    bound["turns_ns"] = one.bound->turns;
    bound["same_work"] = one.bound->is_same_work;
    if (one.bound->is_same_work) {
      bound["ratio"] = measure::median(one.turns) / measure::median(one.bound->turns);
    }
  }
  json["histogram"] = json_of(one.latency);
  if (!one.parts.empty()) json["places"] = json_of(one.parts, report.files[one.file].common_rows);
  return json;
}

Json interval(const measure::RatioInterval& ratio) {
  return {{"ratio", ratio.ratio}, {"low", ratio.low}, {"high", ratio.high}};
}

// Adds the ratio of each result to the first file whose answer to the same question has no error.
void add_ratios(Json& results) {
  for (Json& one : results) {
    if (one.contains("error")) continue;
    for (const Json& other : results) {
      if (other["op"] != one["op"] || other["mode"] != one["mode"] || other.contains("error")) {
        continue;
      }
      if (other["file"] == one["file"]) break;
      one["versus"] =
          interval(measure::ratio_interval(one["turns_ns"].get<std::vector<double>>(),
                                           other["turns_ns"].get<std::vector<double>>(), true));
      one["versus"]["file"] = other["file"];
      break;
    }
  }
}

const std::string& path_of(const Json& report, const Json& result) {
  return report["files"][result["file"].get<size_t>()]["path"].get_ref<const std::string&>();
}

std::string name_of(const Json& report, const Json& result) {
  const std::string& path = path_of(report, result);
  return path.substr(path.rfind('/') + 1);
}

// Returns the result of the same question to a file of the same path or, without one, name; or
// null.
const Json* find_result(const Json& baseline, const Json& report, const Json& result) {
  const Json* found = nullptr;
  for (const Json& old : baseline["reports"]) {
    for (const Json& one : old["results"]) {
      if (one.contains("error") || one["op"] != result["op"] || one["mode"] != result["mode"] ||
          old["engine"] != report["engine"] || name_of(old, one) != name_of(report, result)) {
        continue;
      }
      if (path_of(old, one) == path_of(report, result)) return &one;
      if (found == nullptr) found = &one;
    }
  }
  return found;
}

std::vector<double> turns_of(const Json& result) {
  return result["turns_ns"].get<std::vector<double>>();
}

// Returns how much slower or faster the machine was, as the plain loops of both runs show: the
// largest such ratio, as one above 1. Loops that take less than kMinNs say little.
double drift_between(const std::vector<std::pair<Json*, const Json*>>& pairs) {
  constexpr double kMinNs = 200;
  double drift = 1;
  for (const auto& [now, old] : pairs) {
    if (!now->contains("bound") || !old->contains("bound")) continue;
    const double a = measure::median(turns_of((*now)["bound"]));
    const double b = measure::median(turns_of((*old)["bound"]));
    if (std::min(a, b) >= kMinNs) drift = std::max({drift, a / b, b / a});
  }
  return drift;
}

Json comparison(const Json& now, const Json& old, double drift) {
  measure::RatioInterval ratio = measure::ratio_interval(turns_of(now), turns_of(old), false);
  ratio.low /= drift;
  ratio.high *= drift;
  Json json = interval(ratio);
  json["drift"] = drift;
  json["verdict"] = !ratio.is_beyond(kNoiseFloor) ? "same" : ratio.ratio > 1 ? "slower" : "faster";
  return json;
}

// Checks the parts of a report that are read, as other programs may have written it. Throws
// Json::exception for members that are absent or of another type, else Error(Corrupt).
void check_result(const Json& one, size_t files, const std::string& path) {
  const auto check_file = [&](const Json& number) {
    if (number.get<size_t>() < files) return;
    fail(ErrorKind::Corrupt, path, "a result is of file ", number.dump(), " of ", files);
  };
  check_file(one.at("file"));
  for (const char* name : {"op", "mode"}) one.at(name).get_ref<const std::string&>();
  if (one.contains("error")) {
    one["error"].get_ref<const std::string&>();
    return;
  }
  for (const char* name : {"samples", "p50_ns", "max_ns", "rows_per_second", "bytes_per_second"}) {
    one.at(name).get<double>();
  }
  const auto check_turns = [&](const Json& of) {
    if (!of.at("turns_ns").get<std::vector<double>>().empty()) return;
    fail(ErrorKind::Corrupt, path, "a result has no turns");
  };
  check_turns(one);
  if (one.contains("bound")) check_turns(one["bound"]);
  for (const char* name : {"versus", "baseline"}) {
    if (!one.contains(name)) continue;
    for (const char* number : {"ratio", "low", "high"}) one[name].at(number).get<double>();
  }
  if (one.contains("versus")) check_file(one["versus"].at("file"));
  if (one.contains("baseline")) one["baseline"].at("verdict").get_ref<const std::string&>();
}

void check_document(const Json& document, const std::string& path) {
  if (const auto version = document.at("heron_bench").get<int64_t>(); version != 1) {
    fail(ErrorKind::Corrupt, path, "expected \"heron_bench\": 1, got ", version);
  }
  for (const Json& report : document.at("reports")) {
    report.at("engine").get_ref<const std::string&>();
    for (const Json& file : report.at("files")) {
      for (const char* name : {"engine", "path"}) file.at(name).get_ref<const std::string&>();
    }
    for (const Json& one : report.at("results")) check_result(one, report["files"].size(), path);
  }
}

}  // namespace

Json document_of(const Plan& plan, const Report& report) {
  Json run;
  run["engine"] = "heron";
  run["version"] = version();
  run["started"] = report.started;
  run["interrupted"] = report.interrupted;
  run["seconds"] = plan.seconds;
  run["threads"] = plan.threads;
  run["seed"] = plan.seed;
  if (plan.rate) run["rate"] = *plan.rate;
  run["clock_overhead_ns"] = report.clock_overhead_ns;
  run["machine"] = json_of(report.machine);
  if (report.other_load) run["other_load"] = *report.other_load;
  run["questions"] = Json::object();
  for (const Op op : plan.ops) run["questions"][std::string(text_of(op).name)] = text_of(op).what;
  run["files"] = Json::array();
  for (const FileReport& file : report.files) run["files"].push_back(json_of(file));
  Json results = Json::array();
  for (const Measurement& one : report.measurements) {
    if (!one.failure && one.turns.empty()) continue;  // interrupted before the first turn
    results.push_back(json_of(plan, report, one));
  }
  add_ratios(results);
  run["results"] = std::move(results);
  return {{"heron_bench", 1}, {"reports", Json::array({std::move(run)})}};
}

Json read_document(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(ErrorKind::Io, path, "cannot be opened");
  if (std::filesystem::is_directory(path)) fail(ErrorKind::Io, path, "is a directory, not a file");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) fail(ErrorKind::Io, path, "cannot be read");
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) fail(ErrorKind::Corrupt, path, "expected JSON of heron bench");
  try {
    check_document(document, path);
  } catch (const Json::exception& error) {
    fail(ErrorKind::Corrupt, path, "expected a report of heron bench: ", error.what());
  }
  return document;
}

Json merge_documents(const std::vector<std::string>& paths) {
  Json all = {{"heron_bench", 1}, {"reports", Json::array()}};
  for (const std::string& path : paths) {
    Json one = read_document(path);
    for (Json& report : one["reports"]) all["reports"].push_back(std::move(report));
  }
  return all;
}

uint64_t compare_with(Json& document, const Json& baseline) {
  std::vector<std::pair<Json*, const Json*>> pairs;
  for (Json& report : document["reports"]) {
    for (Json& result : report["results"]) {
      if (result.contains("error")) continue;
      const Json* old = find_result(baseline, report, result);
      if (old != nullptr) pairs.emplace_back(&result, old);
    }
  }
  const double drift = drift_between(pairs);
  for (const auto& [now, old] : pairs) (*now)["baseline"] = comparison(*now, *old, drift);
  return pairs.size();
}

}  // namespace heron::cli::bench

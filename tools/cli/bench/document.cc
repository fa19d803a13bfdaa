#include "bench/document.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "heron/error.h"
#include "heron/version.h"
#include "measure/noise.h"

namespace heron::cli::bench {
namespace {

constexpr unsigned kHistogramBits = 4;  // buckets are 4 % wide on average
// A difference below this share is never called one: machines are not that even from run to run.
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

void add_quantiles(Json& json, const measure::Histogram& latency) {
  json["samples"] = latency.count();
  json["min_ns"] = latency.least();
  json["p50_ns"] = latency.quantile(0.5);
  json["p90_ns"] = latency.quantile(0.9);
  json["p99_ns"] = latency.quantile(0.99);
  json["p999_ns"] = latency.quantile(0.999);
  json["max_ns"] = latency.most();
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
  if (!file.error.empty()) json["error"] = file.error;
  json["engine"] = "heron";
  json["format"] = file.format;
  json["containers"] = file.containers;
  json["bytes"] = file.bytes;
  json["rows"] = file.rows;
  json["asked_rows"] = file.asked_rows;
  json["columns"] = file.columns;
  if (!file.where.empty()) json["where"] = file.where;
  if (!file.key_columns.empty()) json["key"] = file.key_columns;
  if (file.in_memory) json["in_memory"] = *file.in_memory;
  json["disk"] = json_of(file.disk);
  json["device"] = Json::array();
  for (const DeviceLine& line : file.device) json["device"].push_back(json_of(line));
  return json;
}

Json json_of(const Places& places, uint64_t rows) {
  Json json = Json::array();
  for (uint64_t i = 0; i < places.parts().size(); ++i) {
    const measure::Histogram& part = places.parts()[i];
    if (part.count() == 0) continue;
    json.push_back(
        {i * rows / Places::kPlaces, part.count(), part.quantile(0.5), part.quantile(0.99)});
  }
  return json;
}

void add_costs(Json& json, const Measurement& one) {
  const auto questions = static_cast<double>(one.latency.count() - one.unanswered);
  const auto each = [&](uint64_t all) { return static_cast<double>(all) / questions; };
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
  if (!one.error.empty()) {
    json["error"] = one.error;
    if (!one.is_asked) json["asked"] = false;
    return json;
  }
  add_quantiles(json, one.latency);
  const auto questions = static_cast<double>(one.latency.count() - one.unanswered);
  const double busy = static_cast<double>(one.busy_ns) / 1e9 / (one.cold ? 1 : plan.threads);
  json["rows"] = static_cast<double>(one.answered.rows) / questions;
  json["bytes"] = static_cast<double>(one.answered.bytes) / questions;
  json["questions_per_second"] = questions / busy;
  json["rows_per_second"] = static_cast<double>(one.answered.rows) / busy;
  json["bytes_per_second"] = static_cast<double>(one.answered.bytes) / busy;
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
    bound["ratio"] = measure::median(one.turns) / measure::median(one.bound->turns);
  }
  json["histogram"] = json_of(one.latency);
  if (!one.places.empty()) json["places"] = json_of(one.places, report.files[one.file].asked_rows);
  return json;
}

Json interval(const measure::RatioInterval& ratio) {
  return {{"ratio", ratio.ratio}, {"low", ratio.low}, {"high", ratio.high}};
}

// Beside the first file whose answer to the same question has no error.
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

std::string name_of(const Json& report, const Json& result) {
  const auto& path =
      report["files"][result["file"].get<size_t>()]["path"].get_ref<const std::string&>();
  return path.substr(path.rfind('/') + 1);
}

// The result of the same question, or null.
const Json* find_result(const Json& baseline, const Json& report, const Json& wanted) {
  for (const Json& old : baseline["reports"]) {
    for (const Json& one : old["results"]) {
      if (!one.contains("error") && one["op"] == wanted["op"] && one["mode"] == wanted["mode"] &&
          old["engine"] == report["engine"] && name_of(old, one) == name_of(report, wanted)) {
        return &one;
      }
    }
  }
  return nullptr;
}

std::vector<double> turns_of(const Json& result) {
  return result["turns_ns"].get<std::vector<double>>();
}

// How much slower or faster the machine was, as the plain loops of both runs show: the largest such
// ratio, as one above 1. Loops that take less than that say little.
double drift_between(const std::vector<std::pair<Json*, const Json*>>& pairs) {
  constexpr double kLeastNs = 200;
  double drift = 1;
  for (const auto& [now, old] : pairs) {
    if (!now->contains("bound") || !old->contains("bound")) continue;
    const double a = measure::median(turns_of((*now)["bound"]));
    const double b = measure::median(turns_of((*old)["bound"]));
    if (std::min(a, b) >= kLeastNs) drift = std::max({drift, a / b, b / a});
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
  run["questions"] = Json::object();
  for (const Op op : plan.ops) run["questions"][std::string(text_of(op).name)] = text_of(op).what;
  run["files"] = Json::array();
  for (const FileReport& file : report.files) run["files"].push_back(json_of(file));
  Json results = Json::array();
  for (const Measurement& one : report.measurements) {
    if (one.error.empty() && one.turns.empty()) continue;  // interrupted before its first turn
    results.push_back(json_of(plan, report, one));
  }
  add_ratios(results);
  run["results"] = std::move(results);
  return {{"heron_bench", 1}, {"reports", Json::array({std::move(run)})}};
}

Json read_document(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(ErrorKind::Io, path, "cannot be opened");
  Json document = Json::parse(file, nullptr, false);
  if (document.is_discarded()) fail(ErrorKind::Corrupt, path, "expected JSON of heron bench");
  if (!document.is_object() || document.value("heron_bench", 0) != 1 ||
      !document.contains("reports") || !document["reports"].is_array()) {
    fail(ErrorKind::Corrupt, path, "expected a report of heron bench, \"heron_bench\": 1");
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

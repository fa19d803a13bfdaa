// heron-cold: the cost of reading when no page of the file is in memory, beside the time that the
// device needs for the same pages. Devices that others use drift by the second, so each op is
// measured in turns, some rounds of them: the device, with plain reads past the page cache (random
// pages by 64 threads, sequential ones at the depth that was best before), then each way of
// reading. Before each, the file's pages are dropped, and a sample of them is checked. Prints a
// JSON line with the medians for each op and way; bench/cold.py makes a table of them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "cold_pages.h"
#include "heron/heron.h"
#include "measure.h"
#include "measure/cold_file.h"
#include "measure/process.h"
#include "plain.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

using measure::ColdFile;
using measure::PartsOfFile;
using measure::touch_free_memory;

uint64_t device_bytes() {
  return measure::ProcessCosts::now().device_bytes;
}

struct Way {
  const char* name;
  bool map;
  Access access;
  unsigned threads;
};

// The ways and the rounds to measure.
struct Plan {
  std::vector<Way> ways;
  uint64_t rounds = 3;
  bool touches = true;  // touches free memory; false where memory is limited
  bool drops = true;    // drops pages; false if the file is larger than memory: they leave anyway
  ColdFile::Depth depth;

  OpenOptions options(const Way& way) const {
    OpenOptions options;
    options.mmap = way.map;
    options.access = way.access;
    options.use_index = false;
    return options;
  }
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// The measurements of one way.
struct Measured {
  std::vector<double> seconds, device_bytes, faults;
  double stayed = 0;
  double check = 0;

  void add(const ColdFile& file, const PartsOfFile& parts, const Plan& plan,
           const std::function<double()>& work) {
    if (plan.touches) {
      touch_free_memory(std::min(file.bytes(), 2 * parts.page_count() * kPageBytes) +
                        (uint64_t{64} << 20));
    }
    if (plan.drops) {
      stayed = std::max(stayed, file.drop());
    }
    const auto before = measure::ProcessCosts::now();
    const double start = seconds_now();
    check = work();
    seconds.push_back(seconds_now() - start);
    const auto costs = measure::ProcessCosts::now() - before;
    device_bytes.push_back(static_cast<double>(costs.device_bytes));
    faults.push_back(static_cast<double>(costs.major_faults));
  }
};

// Times `work`, which returns a check, the same for all ways.
void measure_ways(const ColdFile& file, const Plan& plan, const std::string& op,
                  const PartsOfFile& parts, bool on_threads,
                  const std::function<double(const OpenOptions&, const Context&)>& work) {
  std::vector<double> device;
  std::vector<Measured> measured(plan.ways.size());
  // The map alone is last: it fills some GB that the system then takes back in the background, at
  // the cost of the next measurement.
  for (const bool asks : {true, false}) {
    for (uint64_t round = 0; round < plan.rounds; ++round) {
      if (asks) {
        device.push_back(file.read_ranges(parts.ranges, plan.depth) +
                         file.read_pages(parts.pages, 64));
      }
      for (uint64_t i = 0; i < plan.ways.size(); ++i) {
        const Way& way = plan.ways[i];
        if ((way.threads > 1 && !on_threads) || asks == (way.access == Access::Warm)) continue;
        Context context;
        context.threads = way.threads;
        measured[i].add(file, parts, plan, [&] { return work(plan.options(way), context); });
      }
    }
  }
  for (uint64_t i = 0; i < plan.ways.size(); ++i) {
    const Measured& one = measured[i];
    if (one.seconds.empty()) continue;
    std::printf(
        "{\"op\":\"%s\",\"way\":\"%s\",\"threads\":%u,\"seconds\":%.6f,\"device_seconds\":%.6f,"
        "\"device_bytes\":%.0f,\"pages\":%llu,\"major_faults\":%.0f,\"stayed\":%.3f,"
        "\"check\":%.17g}\n",
        op.c_str(), plan.ways[i].name, plan.ways[i].threads, median(one.seconds), median(device),
        median(one.device_bytes), static_cast<unsigned long long>(parts.page_count()),
        median(one.faults), one.stayed, one.check);
  }
  std::fflush(stdout);
}

// Prints what the device can do; returns the depth that is best for sequential reads.
ColdFile::Depth measure_device(const ColdFile& file) {
  constexpr uint64_t kRounds = 3;
  const uint64_t bytes = std::min(file.bytes(), uint64_t{512} << 20);
  std::vector<ColdFile::Depth> depths;
  for (const uint64_t piece : {uint64_t{256} << 10, uint64_t{1} << 20}) {
    for (const unsigned threads : {1U, 2U, 4U, 8U}) depths.push_back({threads, piece});
  }
  std::vector<std::vector<double>> seconds(depths.size());
  for (uint64_t round = 0; round < kRounds; ++round) {
    for (uint64_t i = 0; i < depths.size(); ++i) {
      seconds[i].push_back(file.read_ranges({{0, bytes}}, depths[i]));
    }
  }
  uint64_t best = 0;
  for (uint64_t i = 0; i < depths.size(); ++i) {
    if (median(seconds[i]) < median(seconds[best])) best = i;
  }
  std::printf("{\"device\":\"sequential, depth %u of %llu KiB\",\"bytes_a_second\":%.0f}\n",
              depths[best].threads, static_cast<unsigned long long>(depths[best].piece_bytes >> 10),
              static_cast<double>(bytes) / median(seconds[best]));
  std::mt19937_64 random(7);
  for (const unsigned threads : {1U, 8U, 64U}) {
    std::set<uint64_t> pages;
    while (pages.size() < (threads == 1 ? 2'000U : 16'000U)) {
      pages.insert(random() % (file.bytes() / kPageBytes));
    }
    const double taken = file.read_pages({pages.begin(), pages.end()}, threads);
    std::printf("{\"device\":\"random, depth %u\",\"pages_a_second\":%.0f}\n", threads,
                static_cast<double>(pages.size()) / taken);
  }
  std::fflush(stdout);
  return depths[best];
}

double sum_of_first(const RowBatch& batch) {
  double sum = 0;
  const Values& column = batch.columns.front();
  const bool is_vector = column.type.is(Type::Vector);
  const Values& first = is_vector ? column.children[0].children[0] : column;
  const bool is_integer = first.type.is(Type::Int32);
  for (uint64_t i = 0; i < first.rows; ++i) {
    if (first.is_null(i)) continue;
    // Each value is converted by itself: in one ?: expression int32 and float would both be float.
    sum += is_integer ? static_cast<double>(first.get<int32_t>(i))
                      : static_cast<double>(first.get<float>(i));
  }
  return sum;
}

void measure_rows(const ColdFile& file, const Plan& plan, uint64_t count) {
  std::mt19937_64 random(count);
  std::vector<uint64_t> rows(count);
  PartsOfFile parts;
  {
    const auto table = open(file.path())->table();
    for (uint64_t& row : rows) row = random() % table->rows();
    const Projection all(table);
    const bool is_matrix = (*all.schema())[0].type.is(Type::Vector);
    parts.pages = is_matrix ? pages_of_matrix(file.bytes(), *table, rows) : pages_of(all, rows);
  }
  measure_ways(file, plan, std::to_string(count) + " random rows", parts, false,
               [&](const OpenOptions& options, const Context& context) {
                 const auto fresh = open(file.path(), options);
                 return sum_of_first(take(Projection(fresh->table()), rows, context));
               });
}

void measure_loader(const ColdFile& file, const Plan& plan) {
  constexpr uint64_t kBatches = 40, kRows = 256;
  PartsOfFile parts;
  {
    const auto table = open(file.path())->table();
    std::vector<uint64_t> rows(kBatches * kRows);
    Sampler(table->rows(), {.seed = 11}).draw(0, rows);
    parts.pages = pages_of(Projection(table), rows);
  }
  measure_ways(file, plan, "loader of 256 rows, 1 ms a batch", parts, false,
               [&](const OpenOptions& options, const Context& context) {
                 const auto fresh = open(file.path(), options);
                 Loader loader(Projection(fresh->table()),
                               {.sampler = {.seed = 11}, .batch_rows = kRows}, {.prefetch = 0},
                               context);
                 LoaderBatch batch;
                 double sum = 0;
                 for (uint64_t i = 0; i < kBatches && loader.next(batch); ++i) {
                   sum += sum_of_first(batch.columns);
                   for (const double end = seconds_now() + 1e-3; seconds_now() < end;) {
                   }
                 }
                 return sum;
               });
}

void measure_scans(const ColdFile& file, const Plan& plan) {
  const auto parts_of = [&](std::vector<const char*> names) {
    return PartsOfFile{ranges_of(*open(file.path())->table(), names), {}};
  };
  const auto count_where = [&](const std::string& op, const char* where, const PartsOfFile& parts) {
    measure_ways(file, plan, op, parts, true,
                 [&](const OpenOptions& options, const Context& context) {
                   return static_cast<double>(
                       count(Query(open(file.path(), options)->table(), where), context));
                 });
  };
  const auto sums = [&](const std::string& op, const char* what, const PartsOfFile& parts) {
    measure_ways(file, plan, op, parts, true,
                 [&](const OpenOptions& options, const Context& context) {
                   const auto fresh = open(file.path(), options)->table();
                   keep(aggregate(Query(fresh), parse_aggregates(*fresh, what), context));
                   return 0.0;
                 });
  };
  count_where("count where f1", "f1 > 3.5", parts_of({"f1"}));
  sums("sum of one column", "sum(d0)", parts_of({"d0"}));
  sums("sums of all numbers",
       "sum(id), sum(ts), sum(f0), sum(f1), sum(f2), sum(f3), sum(d0), sum(d1), sum(flag)",
       parts_of({"id", "ts", "f0", "f1", "f2", "f3", "d0", "d1", "flag"}));
  PartsOfFile selective = parts_of({"f1"});
  {
    const auto table = open(file.path())->table();
    Query query(table, "f1 > 3.5");
    query.columns = {"f1"};
    Scan scan(query);
    std::vector<uint64_t> rows;
    for (RowBatch batch; scan.next(batch);) {
      rows.insert(rows.end(), scan.rows().begin(), scan.rows().end());
    }
    const std::vector<std::string> s = {"s"};
    selective.pages = pages_of(Projection(table, s), rows);
  }
  count_where("count where f1 and s", "f1 > 3.5 and s like 'ab%'", selective);
}

// Measures the given rows, and batches of 256 rows of seven columns, for
// bench/peers/cold_peers.py.
void measure_given(const ColdFile& file, const OpenOptions& options, const char* way,
                   const std::vector<uint64_t>& rows) {
  constexpr uint64_t kBatches = 20, kRows = 256;
  touch_free_memory(file.bytes());
  const double stayed = file.drop();
  const uint64_t before = device_bytes();
  double start = seconds_now();
  double ids = 0;
  {
    const auto data = open(file.path(), options);
    ids = sum_of_first(take(Projection(data->table()), rows));
  }
  const double seconds = seconds_now() - start;
  const uint64_t read = device_bytes() - before;
  file.drop();
  start = seconds_now();
  const auto data = open(file.path(), options);
  const std::vector<std::string> names = {"f0", "f1", "f2", "f3", "d0", "d1", "flag"};
  Loader loader(Projection(data->table(), names), {.sampler = {.seed = 5}, .batch_rows = kRows});
  LoaderBatch batch;
  for (uint64_t i = 0; i < kBatches && loader.next(batch); ++i) keep(batch);
  std::printf(
      "{\"op\":\"given rows\",\"way\":\"%s\",\"seconds\":%.6f,\"device_bytes\":%llu,"
      "\"sample_seconds\":%.6f,\"stayed\":%.3f,\"check\":%.17g}\n",
      way, seconds, static_cast<unsigned long long>(read), (seconds_now() - start) / kBatches,
      stayed, ids);
}

void measure_given(const std::string& path, const std::string& list) {
  std::ifstream in(list);
  std::vector<uint64_t> rows;
  for (uint64_t row; in >> row;) rows.push_back(row);
  for (const bool map : {true, false}) {
    OpenOptions options;
    options.mmap = map;
    options.use_index = false;
    measure_given(ColdFile(path), options, map ? "mapped" : "pread", rows);
  }
}

bool has(const std::string& op, const std::vector<std::string>& only) {
  return only.empty() || std::find(only.begin(), only.end(), op) != only.end();
}

void run(const std::string& path, Plan plan, const std::vector<std::string>& only) {
  const ColdFile file(path);
  file.drop();
  plan.depth = measure_device(file);
  if (has("rows", only)) {
    measure_rows(file, plan, 1'000);
    measure_rows(file, plan, 10'000);
  }
  if (!open(path)->table()->find_column("f1")) return;
  if (has("loader", only)) measure_loader(file, plan);
  if (has("scans", only)) measure_scans(file, plan);
}

}  // namespace
}  // namespace heron::bench

int main(int count, char** arguments) {
  using namespace heron;
  bench::Plan plan;
  std::vector<std::string> only;
  const char* rows = nullptr;
  const char* only_way = nullptr;
  bool asks_only = false;
  for (int i = 2; i < count; ++i) {
    const std::string_view word = arguments[i];
    if (word == "--rows" && i + 1 < count) rows = arguments[++i];
    if (word == "--rounds" && i + 1 < count)
      plan.rounds = std::strtoull(arguments[++i], nullptr, 10);
    if (word == "--only" && i + 1 < count) only.emplace_back(arguments[++i]);
    if (word == "--way" && i + 1 < count) only_way = arguments[++i];
    if (word == "--no-drop") plan.drops = false;
    if (word == "--no-touch") plan.touches = false;
    asks_only |= word == "--asking";
  }
  if (count < 2 || plan.rounds == 0) {
    std::fputs(
        "heron-cold FILE [--rows LIST | --rounds N --only rows|loader|scans --asking --no-drop\n"
        "                  --no-touch --way mapped|pread|'map alone']\n",
        stderr);
    return 2;
  }
  plan.ways = {{"mapped", true, Access::Auto, 1},
               {"pread", false, Access::Auto, 1},
               {"map alone", true, Access::Warm, 1},
               {"mapped", true, Access::Auto, 2},
               {"pread", false, Access::Auto, 2}};
  if (asks_only) std::erase_if(plan.ways, [](auto& way) { return way.access == Access::Warm; });
  if (only_way != nullptr) {
    std::erase_if(plan.ways, [&](auto& one) { return std::string_view(one.name) != only_way; });
  }
  try {
    rows != nullptr ? bench::measure_given(arguments[1], rows)
                    : bench::run(arguments[1], plan, only);
  } catch (const Error& error) {
    std::fprintf(stderr, "heron-cold: %s\n", error.what());
    return 1;
  }
  return 0;
}

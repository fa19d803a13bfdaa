// heron-micro: single kernels of the engine, for work on one of them. heron-micro FILE.jay takes a
// file of the peers' ten columns and the flags of Google Benchmark.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "base/arena.h"
#include "columns/column.h"
#include "peers_file.h"
#include "sums.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

using Rows = std::vector<uint64_t>;

void count_rows(benchmark::State& state, uint64_t rows) {
  state.SetItemsProcessed(static_cast<int64_t>(rows) * state.iterations());
}

void gather(benchmark::State& state, const Column& column, const Rows& rows) {
  Arena arena;
  const Context context;
  for (auto _ : state) {
    arena.reset();
    benchmark::DoNotOptimize(column.take(rows, arena, context));
  }
  count_rows(state, rows.size());
}

// Times the search for nulls: reading aligned numbers copies nothing.
void validity(benchmark::State& state, const Column& column) {
  Arena arena;
  const Context context;
  for (auto _ : state) {
    arena.reset();
    benchmark::DoNotOptimize(column.read({0, column.rows()}, arena, context));
  }
  count_rows(state, column.rows());
}

void add_up(benchmark::State& state, const Projection& all, uint64_t column) {
  for (auto _ : state) benchmark::DoNotOptimize(sum(all, column));
  count_rows(state, all.table()->rows());
}

void draw(benchmark::State& state, uint64_t rows) {
  const Sampler sampler(rows);
  Rows drawn(std::min<uint64_t>(256, sampler.size()));
  for (auto _ : state) {
    sampler.draw(0, drawn);
    benchmark::DoNotOptimize(drawn.data());
  }
  count_rows(state, drawn.size());
}

void open_file(benchmark::State& state, const PeersFile& file) {
  for (auto _ : state) benchmark::DoNotOptimize(open(file.path, file.options));
}

void register_all(const PeersFile& file, const Rows& rows) {
  const auto add = [](const std::string& name, auto function, auto... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), function, arguments...);
  };
  const auto column = [&file](uint64_t i) { return std::cref(*internals(file.all).columns()[i]); };
  for (const uint64_t i : {kId, kTs, kF0, kFlag, kText}) {
    const std::string name = file.all.table()->column_name(i);
    add("gather/" + name, gather, column(i), std::cref(rows));
    add("validity/" + name, validity, column(i));
    if (i != kText) add("sum/" + name, add_up, std::cref(file.all), i);
  }
  add("draw/256", draw, file.rows);
  add("open", open_file, std::cref(file));
}

int run(const std::string& path) {
  const PeersFile file(path, {});
  std::mt19937_64 random(20261121);
  std::uniform_int_distribution<uint64_t> any(0, file.rows - 1);
  Rows rows(100'000);
  for (uint64_t& row : rows) row = any(random);
  register_all(file, rows);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace heron::bench

int main(int count, char** words) {
  benchmark::Initialize(&count, words);
  if (count != 2) {
    std::fprintf(stderr, "usage: heron-micro FILE.jay [--benchmark_...]\n");
    return 2;
  }
  try {
    return heron::bench::run(words[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heron-micro: %s\n", error.what());
    return 1;
  }
}

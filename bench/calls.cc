// heron-calls: the cost in C++ of the calls of bench/python_calls.py: single rows, takes and
// matrices of a file with the peers' columns, on random rows, and single points of a forest, warm,
// on one thread. JSON on stdout, seconds a call.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "heron/heron.h"
#include "measure.h"
#include "plain.h"

namespace heron::bench {
namespace {

constexpr uint64_t kRounds = 9;

// Returns the median over rounds of work(rows) on fresh random rows, divided by `calls`.
template <class Work>
double median(const Table& table, uint64_t rows, uint64_t calls, Work work) {
  std::vector<double> seconds;
  std::vector<uint64_t> drawn(rows * calls);
  for (uint64_t round = 0; round <= kRounds; ++round) {
    Sampler(table.rows(), {.seed = round, .replace = true}).draw(0, drawn);
    const double start = seconds_now();
    for (uint64_t call = 0; call < calls; ++call) {
      work(std::span<const uint64_t>(drawn).subspan(call * rows, rows));
    }
    if (round != 0) seconds.push_back((seconds_now() - start) / static_cast<double>(calls));
  }
  std::nth_element(seconds.begin(), seconds.begin() + kRounds / 2, seconds.end());
  return seconds[kRounds / 2];
}

// Sums the values of a row, so that all of it is read.
double sum_of(const RowView& row) {
  double sum = row.get<int32_t>(0).value_or(0);
  sum += static_cast<double>(row.get<int64_t>(1).value_or(0));
  for (uint64_t i = 2; i < 6; ++i) sum += row.get<float>(i).value_or(0);
  for (uint64_t i = 6; i < 8; ++i) sum += row.get<double>(i).value_or(0);
  if (row.get<bool>(8).value_or(false)) sum += 1;
  for (const char c : row.text(9).value_or("")) sum += c;
  return sum;
}

// Returns the time of a call of predict_one() on fresh points.
double predict_seconds(const std::string& path) {
  constexpr uint64_t kPoints = 20'000;
  const Forest forest(open(path));
  const uint64_t features = forest.feature_count();
  std::mt19937_64 random(7);
  std::normal_distribution<float> value;
  std::vector<float> points(kPoints * features);
  std::vector<double> seconds;
  for (uint64_t round = 0; round <= kRounds; ++round) {
    for (float& one : points) one = value(random);
    const double start = seconds_now();
    for (uint64_t i = 0; i < kPoints; ++i) {
      keep(forest.predict_one(std::span<const float>(points).subspan(i * features, features)));
    }
    if (round != 0) seconds.push_back((seconds_now() - start) / kPoints);
  }
  std::nth_element(seconds.begin(), seconds.begin() + kRounds / 2, seconds.end());
  return seconds[kRounds / 2];
}

void run(const std::string& path, const std::string& forest) {
  const auto data = open(path);
  const Table& table = *data->table();
  const Projection all(data->table());
  const Projection features(data->table(), {"f0", "f1", "f2", "f3", "d0", "d1", "flag"});
  RowView view(all);
  RowBatch batch;
  std::vector<float> numbers(256 * features.size());
  Context context;
  context.threads = 1;
  keep(read(all, {0, table.rows()}));
  const double row = median(table, 1, 20'000, [&](std::span<const uint64_t> rows) {
    view.seek(rows[0]);
    keep(sum_of(view));
  });
  const auto taken = [&](std::span<const uint64_t> rows) { take(all, rows, batch, context); };
  const double take_1000 = median(table, 1000, 100, taken);
  const double take_100k = median(table, 100'000, 2, taken);
  const double batch_256 = median(table, 256, 400, [&](std::span<const uint64_t> rows) {
    matrix<float>(features, rows, numbers, MatrixNull::NaN, context);
  });
  std::printf(
      "{\"row\":%.9g,\"take_1000\":%.9g,\"take_100k\":%.9g,\"batch_256\":%.9g,\"predict\":%.9g}\n",
      row, take_1000, take_100k, batch_256, predict_seconds(forest));
}

}  // namespace
}  // namespace heron::bench

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("usage: heron-calls FILE FOREST\n", stderr);
    return EXIT_FAILURE;
  }
  try {
    heron::bench::run(words[1], words[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heron-calls: %s\n", error.what());
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

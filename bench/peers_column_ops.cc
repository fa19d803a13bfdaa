// The peers' ops by column, and sampling.
#include <algorithm>
#include <span>
#include <vector>

#include "bench.h"
#include "peers_answers.h"
#include "sums.h"

namespace heron::bench {
namespace {

struct HeronSum {
  const Projection& all;
  uint64_t column;
  double total = 0;

  void run(uint64_t) { total = sum(all, column); }
  double check() const { return total; }
};

struct BoundSum {
  const Batches& batches;
  double (*sum)(const Batches&);
  double total = 0;

  void run(uint64_t) { total = sum(batches); }
  double check() const { return total; }
};

}  // namespace

bool col_sum(Bench<PeersFile>& bench) {
  return bench.measure({.name = "col_sum", .max_ratio = 1.5, .tolerance = tolerance(bench.file)},
                       HeronSum{bench.file.all, kF0}, BoundSum{bench.file.batches, sum_f0});
}

bool col_sum_large(Bench<PeersFile>& bench) {
  constexpr uint64_t kLargeBytes = 80'000'000;
  const Op op = {.name = "col_sum_large", .max_ratio = 1.1, .tolerance = tolerance(bench.file)};
  const PeersFile& file = bench.file;
  if (file.rows * sizeof(float) >= kLargeBytes) {
    return bench.measure(op, HeronSum{file.all, kF0}, BoundSum{file.batches, sum_f0});
  }
  if (file.rows * sizeof(double) >= kLargeBytes) {
    return bench.measure(op, HeronSum{file.all, kD0}, BoundSum{file.batches, sum_d0});
  }
  std::fprintf(stderr, "%-24s skipped: no column of %llu bytes or more\n", op.name,
               static_cast<unsigned long long>(kLargeBytes));
  return true;
}

namespace {

// Computes all values of d0 * 1.2, a batch at a time in reused memory.
struct HeronComputed {
  Query query;
  RowBatch batch = {};
  double last = 0;

  void run(uint64_t) {
    last = 0;
    for (Scan scan(query); scan.next(batch);) last += batch.columns[0].get<double>(batch.rows - 1);
  }
  double check() const { return last; }
};

struct BoundComputed {
  const Batches& batches;
  std::vector<double> batch = std::vector<double>(Scan::kBatchRows);
  double last = 0;

  void run(uint64_t) { last = compute(batches, batch); }
  double check() const { return last; }
};

}  // namespace

bool computed_column(Bench<PeersFile>& bench) {
  Query query(bench.file.opened->table());
  query.columns = {"d0 * 1.2 as gross"};
  return bench.measure({.name = "computed_column", .max_ratio = 1.2}, HeronComputed{query},
                       BoundComputed{bench.file.batches});
}

namespace {

uint64_t count_ab(const Values& texts) {
  const auto* offsets = texts.offsets.as<int32_t>();
  const auto* characters = texts.data.as<char>();
  uint64_t count = 0;
  for (uint64_t i = 0; i < texts.rows; ++i) {
    count += offsets[i + 1] - offsets[i] >= 2 &&
             std::memcmp(characters + offsets[i], "ab", 2) == 0 && !texts.is_null(i);
  }
  return count;
}

struct HeronScan {
  const Projection& all;
  Projection text;
  std::vector<uint64_t> numbers = {kId, kTs, kF0, kF0 + 1, kF0 + 2, kF0 + 3, kD0, kD0 + 1, kFlag};
  Totals totals = {};
  RowBatch batch = {};

  void run(uint64_t) {
    totals = {};
    const std::vector<double> found = sums(all.table(), numbers);
    totals.id = found[0];
    totals.ts = found[1];
    for (uint64_t k = 0; k < 4; ++k) totals.f[k] = found[2 + k];
    for (uint64_t k = 0; k < 2; ++k) totals.d[k] = found[6 + k];
    totals.flags = static_cast<uint64_t>(found[8]);
    for (Scan scan(text); scan.next(batch);) totals.texts_with_ab += count_ab(batch.columns[0]);
  }
  double check() const { return check_of(totals, all.table()->rows()); }
};

struct BoundScan {
  const Batches& table;
  Totals totals = {};

  void run(uint64_t) { totals = full_scan(table); }
  double check() const { return check_of(totals, table.rows); }
};

}  // namespace

bool full_scan(Bench<PeersFile>& bench) {
  return bench.measure(
      {.name = "full_scan", .max_ratio = 1.2, .runs = 7, .tolerance = tolerance(bench.file)},
      HeronScan{bench.file.all, columns_between(bench.file, kText, kColumns)},
      BoundScan{bench.file.batches});
}

namespace {

// An input is kBatches consecutive batches of the sampler's order. The bound is given the rows.
constexpr uint64_t kBatches = 400;

struct HeronSample {
  const Projection features;
  const SamplerOptions sampling;
  uint64_t batches;
  LoaderBatch batch = {};

  void run(uint64_t input) {
    Loader loader(features, {.sampler = sampling, .batch_rows = kSampleRows},
                  {.first_batch = input * batches});
    for (uint64_t i = 0; i < batches; ++i) {
      loader.next(batch);
      keep(batch);
    }
  }
  double check() const { return check_of_features(batch.columns, batch.columns.rows); }
};

struct BoundSample {
  const Batches& table;
  const Rows& rows;  // the rows and a batch more, for the last prefetch
  uint64_t batches;
  Sampled sampled = {};

  void run(uint64_t input) {
    const uint64_t* batch = &rows[input * batches * kSampleRows];
    for (uint64_t i = 0; i < batches; ++i, batch += kSampleRows) {
      sample(table, batch, batch + kSampleRows, sampled);
      keep(sampled);
    }
  }
  double check() const { return check_of_features(sampled, kSampleRows); }
};

}  // namespace

bool sample_256(Bench<PeersFile>& bench) {
  const SamplerOptions sampling = {.seed = 1};
  const Sampler sampler(bench.file.rows, sampling);
  const uint64_t batches = std::min(kBatches, sampler.size() / kSampleRows);
  if (batches == 0) {
    std::fprintf(stderr, "%-24s skipped: fewer than %llu rows\n", "sample_256",
                 static_cast<unsigned long long>(kSampleRows));
    return true;
  }
  const uint64_t inputs = std::min<uint64_t>(9, sampler.size() / (batches * kSampleRows));
  Rows rows(inputs * batches * kSampleRows);
  sampler.draw(0, rows);
  rows.resize(rows.size() + kSampleRows);
  return bench.measure(
      {.name = "sample_256", .max_ratio = 1, .inputs = inputs, .parts = batches, .runs = 18},
      HeronSample{columns_between(bench.file, kF0, kText), sampling, batches},
      BoundSample{bench.file.batches, rows, batches});
}

namespace {

// An input is an epoch. The sum is that of the first element of each batch.
struct HeronEpoch {
  const Projection columns;
  const EpochOrder order;
  Context context;
  LoaderOptions options = {.output = LoaderOptions::Output::Float32,
                           .memory_bytes = uint64_t{4} << 30,
                           .kept = KeptRows()};
  double sum = 0;

  void run(uint64_t input) {
    const EpochShard shard(order,
                           {.sampler = {.seed = 1, .epoch = input}, .batch_rows = kSampleRows});
    Loader loader(columns, shard, options, context);
    sum = 0;
    for (LoaderBatch batch; loader.next(batch);) {
      if (batch.rows.size() == kSampleRows) sum += static_cast<double>(batch.floats[0]);
    }
  }
  double check() const { return sum; }
};

struct BoundEpoch {
  std::span<const float> matrix;
  std::span<const Rows> epochs;
  double sum = 0;

  void run(uint64_t input) {
    const Rows& rows = epochs[input];
    float batch[kSampleRows * kEpochColumns];
    sum = 0;
    for (uint64_t at = 0; at + 2 * kSampleRows <= rows.size(); at += kSampleRows) {
      gather(matrix, &rows[at], &rows[at + kSampleRows], batch);
      keep(batch);
      sum += static_cast<double>(batch[0]);
    }
  }
  double check() const { return sum; }
};

bool measure_epoch(Bench<PeersFile>& bench, const char* name, unsigned threads) {
  const Projection columns = columns_between(bench.file, kF0, kFlag);
  std::vector<float> rows_of_all(bench.file.rows * kEpochColumns);
  matrix(columns, RowRange{0, bench.file.rows}, std::span(rows_of_all));
  std::vector<Rows> epochs;
  for (uint64_t epoch = 0; epoch < 3; ++epoch) {
    Rows& rows = epochs.emplace_back(bench.file.rows / kSampleRows * kSampleRows);
    Sampler(bench.file.rows, {.seed = 1, .epoch = epoch}).draw(0, rows);
    rows.resize(rows.size() + kSampleRows);  // the last prefetch reads a batch more
  }
  return bench.measure({.name = name,
                        .max_ratio = threads == 1 ? 3.0 : 2.0,
                        .amount = bench.file.rows,
                        .inputs = epochs.size(),
                        .runs = 9},
                       HeronEpoch{columns, EpochOrder(columns), on_threads(threads)},
                       BoundEpoch{rows_of_all, epochs});
}

}  // namespace

bool epoch_256(Bench<PeersFile>& bench) {
  return measure_epoch(bench, "epoch_256", 1);
}

bool epoch_256_2t(Bench<PeersFile>& bench) {
  return measure_epoch(bench, "epoch_256_2t", 2);
}

}  // namespace heron::bench

// The ops on tables of float32 features, row by row.
#include <vector>

#include "bench.h"
#include "sums.h"

namespace heron::bench {
namespace {

// Allows rounding of sums of values of about 1.
double tolerance(const FeaturesFile& file) {
  return 1e-6 * static_cast<double>(file.rows);
}

double check_of(const FeatureRow& row) {
  double check = 0;
  for (uint64_t k = 0; k < kFeatures; ++k) {
    check += static_cast<double>(row.values[k]) * static_cast<double>(k + 1);
  }
  return check;
}

// at(column, i) is a value of row i.
template <class At>
double check_of(uint64_t rows, const At& at) {
  double check = 0;
  for (uint64_t i = 0; i < rows; ++i) {
    FeatureRow row;
    for (uint64_t k = 0; k < kFeatures; ++k) row.values[k] = at(k, i);
    check += check_of(row);
  }
  return check;
}

double check_of(const RowBatch& batch) {
  return check_of(batch.rows,
                  [&batch](uint64_t k, uint64_t i) { return batch.columns[k].get<float>(i); });
}

struct HeronRow {
  RowView view;
  const Rows& rows;
  FeatureRow row = {};

  void run(uint64_t input) {
    view.seek(rows[input]);
    for (uint64_t k = 0; k < kFeatures; ++k) row.values[k] = view.get<float>(k).value_or(0);
    keep(row);
  }
  double check() const { return check_of(row); }
};

struct HeronRowBatch {
  const Projection& all;
  const Rows& rows;
  RowBatch batch = {};

  void run(uint64_t input) { take(all, {&rows[input], 1}, batch); }
  double check() const { return check_of(batch); }
};

struct BoundRow {
  const FeatureRows& table;
  const Rows& rows;
  FeatureRow row = {};

  void run(uint64_t input) {
    read_row(table, rows[input], row);
    keep(row);
  }
  double check() const { return check_of(row); }
};

}  // namespace

bool row_1(Bench<FeaturesFile>& bench) {
  const Rows rows = bench.random_rows(10'000);
  return bench.measure({.name = "row_1", .max_ratio = 1.5, .inputs = rows.size()},
                       HeronRow{RowView(bench.file.all), rows}, BoundRow{bench.file.table, rows});
}

bool row_1_batch(Bench<FeaturesFile>& bench) {
  const Rows rows = bench.random_rows(10'000);
  return bench.measure({.name = "row_1_batch", .max_ratio = 1.5, .inputs = rows.size()},
                       HeronRowBatch{bench.file.all, rows}, BoundRow{bench.file.table, rows});
}

namespace {

struct HeronTake {
  const Projection& all;
  const Rows& rows;
  RowBatch batch = {};

  void run(uint64_t) { take(all, rows, batch); }
  double check() const { return check_of(batch); }
};

struct BoundTake {
  const FeatureRows& table;
  const Rows& rows;
  FeatureColumns columns = {};

  void run(uint64_t) {
    take(table, rows, columns);
    keep(columns);
  }
  double check() {
    return check_of(rows.size(), [this](uint64_t k, uint64_t i) { return columns[k][i]; });
  }
};

}  // namespace

bool take_100k(Bench<FeaturesFile>& bench) {
  const Rows rows = bench.random_rows(100'000);
  return bench.measure({.name = "take_100k", .max_ratio = 1.3}, HeronTake{bench.file.all, rows},
                       BoundTake{bench.file.table, rows});
}

namespace {

struct HeronSum {
  const Projection& all;
  double total = 0;

  void run(uint64_t) { total = sum(all, 0); }
  double check() const { return total; }
};

struct BoundSum {
  const FeatureRows& table;
  double total = 0;

  void run(uint64_t) { total = sum(table, 0); }
  double check() const { return total; }
};

}  // namespace

bool col_sum(Bench<FeaturesFile>& bench) {
  return bench.measure({.name = "col_sum", .max_ratio = 1.1, .tolerance = tolerance(bench.file)},
                       HeronSum{bench.file.all}, BoundSum{bench.file.table});
}

namespace {

struct HeronSums {
  const Projection& all;
  std::vector<double> totals = {};

  void run(uint64_t) { totals = sums(all.table(), all.indices()); }
  double check() const {
    double check = 0;
    for (uint64_t k = 0; k < kFeatures; ++k) check += totals[k] * static_cast<double>(k + 1);
    return check;
  }
};

struct BoundSums {
  const FeatureRows& table;
  FeatureSums totals = {};

  void run(uint64_t) { totals = sums(table); }
  double check() const {
    double check = 0;
    for (uint64_t k = 0; k < kFeatures; ++k) check += totals.sums[k] * static_cast<double>(k + 1);
    return check;
  }
};

}  // namespace

bool all_sums(Bench<FeaturesFile>& bench) {
  return bench.measure({.name = "all_sums", .max_ratio = 2, .tolerance = tolerance(bench.file)},
                       HeronSums{bench.file.all}, BoundSums{bench.file.table});
}

namespace {

struct HeronMatrix {
  const Projection& all;
  const Rows& rows;
  std::vector<float> values = std::vector<float>(kMatrixRows * kFeatures);

  void run(uint64_t input) { matrix<float>(all, matrix_rows(rows, input), values); }
  double check() const {
    return check_of(kMatrixRows,
                    [this](uint64_t k, uint64_t i) { return values[i * kFeatures + k]; });
  }
};

// Copies the rows as stored; the other byte order is swapped for the check only.
struct BoundMatrix {
  const FeatureRows& table;
  const Rows& rows;
  std::vector<FeatureRow> values = std::vector<FeatureRow>(kMatrixRows);

  void run(uint64_t input) {
    copy_rows(table, matrix_rows(rows, input), values.data());
    keep(values);
  }
  double check() const {
    const FeatureRows copied = {reinterpret_cast<const std::byte*>(values.data()), kMatrixRows,
                                table.swapped};
    double check = 0;
    FeatureRow row;
    for (uint64_t i = 0; i < kMatrixRows; ++i) {
      read_row(copied, i, row);
      check += check_of(row);
    }
    return check;
  }
};

}  // namespace

bool matrix_256(Bench<FeaturesFile>& bench) {
  const Rows rows = bench.random_rows(kMatrices * kMatrixRows);
  const double max_ratio = bench.file.table.swapped ? 1.4 : 1.2;
  return bench.measure({.name = "matrix_256", .max_ratio = max_ratio, .inputs = kMatrices},
                       HeronMatrix{bench.file.all, rows}, BoundMatrix{bench.file.table, rows});
}

}  // namespace heron::bench

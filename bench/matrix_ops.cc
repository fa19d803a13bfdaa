// The ops on a matrix: rows as vectors.
#include <vector>

#include "bench.h"

namespace heron::bench {
namespace {

double check_of(const float* values, uint64_t count) {
  double check = 0;
  for (uint64_t i = 0; i < count; ++i) {
    check += static_cast<double>(values[i]) * static_cast<double>(i % 64 + 1);
  }
  return check;
}

// Takes an input of `rows_of_input` rows.
struct HeronTake {
  const Projection& all;
  const Rows& rows;
  uint64_t rows_of_input;
  RowBatch batch = {};

  void run(uint64_t input) {
    take(all, std::span(rows).subspan(input * rows_of_input, rows_of_input), batch);
  }
  double check() const {
    const Values& items = batch.columns[0].children[0].children[0];
    return check_of(items.data.as<float>(), items.rows);
  }
};

struct HeronMatrix {
  const Projection& all;
  const Rows& rows;
  std::vector<float> values;

  void run(uint64_t input) { matrix(all, matrix_rows(rows, input), std::span(values)); }
  double check() const { return check_of(values.data(), values.size()); }
};

struct BoundRows {
  const MatrixRows& matrix;
  const Rows& rows;
  uint64_t rows_of_input;
  std::vector<float> values;

  void run(uint64_t input) {
    auto* to = reinterpret_cast<std::byte*>(values.data());
    if (rows_of_input == 1) {
      copy_row(matrix, rows[input], to);
    } else {
      copy_rows(matrix, std::span(rows).subspan(input * rows_of_input, rows_of_input), to);
    }
    keep(values);
  }
  double check() const { return check_of(values.data(), values.size()); }
};

bool measure_take(Bench<MatrixFile>& bench, const char* name, uint64_t rows_of_input,
                  uint64_t inputs) {
  const Rows rows = bench.random_rows(rows_of_input * inputs);
  const MatrixFile& file = bench.file;
  return bench.measure(
      {.name = name, .max_ratio = 1.2, .inputs = inputs}, HeronTake{file.all, rows, rows_of_input},
      BoundRows{file.matrix, rows, rows_of_input, std::vector<float>(rows_of_input * file.width)});
}

}  // namespace

bool row_1(Bench<MatrixFile>& bench) {
  return measure_take(bench, "row_1", 1, 10'000);
}

bool take_256(Bench<MatrixFile>& bench) {
  return measure_take(bench, "take_256", kMatrixRows, kMatrices);
}

bool take_10k(Bench<MatrixFile>& bench) {
  return measure_take(bench, "take_10k", 10'000, 10);
}

bool matrix_256(Bench<MatrixFile>& bench) {
  const Rows rows = bench.random_rows(kMatrixRows * kMatrices);
  const MatrixFile& file = bench.file;
  std::vector<float> values(kMatrixRows * file.width);
  return bench.measure({.name = "matrix_256", .max_ratio = 1.2, .inputs = kMatrices},
                       HeronMatrix{file.all, rows, values},
                       BoundRows{file.matrix, rows, kMatrixRows, values});
}

}  // namespace heron::bench

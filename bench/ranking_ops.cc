// The ops on learning-to-rank files.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "bench.h"
#include "sums.h"

namespace heron::bench {
namespace {

struct BoundOpen {
  const RankingFile& file;
  std::optional<PlainMap> map = {};
  uint64_t rows = 0;

  void run(uint64_t) {
    map.emplace(file.path);
    rows = touch_header(*map);
  }
  double check() {
    map.reset();
    return static_cast<double>(rows);
  }
};

// A row of RankingFile::numbers: the target and all features.
using Numbers = std::vector<double>;

void read_numbers(RowView& view, uint64_t row, Numbers& out) {
  view.seek(row);
  for (uint64_t i = 0; i < out.size(); ++i) out[i] = view.get<double>(i).value_or(0);
}

double check_of(const Numbers& numbers) {
  double check = 0;
  for (uint64_t i = 0; i < numbers.size(); ++i) check += numbers[i] * static_cast<double>(i + 1);
  return check;
}

}  // namespace

bool open_file(Bench<RankingFile>& bench) {
  return bench.measure({.name = "open_file", .max_seconds = 100e-6, .runs = 200},
                       HeronOpenFile{bench.file}, BoundOpen{bench.file});
}

namespace {

struct HeronSchema {
  const RankingFile& file;
  std::shared_ptr<const File> opened = nullptr;
  std::optional<RowView> view = {};
  Numbers numbers = {};

  void run(uint64_t) {
    opened = open(file.path, file.options);
    keep(opened->table()->schema());
    view.emplace(numbers_of(opened->table()));
    numbers.resize(view->size());
    read_numbers(*view, 0, numbers);
  }
  double check() {  // closes, too
    view.reset();
    opened.reset();
    return check_of(numbers);
  }
};

struct BoundSchema {
  const RankingFile& file;
  std::optional<PlainMap> map = {};
  Numbers numbers = {};

  void run(uint64_t) {
    map.emplace(file.path);
    const Ranking ranking(*map);
    numbers.resize(ranking.features.size() + 1);
    read_row(ranking, 0, numbers);
  }
  double check() {
    map.reset();
    return check_of(numbers);
  }
};

}  // namespace

bool schema_first_row(Bench<RankingFile>& bench) {
  return bench.measure({.name = "schema_first_row", .max_seconds = 3e-3, .runs = 50},
                       HeronSchema{bench.file}, BoundSchema{bench.file});
}

namespace {

struct HeronRow {
  RowView view;
  const Rows& rows;
  Numbers numbers = Numbers(view.size());

  void run(uint64_t input) {
    read_numbers(view, rows[input], numbers);
    keep(numbers);
  }
  double check() const { return check_of(numbers); }
};

struct HeronRowBatch {
  const Projection& columns;
  const Rows& rows;
  RowBatch batch = {};

  void run(uint64_t input) { take(columns, {&rows[input], 1}, batch); }
  double check() const {
    Numbers numbers;
    for (const Values& column : batch.columns) numbers.push_back(column.get<double>(0));
    return check_of(numbers);
  }
};

struct BoundRow {
  const Ranking& ranking;
  const Rows& rows;
  Numbers numbers = Numbers(ranking.features.size() + 1);

  void run(uint64_t input) {
    read_row(ranking, rows[input], numbers);
    keep(numbers);
  }
  double check() const { return check_of(numbers); }
};

}  // namespace

bool row_1(Bench<RankingFile>& bench) {
  const Rows rows = bench.random_rows(10'000);
  return bench.measure({.name = "row_1", .max_ratio = 1.8, .inputs = rows.size()},
                       HeronRow{RowView(bench.file.numbers), rows},
                       BoundRow{bench.file.ranking, rows});
}

bool row_1_batch(Bench<RankingFile>& bench) {
  const Rows rows = bench.random_rows(10'000);
  return bench.measure({.name = "row_1_batch", .inputs = rows.size()},
                       HeronRowBatch{bench.file.numbers, rows}, BoundRow{bench.file.ranking, rows});
}

namespace {

// Sums row by row, so that equal answers give equal sums.
double check_of(const RankingTaken& taken) {
  double check = 0;
  for (uint64_t i = 0; i < taken.targets.size(); ++i) {
    check += taken.targets[i] + taken.queries[i];
    for (const auto& feature : taken.features) check += feature[i];
  }
  return check;
}

struct HeronTake {
  const Projection& all;
  const Rows& rows;
  RowBatch batch = {};

  void run(uint64_t) { take(all, rows, batch); }
  double check() const {
    double check = 0;
    for (uint64_t i = 0; i < batch.rows; ++i) {
      check += batch.columns[kTarget].get<double>(i) + batch.columns[kQuery].get<uint32_t>(i);
      for (uint64_t column = kFirstFeature; column < batch.columns.size(); ++column) {
        check += batch.columns[column].get<double>(i);
      }
    }
    return check;
  }
};

struct BoundTake {
  const RankingFile& file;
  const Rows& rows;
  RankingTaken taken = {};

  void run(uint64_t) {
    take(file.ranking, file.decoded, rows, taken);
    keep(taken);
  }
  double check() const { return check_of(taken); }
};

}  // namespace

bool take_100k(Bench<RankingFile>& bench) {
  const Rows rows = bench.random_rows(100'000);
  return bench.measure({.name = "take_100k", .max_ratio = 1.3}, HeronTake{bench.file.all, rows},
                       BoundTake{bench.file, rows});
}

namespace {

struct HeronSum {
  const Projection& features;
  uint64_t feature;
  double total = 0;

  void run(uint64_t) { total = sum(features, feature); }
  double check() const { return total; }
};

struct BoundSum {
  const RankingFile& file;
  uint64_t feature;
  double total = 0;

  void run(uint64_t) { total = sum(file.ranking, file.decoded, feature); }
  double check() const { return total; }
};

}  // namespace

bool col_sum(Bench<RankingFile>& bench) {
  const auto& features = bench.file.ranking.features;
  const auto is_wide = [](const auto& feature) {
    return feature.kind == RankingFeature::Codes::Shorts;
  };
  const auto found = std::find_if(features.begin(), features.end(), is_wide);
  if (found == features.end()) {
    std::fprintf(stderr, "%-24s skipped: no feature of 16-bit codes\n", "col_sum");
    return true;
  }
  const auto feature = static_cast<uint64_t>(found - features.begin());
  const double largest = std::abs(bench.file.decoded.originals[feature].back());
  return bench.measure({.name = "col_sum",
                        .max_ratio = 1.3,
                        .tolerance = 1e-8 * largest * static_cast<double>(bench.file.rows)},
                       HeronSum{bench.file.features, feature}, BoundSum{bench.file, feature});
}

namespace {

double check_of(const std::vector<float>& values) {
  double check = 0;
  for (const float value : values) check += static_cast<double>(value);
  return check;
}

struct HeronMatrix {
  const Projection& features;
  const Rows& rows;
  std::vector<float> values = std::vector<float>(kMatrixRows * features.size());

  void run(uint64_t input) { matrix<float>(features, matrix_rows(rows, input), values); }
  double check() const { return check_of(values); }
};

struct BoundMatrix {
  const RankingFile& file;
  const Rows& rows;
  std::vector<float> values = std::vector<float>(kMatrixRows * file.features.size());

  void run(uint64_t input) {
    matrix(file.ranking, file.decoded, matrix_rows(rows, input), values.data());
    keep(values);
  }
  double check() const { return check_of(values); }
};

}  // namespace

bool matrix_256(Bench<RankingFile>& bench) {
  const Rows rows = bench.random_rows(kMatrices * kMatrixRows);
  return bench.measure({.name = "matrix_256", .max_ratio = 1.2, .inputs = kMatrices},
                       HeronMatrix{bench.file.features, rows}, BoundMatrix{bench.file, rows});
}

}  // namespace heron::bench

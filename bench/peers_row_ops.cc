// The peers' ops by row: opening, single rows, many rows, rows by key.
#include <memory>
#include <optional>
#include <span>

#include "bench.h"
#include "peers_answers.h"

namespace heron::bench {
namespace {

struct HeronOpen {
  const PeersFile& file;
  std::shared_ptr<const File> opened = nullptr;
  std::optional<RowView> view = {};
  Row row = {};

  void run(uint64_t) {
    opened = open(file.path, file.options);
    view.emplace(Projection(opened->table()));
    read_row(*view, 0, row);
    keep(row);
  }
  double check() {  // closes, too
    const double check = check_of(row);
    view.reset();
    opened.reset();
    return check;
  }
};

struct BoundOpen {
  const PeersFile& file;
  std::optional<PlainMap> map = {};
  Row row = {};

  void run(uint64_t) {
    map.emplace(file.path);
    touch_first_row(*map, file.offsets.front(), row);
    keep(row);
  }
  double check() {
    const double check = check_of(row);
    map.reset();
    return check;
  }
};

}  // namespace

bool open_first_row(Bench<PeersFile>& bench) {
  return bench.measure({.name = "open_first_row", .max_ratio = 1.2, .runs = 200},
                       HeronOpen{bench.file}, BoundOpen{bench.file});
}

namespace {

struct HeronRow {
  RowView view;
  const Rows& rows;
  Row row = {};

  void run(uint64_t i) {
    read_row(view, rows[i], row);
    keep(row);
  }
  double check() const { return check_of(row); }
};

struct HeronRowBatch {
  const Projection& all;
  const Rows& rows;
  RowBatch batch = {};

  void run(uint64_t i) { take(all, {&rows[i], 1}, batch); }
  double check() const { return check_of(row_of(batch, 0)); }
};

struct BoundRow {
  const Batches& batches;
  const Rows& rows;
  Row row = {};

  void run(uint64_t i) {
    read_row(batches, rows[i], row);
    keep(row);
  }
  double check() const { return check_of(row); }
};

}  // namespace

bool row_1(Bench<PeersFile>& bench) {
  const Rows rows = bench.random_rows(10'000);
  return bench.measure({.name = "row_1", .max_ratio = 1.5, .inputs = rows.size()},
                       HeronRow{RowView(bench.file.all), rows}, BoundRow{bench.file.batches, rows});
}

bool row_1_batch(Bench<PeersFile>& bench) {
  const Rows rows = bench.random_rows(10'000);
  return bench.measure({.name = "row_1_batch", .max_ratio = 2, .inputs = rows.size()},
                       HeronRowBatch{bench.file.all, rows}, BoundRow{bench.file.batches, rows});
}

namespace {

constexpr uint64_t kThousand = 1000;

std::span<const uint64_t> thousand(const Rows& rows, uint64_t input) {
  return std::span(rows).subspan(input * kThousand, kThousand);
}

struct HeronRows {
  RowView view;
  const Rows& rows;
  int64_t ids = 0;

  void run(uint64_t input) {
    ids = 0;
    Row row;
    for (const uint64_t number : thousand(rows, input)) {
      read_row(view, number, row);
      keep(row);
      ids += row.id;
    }
  }
  double check() const { return static_cast<double>(ids); }
};

struct BoundRows {
  const Batches& batches;
  const Rows& rows;
  int64_t ids = 0;

  void run(uint64_t input) { ids = read_rows(batches, thousand(rows, input)); }
  double check() const { return static_cast<double>(ids); }
};

}  // namespace

bool rows_1000(Bench<PeersFile>& bench) {
  constexpr uint64_t kInputs = 200;
  const Rows rows = bench.random_rows(kInputs * kThousand);
  return bench.measure({.name = "rows_1000", .max_ratio = 2, .inputs = kInputs},
                       HeronRows{RowView(bench.file.all), rows},
                       BoundRows{bench.file.batches, rows});
}

namespace {

struct HeronTake {
  const Projection& all;
  const Rows& rows;
  RowBatch batch = {};

  void run(uint64_t) { take(all, rows, batch); }
  double check() const { return check_of_rows(batch, batch.rows); }
};

struct BoundTake {
  const Batches& batches;
  const Rows& rows;
  Taken taken = {};

  void run(uint64_t) {
    take(batches, rows, taken);
    keep(taken);
  }
  double check() const { return check_of_rows(taken, taken.rows()); }
};

}  // namespace

bool take_100k(Bench<PeersFile>& bench) {
  const Rows rows = bench.random_rows(100'000);
  return bench.measure({.name = "take_100k", .max_ratio = 1.25}, HeronTake{bench.file.all, rows},
                       BoundTake{bench.file.batches, rows});
}

namespace {

struct HeronLookUp {
  const Projection& all;
  Projection id;
  std::span<const int64_t> keys;
  RowBatch batch = {};

  void run(uint64_t) { take(all, find(id, keys), batch); }
  double check() const {
    int64_t ids = 0;
    for (uint64_t i = 0; i < batch.rows; ++i) ids += batch.columns[kId].get<int32_t>(i);
    return static_cast<double>(ids);
  }
};

struct BoundLookUp {
  const Batches& batches;
  std::span<const int64_t> keys;
  int64_t ids = 0;

  void run(uint64_t) { ids = look_up(batches, keys); }
  double check() const { return static_cast<double>(ids); }
};

}  // namespace

bool key_lookup_1000(Bench<PeersFile>& bench) {
  std::vector<int64_t> keys;
  const Batches& batches = bench.file.batches;
  for (const uint64_t row : bench.random_rows(1000)) {
    keys.push_back(batches.of(row).id[batches.within(row)]);
  }
  return bench.measure({.name = "key_lookup_1000", .max_ratio = 0.9},
                       HeronLookUp{bench.file.all, columns_between(bench.file, kId, kId + 1), keys},
                       BoundLookUp{batches, keys});
}

}  // namespace heron::bench

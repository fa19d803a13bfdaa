// The ops on columns in compressed blocks: rows whose blocks must be decoded, rows whose blocks are
// in memory, and all rows.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "bench.h"
#include "blocks_answers.h"

namespace heron::bench {
namespace {

double check_of(const BlocksRow& row) {
  double check = 0;
  for (uint64_t i = 0; i < row.floats; ++i) check += static_cast<double>(row.f[i]);
  for (uint64_t i = 0; i < row.text.size(); ++i) {
    check += static_cast<double>(row.text[i]) * static_cast<double>(i + 1);
  }
  return check;
}

BlocksRow row_of(const RowBatch& batch, uint64_t k) {
  BlocksRow row;
  row.floats = batch.columns.size() - 1;
  for (uint64_t i = 0; i < row.floats; ++i) row.f[i] = batch.columns[i].get<float>(k);
  row.text = batch.columns[row.floats].text(k);
  return row;
}

BlocksRow row_of(const TakenRows& taken, uint64_t floats, uint64_t k) {
  BlocksRow row;
  row.floats = floats;
  for (uint64_t i = 0; i < floats; ++i) row.f[i] = taken.f[i][k];
  const uint32_t start = taken.text_offsets[k];
  row.text = {taken.characters.data() + start, taken.text_offsets[k + 1] - start};
  return row;
}

struct BoundOpenFile {
  const BlocksFile& file;
  std::optional<PlainMap> map = {};
  std::optional<Contents> contents = {};

  void run(uint64_t) {
    map.emplace(file.path);
    contents.emplace(*map);
  }
  double check() {
    const auto rows = static_cast<double>(contents->rows);
    map.reset();
    return rows;
  }
};

}  // namespace

bool open_file(Bench<BlocksFile>& bench) {
  return bench.measure({.name = "open_file", .max_seconds = 40e-6, .runs = 200},
                       HeronOpenFile{bench.file}, BoundOpenFile{bench.file});
}

namespace {

struct HeronRow {
  RowView view;
  const Rows& rows;
  BlocksRow row = {};

  void run(uint64_t input) {
    view.seek(rows[input]);
    row.floats = view.size() - 1;
    for (uint64_t i = 0; i < row.floats; ++i) row.f[i] = view.get<float>(i).value_or(0);
    row.text = view.text(row.floats).value_or(std::string_view());
    keep(row);
  }
  double check() const { return check_of(row); }
};

struct HeronRowBatch {
  const Projection& columns;
  const Rows& rows;
  Context context = {};
  RowBatch batch = {};

  void run(uint64_t input) { take(columns, {&rows[input], 1}, batch, context); }
  double check() const { return check_of(row_of(batch, 0)); }
};

struct BoundRow {
  const DecodedRows& decoded;
  const Rows& rows;
  BlocksRow row = {};

  void run(uint64_t input) {
    read_row(decoded, rows[input], row);
    keep(row);
  }
  double check() const { return check_of(row); }
};

struct BoundColdRow {
  Inflater& inflater;
  const Rows& rows;
  BlocksRow row = {};

  void run(uint64_t input) { read_row(inflater, rows[input], row); }
  double check() const { return check_of(row); }
};

// Returns one row of every block, the blocks in a fixed random order: before a block repeats, all
// others have been through the cache.
Rows a_row_of_each_block(Bench<BlocksFile>& bench) {
  const Contents& contents = bench.file.contents;
  Rows rows(contents.blocks());
  for (uint64_t k = 0; k < rows.size(); ++k) {
    rows[k] = k * contents.block_rows + bench.random() % contents.rows_of(k);
  }
  std::shuffle(rows.begin(), rows.end(), bench.random);
  return rows;
}

bool cold_row(Bench<BlocksFile>& bench, Op op, unsigned threads) {
  const BlocksFile& file = bench.file;
  const Rows rows = a_row_of_each_block(bench);
  Inflater inflater(file.contents, file.columns);
  op.inputs = rows.size();
  return bench.measure(op, HeronRowBatch{file.cold, rows, on_threads(threads)},
                       BoundColdRow{inflater, rows});
}

constexpr uint64_t kWarmRows = 10'000;

}  // namespace

bool row_1_cold(Bench<BlocksFile>& bench) {
  return cold_row(bench, {.name = "row_1_cold", .max_ratio = 1.1}, 1);
}

bool row_1_cold_2t(Bench<BlocksFile>& bench) {
  return cold_row(bench, {.name = "row_1_cold_2t", .max_ratio = 0.6}, 2);
}

bool row_1(Bench<BlocksFile>& bench) {
  const Rows rows = bench.random_rows(kWarmRows);
  Inflater inflater(bench.file.contents, bench.file.columns);
  const DecodedRows decoded(inflater);
  return bench.measure({.name = "row_1", .max_seconds = 500e-9, .inputs = rows.size()},
                       HeronRow{RowView(bench.file.warm), rows}, BoundRow{decoded, rows});
}

bool row_1_batch(Bench<BlocksFile>& bench) {
  const Rows rows = bench.random_rows(kWarmRows);
  Inflater inflater(bench.file.contents, bench.file.columns);
  const DecodedRows decoded(inflater);
  return bench.measure({.name = "row_1_batch", .max_seconds = 1e-6, .inputs = rows.size()},
                       HeronRowBatch{bench.file.warm, rows}, BoundRow{decoded, rows});
}

namespace {

constexpr uint64_t kThousand = 1000;

std::span<const uint64_t> thousand(const Rows& rows, uint64_t input) {
  return std::span(rows).subspan(input * kThousand, kThousand);
}

struct HeronRows {
  const Projection& columns;
  const Rows& rows;
  RowBatch batch = {};

  void run(uint64_t input) { take(columns, thousand(rows, input), batch); }
  double check() const {
    double check = 0;
    for (uint64_t k = 0; k < batch.rows; ++k) {
      check += check_of(row_of(batch, k)) * static_cast<double>(k + 1);
    }
    return check;
  }
};

struct BoundRows {
  Inflater& inflater;
  const Rows& rows;
  TakenRows taken = {};

  void run(uint64_t input) { take(inflater, thousand(rows, input), taken); }
  double check() const {
    double check = 0;
    for (uint64_t k = 0; k < taken.rows(); ++k) {
      check += check_of(row_of(taken, inflater.floats(), k)) * static_cast<double>(k + 1);
    }
    return check;
  }
};

}  // namespace

bool rows_1000(Bench<BlocksFile>& bench) {
  constexpr uint64_t kInputs = 4;
  const Rows rows = bench.random_rows(kInputs * kThousand);
  Inflater inflater(bench.file.contents, bench.file.columns);
  return bench.measure({.name = "rows_1000", .max_ratio = 1.1, .inputs = kInputs, .runs = 8},
                       HeronRows{bench.file.cold, rows}, BoundRows{inflater, rows});
}

namespace {

struct HeronScan {
  Projection columns;
  Context context;
  BlocksTotals totals = {};
  RowBatch batch = {};

  void run(uint64_t) {
    totals = {};
    for (Scan scan(columns, context); scan.next(batch);) {
      add_rows(batch, {0, batch.rows}, totals);
    }
  }
  double check() const { return check_of(totals); }
};

struct BoundScan {
  Inflater& inflater;
  BlocksTotals totals = {};

  void run(uint64_t) { totals = full_scan(inflater); }
  double check() const { return check_of(totals); }
};

bool scan_all(Bench<BlocksFile>& bench, Op op, unsigned threads) {
  const BlocksFile& file = bench.file;
  Inflater inflater(file.contents, file.columns);
  op.runs = 7;
  op.tolerance = 1e-8 * static_cast<double>(file.rows);
  return bench.measure(op, HeronScan{file.cold, on_threads(threads)}, BoundScan{inflater});
}

}  // namespace

bool full_scan(Bench<BlocksFile>& bench) {
  return scan_all(bench, {.name = "full_scan", .max_ratio = 1.1}, 1);
}

bool full_scan_2t(Bench<BlocksFile>& bench) {
  return scan_all(bench, {.name = "full_scan_2t", .max_ratio = 0.6}, 2);
}

namespace {

uint64_t peak_bytes() {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) << 10;
}

// Opens and scans the file on one thread; returns how much this increases the peak memory of the
// process.
uint64_t bytes_to_scan(const BlocksFile& file) {
  const uint64_t before = peak_bytes();
  const auto opened = open(file.path, file.cold_options);
  HeronScan scan{Projection(opened->table(), file.columns), {}};
  scan.run(0);
  return peak_bytes() - before;
}

// Returns bytes_to_scan() of a new process, whose peak starts at its current memory; 0 if that
// fails.
uint64_t bytes_to_scan_apart(const BlocksFile& file) {
  int ends[2];
  if (pipe(ends) != 0) return 0;
  uint64_t bytes = 0;
  const pid_t child = fork();
  if (child == 0) {
    bytes = bytes_to_scan(file);
    _exit(write(ends[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1);
  }
  close(ends[1]);
  if (::read(ends[0], &bytes, sizeof bytes) != sizeof bytes) bytes = 0;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return bytes;
}

}  // namespace

bool scan_memory(Bench<BlocksFile>& bench) {
  constexpr uint64_t kMaxOverCache = uint64_t{64} << 20;
  const uint64_t bytes = bytes_to_scan_apart(bench.file);
  report_bytes("scan_memory", bench.file.path, bytes,
               bench.file.cold_options.cache_bytes + kMaxOverCache);
  return bytes != 0;
}

}  // namespace heron::bench

// The peers' ops with a predicate.
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "bench.h"
#include "peers_answers.h"
#include "peers_query_bound.h"
#include "sums.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

constexpr char kRareRows[] = "f1 > 2.328125", kHalfOfRows[] = "f0 > 0";

Where where(const PeersFile& file, const char* predicate_text) {
  return Predicate(file.opened->table(), predicate_text);
}

// Measures each engine on two threads beside itself on one.
template <class Heron, class Bound>
bool measure_threads(Bench<PeersFile>& bench, Op op, const char* name_of_bound, const Heron& heron,
                     const Bound& bound) {
  op.max_ratio = 0.6;
  const bool agree = bench.measure(op, heron(2), heron(1));
  op.name = name_of_bound;
  op.max_ratio = 0;
  return bench.measure(op, bound(2), bound(1)) && agree;
}

struct HeronCount {
  Predicate predicate;
  Context context;
  uint64_t rows = 0;

  void run(uint64_t) { rows = count(predicate, context); }
  double check() const { return static_cast<double>(rows); }
};

struct BoundCount {
  const Batches& batches;
  unsigned threads;
  uint64_t rows = 0;

  void run(uint64_t) {
    const auto part = [this](uint64_t first, uint64_t last, int) {
      return count_rare(batches, first, last);
    };
    if (threads == 1) {
      rows = part(0, batches.rows, 0);
    } else {
      const auto [first, second] = on_two_threads(batches.rows, part);
      rows = first + second;
    }
  }
  double check() const { return static_cast<double>(rows); }
};

auto heron_counts(const PeersFile& file) {
  return [predicate = Predicate(file.opened->table(), kRareRows)](unsigned threads) {
    return HeronCount{predicate, on_threads(threads)};
  };
}

auto bound_counts(const PeersFile& file) {
  return [&file](unsigned threads) { return BoundCount{file.batches, threads}; };
}

}  // namespace

bool filter_count(Bench<PeersFile>& bench) {
  return bench.measure({.name = "filter_count", .max_ratio = 1.1}, heron_counts(bench.file)(1),
                       bound_counts(bench.file)(1));
}

bool filter_count_2t(Bench<PeersFile>& bench) {
  return measure_threads(bench, {.name = "filter_count_2t"}, "filter_count_2t_bound",
                         heron_counts(bench.file), bound_counts(bench.file));
}

namespace {

// Keeps the whole answer, in reused memory.
struct HeronFetch {
  const Projection& all;
  Where where;
  Context context;
  std::vector<RowBatch> batches = {};  // batches after the end of the answer are empty

  void run(uint64_t) {
    Scan scan(Query(all, where), context);
    for (size_t i = 0;; ++i) {
      if (i == batches.size()) batches.emplace_back();
      if (!scan.next(batches[i])) break;
    }
  }
  double check() const {
    double check = 0;
    for (const RowBatch& batch : batches) {
      for (uint64_t i = 0; i < batch.rows; ++i) check += check_of(row_of(batch, i));
    }
    return check;
  }
};

struct BoundFetch {
  const Batches& batches;
  unsigned threads;
  std::array<Fetched, 2> fetched = {};

  void run(uint64_t) {
    const auto part = [this](uint64_t first, uint64_t last, int half) {
      fetch_rare(batches, first, last, fetched[half]);
      return true;
    };
    if (threads == 1) {
      part(0, batches.rows, 0);
    } else {
      on_two_threads(batches.rows, part);
    }
    keep(fetched);
  }
  double check() const {
    double check = 0;
    for (const Fetched& half : fetched) {
      for (uint64_t i = 0; i < half.taken.rows(); ++i) check += check_of(row_of(half.taken, i));
    }
    return check;
  }
};

auto heron_fetches(const PeersFile& file) {
  return [&file, options = where(file, kRareRows)](unsigned threads) {
    return HeronFetch{file.all, options, on_threads(threads)};
  };
}

auto bound_fetches(const PeersFile& file) {
  return [&file](unsigned threads) { return BoundFetch{file.batches, threads}; };
}

}  // namespace

bool filter_fetch(Bench<PeersFile>& bench) {
  return bench.measure({.name = "filter_fetch", .max_ratio = 1.0}, heron_fetches(bench.file)(1),
                       bound_fetches(bench.file)(1));
}

bool filter_fetch_2t(Bench<PeersFile>& bench) {
  return measure_threads(bench, {.name = "filter_fetch_2t"}, "filter_fetch_2t_bound",
                         heron_fetches(bench.file), bound_fetches(bench.file));
}

namespace {

uint64_t ones(const Buffer& bits, uint64_t rows) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < rows / 8; ++i) {
    count += static_cast<uint64_t>(std::popcount(bits.as<uint8_t>()[i]));
  }
  for (uint64_t i = rows / 8 * 8; i < rows; ++i) count += bits.bit(i);
  return count;
}

// Sums the batches of a scan of all columns with the bound's own loops.
Totals totals_of(const RowBatch& batch) {
  const auto cells = [&batch]<class T>(uint64_t i, const T*& to) {
    to = batch.columns[i].data.as<T>();
  };
  Columns columns;
  columns.rows = batch.rows;
  cells(kId, columns.id);
  cells(kTs, columns.ts);
  for (uint64_t k = 0; k < 4; ++k) cells(kF0 + k, columns.f[k]);
  for (uint64_t k = 0; k < 2; ++k) cells(kD0 + k, columns.d[k]);
  columns.text_offsets = batch.columns[kText].offsets.as<uint32_t>();
  cells(kText, columns.characters);
  Totals totals = full_scan_but_flags(columns);
  totals.flags = ones(batch.columns[kFlag].data, batch.rows);
  return totals;
}

struct HeronScanHalf {
  const Projection& all;
  Where where;
  Context context;
  Totals totals = {};
  RowBatch batch = {};

  void run(uint64_t) {
    totals = {};
    for (Scan scan(Query(all, where), context); scan.next(batch);)
      totals = totals + totals_of(batch);
  }
  double check() const { return check_of(totals, all.table()->rows()); }
};

// Computes a bound's totals of some rows.
struct BoundTotals {
  const Batches& batches;
  Totals (*part)(const Batches&, uint64_t first, uint64_t last);
  unsigned threads;
  Totals totals = {};

  void run(uint64_t) {
    if (threads == 1) {
      totals = part(batches, 0, batches.rows);
    } else {
      const auto [first, second] = on_two_threads(
          batches.rows,
          [this](uint64_t from, uint64_t to, int) { return part(batches, from, to); });
      totals = first + second;
    }
  }
  double check() const { return check_of(totals, batches.rows); }
};

auto heron_scans(const PeersFile& file) {
  return [&file, options = where(file, kHalfOfRows)](unsigned threads) {
    return HeronScanHalf{file.all, options, on_threads(threads)};
  };
}

auto bound_scans(const PeersFile& file) {
  return [&file](unsigned threads) { return BoundTotals{file.batches, scan_half, threads}; };
}

}  // namespace

bool full_scan_where(Bench<PeersFile>& bench) {
  return bench.measure(
      {.name = "full_scan_where", .max_ratio = 1.2, .runs = 7, .tolerance = tolerance(bench.file)},
      heron_scans(bench.file)(1), bound_scans(bench.file)(1));
}

bool full_scan_where_2t(Bench<PeersFile>& bench) {
  return measure_threads(
      bench, {.name = "full_scan_where_2t", .runs = 7, .tolerance = tolerance(bench.file)},
      "full_scan_where_2t_bound", heron_scans(bench.file), bound_scans(bench.file));
}

namespace {

struct HeronSumsWhere {
  std::shared_ptr<const Table> table;
  std::vector<Aggregate> aggregates;
  std::optional<Predicate> predicate;
  Context context;
  RowBatch results = {};

  void run(uint64_t) { results = aggregate(Query(table, predicate), aggregates, context); }
  double check() const {
    Totals totals = {};
    totals.id = number(kId);
    totals.ts = number(kTs);
    for (uint64_t k = 0; k < 4; ++k) totals.f[k] = number(kF0 + k);
    for (uint64_t k = 0; k < 2; ++k) totals.d[k] = number(kD0 + k);
    totals.flags = static_cast<uint64_t>(number(kFlag));
    return check_of(totals, table->rows());
  }

 private:
  double number(uint64_t i) const { return as_double(results.columns[i]); }
};

auto heron_sums(const PeersFile& file) {
  const auto table = file.opened->table();
  return [table, predicate = Predicate(table, kHalfOfRows)](unsigned threads) {
    return HeronSumsWhere{table,
                          parse_aggregates(*table,
                                           "sum(id), sum(ts), sum(f0), sum(f1), sum(f2), sum(f3), "
                                           "sum(d0), sum(d1), sum(flag)"),
                          predicate, on_threads(threads)};
  };
}

auto bound_sums(const PeersFile& file) {
  return [&file](unsigned threads) { return BoundTotals{file.batches, sums_of_half, threads}; };
}

}  // namespace

bool sums_where(Bench<PeersFile>& bench) {
  return bench.measure({.name = "sums_where", .runs = 7, .tolerance = tolerance(bench.file)},
                       heron_sums(bench.file)(1), bound_sums(bench.file)(1));
}

bool sums_where_2t(Bench<PeersFile>& bench) {
  return measure_threads(bench,
                         {.name = "sums_where_2t", .runs = 7, .tolerance = tolerance(bench.file)},
                         "sums_where_2t_bound", heron_sums(bench.file), bound_sums(bench.file));
}

namespace {

// The range of ts of a hundredth of the rows, adjacent in the middle, because ts ascends.
struct MiddleRows {
  explicit MiddleRows(const PeersFile& file)
      : low(ts_of(file.batches, file.rows / 2)),
        high(ts_of(file.batches, file.rows / 2 + file.rows / 100)) {}

  static int64_t ts_of(const Batches& batches, uint64_t row) {
    return batches.of(row).ts[batches.within(row)];
  }

  std::string predicate_text() const { return concat("ts between ", low, " and ", high); }

  int64_t low, high;
};

// Counts in a dataset just opened, without zone statistics.
struct HeronCountCold {
  const PeersFile& file;
  std::string predicate_text;
  std::optional<Predicate> predicate = {};
  uint64_t rows = 0;

  void run(uint64_t) {
    if (!predicate) reopen();  // before the first run
    rows = count(*predicate);
  }
  double check() {
    reopen();
    return static_cast<double>(rows);
  }

 private:
  void reopen() {
    const auto opened = open(file.path, file.options);
    touch(*internals(*opened).bytes);
    predicate.emplace(opened->table(), predicate_text);
  }
};

struct BoundBetween {
  const Batches& batches;
  MiddleRows middle;
  uint64_t rows = 0;

  void run(uint64_t) { rows = count_between(batches, middle.low, middle.high); }
  double check() const { return static_cast<double>(rows); }
};

struct BoundBetweenZones {
  TsZones zones;
  MiddleRows middle;
  uint64_t rows = 0;

  void run(uint64_t) { rows = zones.count_between(middle.low, middle.high); }
  double check() const { return static_cast<double>(rows); }
};

}  // namespace

bool count_sorted_cold(Bench<PeersFile>& bench) {
  const MiddleRows middle(bench.file);
  return bench.measure({.name = "count_sorted_cold"},
                       HeronCountCold{bench.file, middle.predicate_text()},
                       BoundBetween{bench.file.batches, middle});
}

bool count_sorted(Bench<PeersFile>& bench) {
  const MiddleRows middle(bench.file);
  return bench.measure(
      {.name = "count_sorted"},
      HeronCount{Predicate(bench.file.opened->table(), middle.predicate_text()), Context()},
      BoundBetweenZones{TsZones(bench.file.batches), middle});
}

}  // namespace heron::bench

// The ops of heron-ops and what they share. An engine's part of an op is a class with run(input),
// which is timed, and check(), which is not.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include "blocks_file.h"
#include "features_file.h"
#include "forest_file.h"
#include "matrix_file.h"
#include "measure.h"
#include "payload_file.h"
#include "peers_file.h"
#include "ranking_file.h"

namespace heron::bench {

using Rows = std::vector<uint64_t>;

// `Kind` is a MeasuredFile plus what the bounds need to know about such a file.
template <class Kind>
struct Bench {
  Kind file;
  double seconds;  // time per op
  std::mt19937_64 random{20261121};

  Rows random_rows(uint64_t count) {
    std::uniform_int_distribution<uint64_t> any(0, file.rows - 1);
    Rows rows(count);
    for (uint64_t& row : rows) row = any(random);
    return rows;
  }
  template <class Heron, class Bound>
  bool measure(const Op& op, Heron heron, Bound bound) const {
    return heron::bench::measure(op, {file.path, seconds}, heron, bound);
  }
};

inline Context on_threads(unsigned threads) {
  Context context;
  context.threads = threads;
  return context;
}

// Opens a file and does nothing else.
struct HeronOpenFile {
  const MeasuredFile& file;
  std::shared_ptr<const File> opened = nullptr;

  void run(uint64_t) { opened = open(file.path, file.options); }
  double check() {  // closes, too
    const auto rows = static_cast<double>(opened->tables().back()->rows());
    opened.reset();
    return rows;
  }
};

// The number of rows of an input of matrix_256.
inline constexpr uint64_t kMatrixRows = 256, kMatrices = 400;

inline std::span<const uint64_t> matrix_rows(const Rows& rows, uint64_t input) {
  return std::span(rows).subspan(input * kMatrixRows, kMatrixRows);
}

// Each op measures, prints, and returns whether the two engines agree; README.md describes it.
bool open_first_row(Bench<PeersFile>& bench);
bool row_1(Bench<PeersFile>& bench);
bool row_1_batch(Bench<PeersFile>& bench);
bool rows_1000(Bench<PeersFile>& bench);
bool take_100k(Bench<PeersFile>& bench);
bool col_sum(Bench<PeersFile>& bench);
bool col_sum_large(Bench<PeersFile>& bench);
bool full_scan(Bench<PeersFile>& bench);
bool sample_256(Bench<PeersFile>& bench);
bool epoch_256(Bench<PeersFile>& bench);
bool epoch_256_2t(Bench<PeersFile>& bench);
bool key_lookup_1000(Bench<PeersFile>& bench);
bool computed_column(Bench<PeersFile>& bench);
bool filter_count(Bench<PeersFile>& bench);
bool filter_count_2t(Bench<PeersFile>& bench);
bool filter_fetch(Bench<PeersFile>& bench);
bool filter_fetch_2t(Bench<PeersFile>& bench);
bool full_scan_where(Bench<PeersFile>& bench);
bool full_scan_where_2t(Bench<PeersFile>& bench);
bool sums_where(Bench<PeersFile>& bench);
bool sums_where_2t(Bench<PeersFile>& bench);
bool count_sorted_cold(Bench<PeersFile>& bench);
bool count_sorted(Bench<PeersFile>& bench);

bool open_file(Bench<RankingFile>& bench);
bool schema_first_row(Bench<RankingFile>& bench);
bool row_1(Bench<RankingFile>& bench);
bool row_1_batch(Bench<RankingFile>& bench);
bool take_100k(Bench<RankingFile>& bench);
bool col_sum(Bench<RankingFile>& bench);
bool matrix_256(Bench<RankingFile>& bench);
bool count_where_16(Bench<RankingFile>& bench);
bool count_where_8(Bench<RankingFile>& bench);

bool row_1(Bench<FeaturesFile>& bench);
bool row_1_batch(Bench<FeaturesFile>& bench);
bool take_100k(Bench<FeaturesFile>& bench);
bool col_sum(Bench<FeaturesFile>& bench);
bool all_sums(Bench<FeaturesFile>& bench);
bool matrix_256(Bench<FeaturesFile>& bench);

bool row_1(Bench<MatrixFile>& bench);
bool take_256(Bench<MatrixFile>& bench);
bool take_10k(Bench<MatrixFile>& bench);
bool matrix_256(Bench<MatrixFile>& bench);

bool open_file(Bench<ForestFile>& bench);
bool predict_1(Bench<ForestFile>& bench);
bool predict_256(Bench<ForestFile>& bench);
bool predict_100k(Bench<ForestFile>& bench);
bool predict_100k_2t(Bench<ForestFile>& bench);

bool scan_memory(Bench<BlocksFile>& bench);
bool open_file(Bench<BlocksFile>& bench);
bool row_1_cold(Bench<BlocksFile>& bench);
bool row_1_cold_2t(Bench<BlocksFile>& bench);
bool row_1(Bench<BlocksFile>& bench);
bool row_1_batch(Bench<BlocksFile>& bench);
bool rows_1000(Bench<BlocksFile>& bench);
bool full_scan(Bench<BlocksFile>& bench);
bool full_scan_2t(Bench<BlocksFile>& bench);
bool scan_where_2pct(Bench<BlocksFile>& bench);

bool open_file(Bench<PayloadFile>& bench);
bool index_memory(Bench<PayloadFile>& bench);
bool whole_decode(Bench<PayloadFile>& bench);
bool first_pass(Bench<PayloadFile>& bench);
bool second_pass(Bench<PayloadFile>& bench);
bool random_8(Bench<PayloadFile>& bench);
bool random_8_kept(Bench<PayloadFile>& bench);
bool encode(Bench<PayloadFile>& bench);

bool row_1(Bench<PackedFile>& bench);
bool row_1_decoded(Bench<PackedFile>& bench);

}  // namespace heron::bench

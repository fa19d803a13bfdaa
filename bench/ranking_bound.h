// The lower bound of the ops on a learning-to-rank file (jforests) on this machine: plain loops
// over the same bytes in a plain map, compiled for this CPU. They check nothing and are given the
// offsets of the features, the query of each sixteenth row and, except for single rows, the
// dictionaries' values as doubles.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plain.h"

namespace heron::bench {

// One feature: a code per row into a dictionary of scaled integers.
struct RankingFeature {
  enum class Codes : uint8_t { None, Bits, Bytes, Shorts };

  Codes kind;
  bool log;
  uint32_t values;  // size of the dictionary
  const std::byte* codes;
  const std::byte* dictionary;
  double min, factor;
};

// A complete, undamaged file with queries.
struct Ranking {
  explicit Ranking(const PlainMap& map);

  uint64_t rows;
  uint64_t queries;
  std::vector<RankingFeature> features;
  const std::byte* targets;
  const std::byte* boundaries;
};

// Data decoded before the measurement.
struct DecodedRanking {
  explicit DecodedRanking(const Ranking& ranking);

  uint32_t query_of(uint64_t row) const;

  std::vector<std::vector<double>> originals;  // by feature and code
  std::vector<uint32_t> starts;                // first row of each query, and the end
  std::vector<uint32_t> first_queries;         // query of every sixteenth row
};

// Some rows of all columns.
struct RankingTaken {
  std::vector<double> targets;
  std::vector<uint32_t> queries;
  std::vector<std::vector<double>> features;
};

// Touches the bytes that locate every feature: the header with its tables, the first and the last
// boundary, the shape of feature 0. Returns the number of rows, from the last boundary.
uint64_t touch_header(const PlainMap& map);

// Reads the target, then each feature, decoded on the fly.
void read_row(const Ranking& ranking, uint64_t row, std::vector<double>& out);
void take(const Ranking& ranking, const DecodedRanking& decoded, std::span<const uint64_t> rows,
          RankingTaken& out);
// Makes a row-major matrix of the features.
void matrix(const Ranking& ranking, const DecodedRanking& decoded, std::span<const uint64_t> rows,
            float* out);
// Sums a feature whose codes are shorts.
double sum(const Ranking& ranking, const DecodedRanking& decoded, uint64_t feature);
// Counts rows with codes from `low` to `high`, of a feature whose codes are bytes or shorts.
uint64_t count_codes(const Ranking& ranking, uint64_t feature, uint32_t low, uint32_t high);

}  // namespace heron::bench

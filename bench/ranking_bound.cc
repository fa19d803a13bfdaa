#include "ranking_bound.h"

#include <algorithm>
#include <cmath>

namespace heron::bench {
namespace {

using Codes = RankingFeature::Codes;

constexpr uint64_t kCountBytes = 4;
constexpr uint64_t kFeaturesAt = 4, kRowsAt = 8, kSizesAt = 12;
constexpr uint64_t kTailBytes = 25;  // min, max, factor, log
constexpr uint64_t kGroup = 16;      // rows per entry of first_queries

uint32_t count_at(const std::byte* from) {
  return load_swapped<uint32_t>(from);
}

uint64_t code_bytes(Codes kind, uint64_t rows) {
  switch (kind) {
    case Codes::None: return 0;
    case Codes::Bits: return (rows + 7) / 8;
    case Codes::Bytes: return rows;
    default: return rows * 2;
  }
}

template <Codes kKind>
uint32_t code_at(const std::byte* codes, uint64_t row) {
  if constexpr (kKind == Codes::None) return 0;
  if constexpr (kKind == Codes::Bits) return load<uint8_t>(codes + row / 8) >> (row % 8) & 1;
  if constexpr (kKind == Codes::Bytes) return load<uint8_t>(codes + row);
  if constexpr (kKind == Codes::Shorts) return load_swapped<uint16_t>(codes + row * 2);
}

// Calls visit.operator()<kKind>().
template <class Visit>
auto visit_codes(Codes kind, Visit&& visit) {
  switch (kind) {
    case Codes::None: return visit.template operator()<Codes::None>();
    case Codes::Bits: return visit.template operator()<Codes::Bits>();
    case Codes::Bytes: return visit.template operator()<Codes::Bytes>();
    default: return visit.template operator()<Codes::Shorts>();
  }
}

double original(const RankingFeature& feature, uint32_t code) {
  const auto scaled = load_swapped<int32_t>(feature.dictionary + code * kCountBytes);
  const double quotient = static_cast<double>(scaled) / feature.factor;
  return feature.log ? std::exp(quotient) + feature.min - 1 : quotient + feature.min;
}

RankingFeature feature_in(const std::byte* record, uint64_t bytes, Codes kind, uint64_t rows) {
  RankingFeature feature;
  const std::byte* values = record + code_bytes(kind, rows);
  const std::byte* tail = record + bytes - kTailBytes;
  feature.kind = kind;
  feature.log = load<uint8_t>(tail + 24) != 0;
  feature.values = count_at(values);
  feature.codes = record;
  feature.dictionary = values + kCountBytes;
  feature.min = load_swapped<double>(tail);
  feature.factor = load_swapped<double>(tail + 16);
  return feature;
}

// The CPU overlaps the cache misses of the rows: a prefetch gained nothing.
template <Codes kKind>
void gather(const RankingFeature& feature, const std::vector<double>& originals,
            std::span<const uint64_t> rows, std::vector<double>& out) {
  out.resize(rows.size());
  for (uint64_t i = 0; i < rows.size(); ++i) {
    out[i] = originals[code_at<kKind>(feature.codes, rows[i])];
  }
}

// Tests a range with one comparison; counts in lanes as narrow as the codes, emptied before they
// overflow.
template <class Code, Codes kKind>
uint64_t count_range(const std::byte* codes, uint64_t rows, Code low, Code width) {
  constexpr uint64_t kLanes = 64, kBlock = 255 * kLanes;
  const auto is_inside = [=](uint64_t row) -> Code {
    return static_cast<Code>(code_at<kKind>(codes, row) - low) <= width;
  };
  uint64_t count = 0;
  uint64_t row = 0;
  while (row + kLanes <= rows) {
    Code lanes[kLanes] = {};
    const uint64_t end = std::min(row + kBlock, rows / kLanes * kLanes);
    for (; row < end; row += kLanes) {
      for (uint64_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] = static_cast<Code>(lanes[lane] + is_inside(row + lane));
      }
    }
    for (const Code lane : lanes) count += lane;
  }
  for (; row < rows; ++row) count += is_inside(row);
  return count;
}

}  // namespace

Ranking::Ranking(const PlainMap& map)
    : rows(count_at(map.base() + kRowsAt)), features(count_at(map.base() + kFeaturesAt)) {
  const std::byte* sizes = map.base() + kSizesAt;
  const std::byte* kinds = sizes + features.size() * kCountBytes;
  const std::byte* query_count = kinds + features.size();
  queries = count_at(query_count);
  targets = query_count + kCountBytes;
  const std::byte* record = targets + rows * sizeof(double);
  for (uint64_t k = 0; k < features.size(); ++k) {
    const uint64_t bytes = count_at(sizes + k * kCountBytes);
    features[k] = feature_in(record, bytes, static_cast<Codes>(kinds[k]), rows);
    record += bytes;
  }
  boundaries = record;
}

DecodedRanking::DecodedRanking(const Ranking& ranking) : originals(ranking.features.size()) {
  for (uint64_t k = 0; k < originals.size(); ++k) {
    for (uint32_t code = 0; code < ranking.features[k].values; ++code) {
      originals[k].push_back(original(ranking.features[k], code));
    }
  }
  for (uint64_t query = 0; query <= ranking.queries; ++query) {
    starts.push_back(count_at(ranking.boundaries + query * kCountBytes));
  }
  uint32_t query = 0;
  for (uint64_t row = 0; row < ranking.rows; row += kGroup) {
    while (starts[query + 1] <= row) ++query;
    first_queries.push_back(query);
  }
}

uint32_t DecodedRanking::query_of(uint64_t row) const {
  uint32_t query = first_queries[row / kGroup];
  while (starts[query + 1] <= row) ++query;
  return query;
}

uint64_t touch_header(const PlainMap& map) {
  const uint64_t rows = count_at(map.base() + kRowsAt);
  const uint64_t features = count_at(map.base() + kFeaturesAt);
  const std::byte* sizes = map.base() + kSizesAt;
  const std::byte* kinds = sizes + features * kCountBytes;
  uint64_t bytes = 0;
  for (uint64_t k = 0; k < features; ++k) {
    bytes += count_at(sizes + k * kCountBytes);
    keep(load<uint8_t>(kinds + k));
  }
  const std::byte* query_count = kinds + features;
  const std::byte* records = query_count + kCountBytes + rows * sizeof(double);
  keep(feature_in(records, count_at(sizes), static_cast<Codes>(*kinds), rows));
  const std::byte* boundaries = records + bytes;
  keep(count_at(boundaries));
  return count_at(boundaries + count_at(query_count) * kCountBytes);
}

void read_row(const Ranking& ranking, uint64_t row, std::vector<double>& out) {
  out[0] = load_swapped<double>(ranking.targets + row * sizeof(double));
  for (uint64_t k = 0; k < ranking.features.size(); ++k) {
    const RankingFeature& feature = ranking.features[k];
    out[k + 1] = original(feature, visit_codes(feature.kind, [&]<Codes kKind>() {
                            return code_at<kKind>(feature.codes, row);
                          }));
  }
}

void take(const Ranking& ranking, const DecodedRanking& decoded, std::span<const uint64_t> rows,
          RankingTaken& out) {
  out.targets.resize(rows.size());
  out.queries.resize(rows.size());
  out.features.resize(ranking.features.size());
  for (uint64_t i = 0; i < rows.size(); ++i) {
    out.targets[i] = load_swapped<double>(ranking.targets + rows[i] * sizeof(double));
  }
  for (uint64_t i = 0; i < rows.size(); ++i) out.queries[i] = decoded.query_of(rows[i]);
  for (uint64_t k = 0; k < ranking.features.size(); ++k) {
    const RankingFeature& feature = ranking.features[k];
    visit_codes(feature.kind, [&]<Codes kKind>() {
      gather<kKind>(feature, decoded.originals[k], rows, out.features[k]);
    });
  }
}

void matrix(const Ranking& ranking, const DecodedRanking& decoded, std::span<const uint64_t> rows,
            float* out) {
  const uint64_t width = ranking.features.size();
  for (uint64_t k = 0; k < width; ++k) {
    const RankingFeature& feature = ranking.features[k];
    const std::vector<double>& originals = decoded.originals[k];
    visit_codes(feature.kind, [&]<Codes kKind>() {
      for (uint64_t i = 0; i < rows.size(); ++i) {
        out[i * width + k] = static_cast<float>(originals[code_at<kKind>(feature.codes, rows[i])]);
      }
    });
  }
}

double sum(const Ranking& ranking, const DecodedRanking& decoded, uint64_t feature) {
  constexpr uint64_t kSums = 4;
  const std::byte* codes = ranking.features[feature].codes;
  const double* originals = decoded.originals[feature].data();
  double sums[kSums] = {};
  const uint64_t whole = ranking.rows / kSums * kSums;
  for (uint64_t row = 0; row < whole; row += kSums) {
    for (uint64_t k = 0; k < kSums; ++k) {
      sums[k] += originals[code_at<Codes::Shorts>(codes, row + k)];
    }
  }
  for (uint64_t row = whole; row < ranking.rows; ++row) {
    sums[0] += originals[code_at<Codes::Shorts>(codes, row)];
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}

uint64_t count_codes(const Ranking& ranking, uint64_t feature, uint32_t low, uint32_t high) {
  const RankingFeature& of = ranking.features[feature];
  if (of.kind == Codes::Shorts) {
    return count_range<uint16_t, Codes::Shorts>(of.codes, ranking.rows, static_cast<uint16_t>(low),
                                                static_cast<uint16_t>(high - low));
  }
  return count_range<uint8_t, Codes::Bytes>(of.codes, ranking.rows, static_cast<uint8_t>(low),
                                            static_cast<uint8_t>(high - low));
}

}  // namespace heron::bench

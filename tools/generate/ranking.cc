#include "generate/ranking.h"

#include <algorithm>
#include <bit>

#include "base/fail.h"
#include "generate/columns.h"
#include "generate/normal.h"
#include "heron/error.h"

namespace heron::generate {
namespace {

enum RankingColumn : uint64_t { kTarget, kQuery, kFirstFeature };
enum Kind : uint8_t {
  kConstant,
  kEvenFlag,
  kRareFlag,
  kSmallCount,
  kGrade,
  kFine,
  kNormal,
  kLargeCount,
  kSparseCount,
  kSparseRatio,
  kKinds
};

constexpr uint64_t kMaxRankingRows = UINT32_MAX;  // each row may be a query

Schema ranking_schema(uint64_t features) {
  Schema schema;
  add_column(schema, "target", Type::Float64);
  add_column(schema, "query", Type::UInt32);
  for (uint64_t i = 1; i <= features; ++i) add_column(schema, concat('f', i), Type::Float64);
  return schema;
}

// Returns a number below n, a power of two, taken from a draw's lower bits; Draws::below takes the
// upper ones.
constexpr uint64_t low_below(uint64_t n, uint64_t draw) noexcept {
  return draw & (n - 1);
}

uint64_t target(uint64_t draw) noexcept {
  const uint64_t percent = Draws::below(100, draw);
  return (percent >= 52) + (percent >= 84) + (percent >= 97) + (percent >= 99);
}

// Returns the smaller of two draws, which makes short queries more frequent; 19.9 on average.
uint64_t query_rows(uint64_t one, uint64_t other) noexcept {
  return 1 + std::min(Draws::below(50, one), Draws::below(75, other));
}

// Draws the number of binary digits, then the digits.
uint64_t large_count(uint64_t draw) noexcept {
  const uint64_t power = uint64_t{1} << Draws::below(24, draw);
  return power - 1 + low_below(power, draw);
}

bool one_of_twenty(uint64_t draw) noexcept {
  return Draws::below(20, draw) == 0;
}

template <class Value>
void fill_each(const Draws& draws, uint64_t first, std::span<double> cells, Value value) {
  for (uint64_t i = 0; i < cells.size(); ++i) {
    cells[i] = static_cast<double>(static_cast<int64_t>(value(draws[first + i])));
  }
}

}  // namespace

Ranking::Ranking(uint64_t seed, uint64_t features)
    : Preset(seed, ranking_schema(features), kMaxRankingRows) {}

void Ranking::fill_columns(std::span<Values> columns, Arena& arena) {
  fill_each(draws(kTarget), row(), make_cells<double>(columns[kTarget], arena), target);
  fill_query(make_cells<uint32_t>(columns[kQuery], arena));
  for (uint64_t i = kFirstFeature; i < columns.size(); ++i) {
    fill_feature(i - kFirstFeature, make_cells<double>(columns[i], arena));
  }
}

void Ranking::fill_query(std::span<uint32_t> cells) {
  const Draws lengths = draws(kQuery);
  for (uint32_t& cell : cells) {
    if (query_rows_left_ == 0) {
      ++query_;
      query_rows_left_ =
          query_rows(lengths[2 * uint64_t{query_}], lengths[2 * uint64_t{query_} + 1]);
    }
    --query_rows_left_;
    cell = query_;
  }
}

void Ranking::fill_feature(uint64_t number, std::span<double> cells) const {
  const Draws own = draws(kFirstFeature + number);
  const auto each = [&](auto value) { fill_each(own, row(), cells, value); };
  const auto scale = [&](double step) {
    for (double& cell : cells) cell *= step;
  };
  switch (number % kKinds) {
    case kConstant: return each([&](uint64_t) { return number / kKinds; });
    case kEvenFlag: return each([](uint64_t draw) { return Draws::below(2, draw); });
    case kRareFlag: return each([](uint64_t draw) { return Draws::below(64, draw) == 0; });
    case kSmallCount: return each([](uint64_t draw) { return std::countl_zero(draw | 1); });
    case kGrade: return each([](uint64_t draw) { return Draws::below(100, draw); });
    case kFine:
      each([](uint64_t draw) { return Draws::below(20'000, draw); });
      return scale(1. / 8);
    case kNormal: return fill_normals(own, row(), cells);
    case kLargeCount: return each(large_count);
    case kSparseCount:
      return each([](uint64_t draw) { return one_of_twenty(draw) ? 1 + low_below(16, draw) : 0; });
    default:
      each([](uint64_t draw) { return one_of_twenty(draw) ? 1 + low_below(4096, draw) : 0; });
      return scale(1. / 4096);
  }
}

}  // namespace heron::generate

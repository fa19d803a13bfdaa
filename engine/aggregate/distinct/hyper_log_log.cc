#include "aggregate/distinct/hyper_log_log.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace heron::inline v0 {
namespace {

// The term for registers that are 0.
double sigma(double x) {
  if (x == 1) return std::numeric_limits<double>::infinity();
  double y = 1, sum = x, before;
  do {
    x *= x;
    before = sum;
    sum += x * y;
    y += y;
  } while (sum != before);
  return sum;
}

// The term for registers with the highest rank.
double tau(double x) {
  if (x == 0 || x == 1) return 0;
  double y = 1, sum = 1 - x, before;
  do {
    x = std::sqrt(x);
    before = sum;
    y *= 0.5;
    sum -= (1 - x) * (1 - x) * y;
  } while (sum != before);
  return sum / 3;
}

}  // namespace

void HyperLogLog::add_listed(uint32_t index, uint8_t rank) {
  listed_.push_back(index << 8 | rank);
  if (listed_.size() < next_tidy_) return;
  tidy(listed_);
  if (listed_.size() > kMaxListed) return to_registers();
  next_tidy_ = std::max<uint64_t>(next_tidy_, listed_.size() * 2);
}

void HyperLogLog::save(StateWriter& to) const {
  to.put_all(listed_);
  to.put_all(registers_);
}

void HyperLogLog::load(StateReader& from) {
  listed_ = from.take_all<uint32_t>();
  registers_ = from.take_all<uint8_t>();
  if (!registers_.empty() && registers_.size() != kRegisters) StateReader::fail_damaged();
  for (const uint32_t one : listed_) {
    if (one >> 8 >= kRegisters || (one & 0xFF) > kMaxRank) StateReader::fail_damaged();
  }
  for (const uint8_t rank : registers_) {
    if (rank > kMaxRank) StateReader::fail_damaged();
  }
  next_tidy_ = std::max<uint64_t>(next_tidy_, listed_.size() * 2);
}

void HyperLogLog::tidy(std::vector<uint32_t>& listed) {
  std::sort(listed.begin(), listed.end(), std::greater<>());  // the highest rank of an index first
  const auto end = std::unique(listed.begin(), listed.end(),
                               [](uint32_t a, uint32_t b) { return a >> 8 == b >> 8; });
  listed.erase(end, listed.end());
}

void HyperLogLog::to_registers() {
  registers_.resize(kRegisters);
  for (const uint32_t one : listed_) {
    uint8_t& rank = registers_[one >> 8];
    rank = std::max(rank, static_cast<uint8_t>(one));
  }
  std::vector<uint32_t>().swap(listed_);
}

void HyperLogLog::merge(const HyperLogLog& other) {
  if (!other.registers_.empty()) {
    if (registers_.empty()) to_registers();
    for (uint64_t i = 0; i < kRegisters; ++i) {
      registers_[i] = std::max(registers_[i], other.registers_[i]);
    }
  }
  for (const uint32_t one : other.listed_) {
    const auto rank = static_cast<uint8_t>(one);
    registers_.empty() ? add_listed(one >> 8, rank)
                       : void(registers_[one >> 8] = std::max(registers_[one >> 8], rank));
  }
}

uint64_t HyperLogLog::estimate() const {
  uint64_t of_rank[kMaxRank + 1] = {};
  if (registers_.empty()) {
    std::vector<uint32_t> listed = listed_;
    tidy(listed);
    for (const uint32_t one : listed) ++of_rank[one & 0xFF];
    of_rank[0] = kRegisters - listed.size();
  } else {
    for (const uint8_t rank : registers_) ++of_rank[rank];
  }
  constexpr double kCount = kRegisters;
  double sum = kCount * tau(1 - static_cast<double>(of_rank[kMaxRank]) / kCount);
  for (int rank = kMaxRank - 1; rank > 0; --rank) {
    sum = 0.5 * (sum + static_cast<double>(of_rank[rank]));
  }
  sum += kCount * sigma(static_cast<double>(of_rank[0]) / kCount);
  return static_cast<uint64_t>(std::llround(kCount * kCount / (2 * std::numbers::ln2 * sum)));
}

}  // namespace heron::inline v0

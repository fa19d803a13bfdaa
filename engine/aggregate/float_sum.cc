#include "aggregate/float_sum.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "values/canonical.h"

namespace heron::inline v0 {

void FloatSum::add(uint64_t row, double value) {
  if (value == 0) return;  // zeros of either sign: no lane is ever -0.0
  const uint64_t block = row / kSumBlockRows;
  if (block < first_block_) {
    head_.push_back({row, value});
    return;
  }
  if (block != open_block_) close_block();
  open_block_ = block;
  if (row < lanes_end_)
    lanes_[row % kSumLanes] += value;
  else
    rest_.push_back(value);
}

uint64_t FloatSum::open_lanes(uint64_t row, uint64_t rows) {
  const uint64_t block = row / kSumBlockRows;
  if (block < first_block_ || row % kSumLanes != 0 || row >= lanes_end_) return 0;
  const uint64_t block_end = (block + 1) * kSumBlockRows;
  const uint64_t end = std::min({row + rows - rows % kSumLanes, lanes_end_, block_end});
  if (row == end) return 0;
  if (block != open_block_) close_block();
  open_block_ = block;
  return end - row;
}

void FloatSum::close_block() {
  if (open_block_ == kNone) return;
  double sum = 0;
  for (double& lane : lanes_) sum += std::exchange(lane, 0);
  for (const double value : rest_) sum += value;
  rest_.clear();
  blocks_.push_back(sum);
  open_block_ = kNone;
}

void FloatSum::append(const FloatSum& next) {
  for (const RowValue& one : next.head_) add(one.row, one.value);
  if (next.blocks_.empty() && next.open_block_ == kNone) return;
  close_block();
  blocks_.insert(blocks_.end(), next.blocks_.begin(), next.blocks_.end());
  open_block_ = next.open_block_;
  std::copy(std::begin(next.lanes_), std::end(next.lanes_), lanes_);
  rest_ = next.rest_;
}

void FloatSum::save(StateWriter& to) const {
  to.put(first_block_);
  to.put(uint64_t{head_.size()});
  for (const RowValue& one : head_) {
    to.put(one.row);
    to.put(one.value);
  }
  to.put_all(blocks_);
  to.put(open_block_);
  to.put_all(std::vector<double>(std::begin(lanes_), std::end(lanes_)));
  to.put_all(rest_);
}

void FloatSum::load(StateReader& from) {
  first_block_ = from.take<uint64_t>();
  head_.resize(from.take_count(sizeof(uint64_t) + sizeof(double)));
  for (RowValue& one : head_) {
    one.row = from.take<uint64_t>();
    one.value = from.take<double>();
  }
  blocks_ = from.take_all<double>();
  open_block_ = from.take<uint64_t>();
  const auto lanes = from.take_all<double>();
  if (lanes.size() != kSumLanes) StateReader::fail_damaged();
  std::copy(lanes.begin(), lanes.end(), lanes_);
  rest_ = from.take_all<double>();
}

double FloatSum::total() const {
  FloatSum all(0, table_rows_);  // also sums head_, the rest of whose block no part has
  all.append(*this);
  all.close_block();
  double total = 0;
  for (const double block : all.blocks_) total += block;
  return canonical(total);  // compilers choose the order of operands, and so the bits of a NaN
}

}  // namespace heron::inline v0

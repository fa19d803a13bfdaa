#include "aggregate/functions/row_sample.h"

#include <cstring>

#include "base/hash_mix.h"

namespace heron::inline v0 {
namespace {

// Returns the row that a group of 2^level rows picks: the row that one of its halves picks.
uint64_t picked_row(uint64_t group, unsigned level) {
  for (; level > 0; --level) group = 2 * group + (mix_hash(group + level * kGolden) & 1);
  return group;
}

bool is_set(const uint64_t* bits, uint64_t row) {
  return bits == nullptr || (bits[row / 64] >> row % 64 & 1) != 0;
}

}  // namespace

void RowSample::add(const ValidRows& valid, uint64_t row, uint64_t table_row) {
  const uint32_t width = valid.values.type.width();
  const std::byte* cell = valid.values.data.data + row * width;
  rows_.push_back(table_row);
  cells_.insert(cells_.end(), cell, cell + width);
}

void RowSample::update_block(const SelectedValues& block) {
  const auto valid = block.valid();
  if (!valid) return;
  type_ = valid->values.type;
  const auto& [first, some] = valid->row_ids;
  if (level_ == 0 || !some.empty()) {
    const std::span<const uint64_t> rows = some;
    const uint64_t begin = first;
    valid->for_each([&](uint64_t row) {
      const uint64_t table_row = rows.empty() ? begin + row : rows[row];
      if (picked_row(table_row >> level_, level_) == table_row) add(*valid, row, table_row);
    });
  } else {
    const uint64_t last = first + valid->values.rows;
    for (uint64_t group = first >> level_; group << level_ < last; ++group) {
      const uint64_t row = picked_row(group, level_);
      if (row >= first && row < last && is_set(valid->bits, row - first)) {
        add(*valid, row - first, row);
      }
    }
  }
  while (size() > kMaxValues) raise_level();
}

void RowSample::raise_level() {
  ++level_;
  const uint32_t width = type_.width();
  uint64_t kept = 0;
  for (uint64_t i = 0; i < rows_.size(); ++i) {
    if (picked_row(rows_[i] >> level_, level_) != rows_[i]) continue;
    rows_[kept] = rows_[i];
    std::memmove(cells_.data() + kept * width, cells_.data() + i * width, width);
    ++kept;
  }
  rows_.resize(kept);
  cells_.resize(kept * width);
}

Values RowSample::values() const {
  Values values(type_, size());
  values.data = {cells_.data(), cells_.size()};
  return values;
}

uint64_t RowSample::bytes() const {
  return rows_.capacity() * sizeof(uint64_t) + cells_.capacity();
}

}  // namespace heron::inline v0

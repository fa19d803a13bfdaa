#include "aggregate/distinct/distinct_records.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/fail.h"
#include "heron/error.h"

namespace heron::inline v0 {

void NumberRecords::insert(std::span<const std::byte> records) {
  std::array<uint64_t, 1024> some;
  while (!records.empty()) {
    const auto now = records.first(std::min(records.size(), sizeof some));
    std::memcpy(some.data(), now.data(), now.size());
    for (uint64_t done = 0, count = now.size() / sizeof some[0]; done < count;) {
      done += numbers_.insert_some({&some[done], count - done});
    }
    records = records.subspan(now.size());
  }
}

void TextRecords::reserve(uint64_t records) {
  constexpr uint64_t kMinSlots = 64;
  const uint64_t count = std::max(kMinSlots, std::bit_ceil(records * 2));
  if (count <= slots_.size()) return;
  slots_ = ZeroedArray<uint64_t>(count);
  shift_ = 64 - std::countr_zero(count);
  uint64_t offset = 0;
  for_each([&](std::string_view text) {
    const uint64_t hash = hash_of(text);
    uint64_t at = hash >> shift_;
    while (slots_[at] != 0) at = (at + 1) & (count - 1);
    slots_[at] = (offset + 1) | (hash & ~kOffset);
    offset += sizeof(uint64_t) + text.size();
  });
}

void TextRecords::insert(std::span<const std::byte> records) {
  // Slots are fetched while the records before theirs are inserted.
  constexpr uint64_t kAtOnce = 32;
  std::array<uint64_t, kAtOnce> hashes;
  std::array<std::string_view, kAtOnce> texts;
  for (const std::byte* at = records.data(), *end = at + records.size(); at < end;) {
    uint64_t count = 0;
    if (size_ + kAtOnce > slots_.size() / 2) reserve(std::max(2 * size_, size_ + kAtOnce));
    for (; count < kAtOnce && at < end; ++count) {
      texts[count] = text_at(at);
      hashes[count] = hash_of(texts[count]);
      __builtin_prefetch(&slots_[hashes[count] >> shift_], 1);
      at += sizeof(uint64_t) + texts[count].size();
    }
    for (uint64_t i = 0; i < count; ++i) insert(texts[i], hashes[i]);
  }
}

void TextRecords::insert(std::string_view text, uint64_t hash) {
  const uint64_t last = slots_.size() - 1;
  for (uint64_t at = hash >> shift_;; at = (at + 1) & last) {
    const uint64_t slot = slots_[at];
    if (slot == 0) {
      const uint64_t offset = records_.size();
      if (offset >= kOffset) {
        fail(ErrorKind::Limit, {}, "more than ", kOffset * DistinctLog::kPartitions,
             " bytes of distinct texts");
      }
      slots_[at] = (offset + 1) | (hash & ~kOffset);
      constexpr uint64_t kSize = sizeof(uint64_t);
      const auto* record = reinterpret_cast<const std::byte*>(text.data()) - kSize;
      records_.append(record, kSize + text.size());
      ++size_;
      return;
    }
    if (((slot ^ hash) & ~kOffset) == 0 && text_at(&records_[(slot & kOffset) - 1]) == text) return;
  }
}

}  // namespace heron::inline v0

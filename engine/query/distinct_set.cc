#include "query/distinct_set.h"

#include <algorithm>
#include <utility>

#include "heron/error.h"

namespace heron::inline v0 {

void NumberSet::set_slots(uint64_t count) {
  const std::vector<uint64_t> old = std::exchange(slots_, std::vector<uint64_t>(count));
  shift_ = 64 - std::countr_zero(count);
  for (const uint64_t bits : old) {
    if (bits == 0) continue;
    uint64_t at = slot_of(bits);
    while (slots_[at] != 0) at = (at + 1) & (count - 1);
    slots_[at] = bits;
  }
}

// Numbers arrive in slot order: in a table that is too small they would cluster.
void NumberSet::merge(const NumberSet& other) {
  const uint64_t most = size_ + other.size_;
  const uint64_t slots = most == 0 ? 0 : std::bit_ceil(most * 2);
  if (slots > slots_.size()) set_slots(slots);
  other.for_each([this](uint64_t bits) { insert(bits); });
}

uint64_t TextSet::slot_of(std::string_view text, uint64_t hash) const noexcept {
  const uint64_t last = slots_.size() - 1;
  uint64_t at = hash & last;
  for (; slots_[at].next != 0; at = (at + 1) & last) {
    if (slots_[at].tag == tag_of(hash) && view(texts_[slots_[at].next - 1]) == text) break;
  }
  return at;
}

void TextSet::insert(std::string_view text, uint64_t hash) {
  if (slots_.empty()) slots_.resize(kFirstSlots);
  Slot& slot = slots_[slot_of(text, hash)];
  if (slot.next != 0) return;
  if (texts_.size() == UINT32_MAX) {
    fail(ErrorKind::Limit, {}, "more than 2^32 - 1 distinct texts");
  }
  texts_.push_back({characters_.size(), text.size(), hash});
  characters_.insert(characters_.end(), text.begin(), text.end());
  slot = {tag_of(hash), static_cast<uint32_t>(texts_.size())};
  if (texts_.size() * 2 > slots_.size()) grow();
}

void TextSet::grow() {
  std::vector<Slot>(slots_.size() * 2).swap(slots_);
  const uint64_t last = slots_.size() - 1;
  for (uint64_t i = 0; i < texts_.size(); ++i) {
    uint64_t at = texts_[i].hash & last;
    while (slots_[at].next != 0) at = (at + 1) & last;
    slots_[at] = {tag_of(texts_[i].hash), static_cast<uint32_t>(i + 1)};
  }
}

}  // namespace heron::inline v0

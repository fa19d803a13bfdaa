#include "query/distinct_set.h"

#include <algorithm>
#include <functional>

namespace heron::inline v0 {
namespace {

constexpr uint64_t kMostTextBytes = uint64_t{64} << 20;
constexpr uint64_t kBytesBesides = 32;  // what a text counts besides its characters

}  // namespace

void NumberSet::set_slots(uint64_t count) {
  std::vector<uint64_t> old(count);
  old.swap(slots_);
  shift_ = 64 - std::countr_zero(count);
  size_ = 0;
  for (const uint64_t bits : old) {
    if (bits != 0) insert(bits);
  }
}

// Numbers come in the order of their slots: in a table that is too small they would pile up.
void NumberSet::merge(const NumberSet& other) {
  const uint64_t most = std::min(size_ + other.size_, kDistinctLimit + 1);
  const uint64_t slots = most == 0 ? 0 : std::bit_ceil(most * 2);
  if (!full_ && slots > slots_.size()) {
    set_slots(slots);
  }
  has_zero_ |= other.has_zero_;
  for (const uint64_t bits : other.slots_) {
    if (bits != 0) insert(bits);
  }
}

uint64_t TextSet::slot_of(std::string_view text, uint64_t hash) const noexcept {
  const uint64_t last = slots_.size() - 1;
  uint64_t at = hash & last;
  while (slots_[at] != 0) {
    const Text& known = texts_[slots_[at] - 1];
    if (known.hash == hash && view(known) == text) break;
    at = (at + 1) & last;
  }
  return at;
}

void TextSet::insert(std::string_view text) {
  if (full_) return;
  if (slots_.empty()) slots_.resize(kFirstSlots);
  const uint64_t hash = std::hash<std::string_view>()(text);
  const uint64_t slot = slot_of(text, hash);
  if (slots_[slot] != 0) return;
  const uint64_t bytes = characters_.size() + (texts_.size() + 1) * kBytesBesides;
  if (texts_.size() == kDistinctLimit || bytes + text.size() > kMostTextBytes) {
    full_ = true;
    return;
  }
  texts_.push_back({characters_.size(), text.size(), hash});
  characters_.insert(characters_.end(), text.begin(), text.end());
  slots_[slot] = static_cast<uint32_t>(texts_.size());
  if (texts_.size() * 2 > slots_.size()) grow();
}

void TextSet::grow() {
  std::vector<uint32_t>(slots_.size() * 2).swap(slots_);
  const uint64_t last = slots_.size() - 1;
  for (uint32_t i = 0; i < texts_.size(); ++i) {
    uint64_t at = texts_[i].hash & last;
    while (slots_[at] != 0) at = (at + 1) & last;
    slots_[at] = i + 1;
  }
}

void TextSet::merge(const TextSet& other) {
  for (const Text& text : other.texts_) insert(other.view(text));
  full_ |= other.full_;
}

}  // namespace heron::inline v0

#include "aggregate/distinct/distinct_set.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heron::inline v0 {

void NumberSet::set_slots(uint64_t count) {
  const Slots old = std::exchange(slots_, Slots(count));
  shift_ = 64 - std::countr_zero(count);
  for (const uint64_t bits : old) {
    if (bits == 0) continue;
    uint64_t at = slot_of(bits, shift_);
    while (slots_[at] != 0) at = (at + 1) & (count - 1);
    slots_[at] = bits;
  }
}

// Reads members once: the compiler must assume that stores to slots change them.
uint64_t NumberSet::insert_some(std::span<const uint64_t> numbers) {
  constexpr uint64_t kAhead = 16;  // slots of a large set are not in the caches
  if (size_ * 2 >= slots_.size()) set_slots(std::max(kFirstSlots, slots_.size() * 2));
  uint64_t* const slots = slots_.data();
  const uint64_t last = slots_.size() - 1;
  const int shift = shift_;
  uint64_t free = slots_.size() / 2 - size_;
  uint64_t i = 0;
  for (; i < numbers.size() && free != 0; ++i) {
    if (i + kAhead < numbers.size()) {
      __builtin_prefetch(&slots[slot_of(numbers[i + kAhead], shift)], 1);
    }
    const uint64_t bits = numbers[i];
    if (bits == 0) {
      has_zero_ = true;
      continue;
    }
    uint64_t at = slot_of(bits, shift);
    while (slots[at] != 0 && slots[at] != bits) at = (at + 1) & last;
    free -= slots[at] == 0;
    slots[at] = bits;
  }
  size_ = slots_.size() / 2 - free;
  return i;
}

void NumberSet::reserve(uint64_t count) {
  const uint64_t slots = count == 0 ? 0 : std::bit_ceil(count * 2);
  if (slots > slots_.size()) set_slots(slots);
}

// Grows the table first: numbers arrive in slot order and would cluster in one that is too small.
void NumberSet::merge(const NumberSet& other) {
  reserve(size_ + other.size_);
  std::array<uint64_t, 1024> some;
  uint64_t count = 0;
  const auto insert_these = [&] {
    for (uint64_t done = 0; done < count;) done += insert_some({&some[done], count - done});
    count = 0;
  };
  other.for_each([&](uint64_t bits) {
    some[count++] = bits;
    if (count == some.size()) insert_these();
  });
  insert_these();
}

}  // namespace heron::inline v0

// Sampler. SAMPLING.md in this folder is the specification, and names are the same here and there.
//
// Without replacement, a position is written as two digits, which a Feistel network mixes; a result
// at or above `rows` goes through the network again. All is done one block of positions at a time,
// in plain loops over 32-bit lanes that the compiler vectorizes: once for any machine and, on
// x86-64, once for AVX2, chosen at run time. Both give the same numbers.
#include "heron/sampler.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <numeric>

#include "base/cpu.h"
#include "base/fail.h"
#include "base/hash_mix.h"
#include "heron/error.h"

namespace heron::inline v0 {
namespace {

constexpr uint32_t kMultiplier1 = 0x9e3779b1;
constexpr uint32_t kMultiplier2 = 0x85ebca77;
constexpr uint64_t kMinLastDigit = 15;
constexpr size_t kBlock = 256;

// Returns the smallest odd d >= 15 with (d + 1)^2 >= rows, but 2^32 - 1 if that d is 2^31 or more.
uint32_t last_digit(uint64_t rows) {
  uint64_t root = 0;  // becomes the largest number whose square is below rows
  for (uint64_t bit = uint64_t{1} << 31; bit != 0; bit >>= 1) {
    const uint64_t with_bit = root | bit;
    if (with_bit * with_bit < rows) {
      root = with_bit;
    }
  }
  const uint64_t last = std::max(root | 1, kMinLastDigit);
  return last < uint64_t{1} << 31 ? static_cast<uint32_t>(last) : UINT32_MAX;
}

constexpr size_t kStreams = 8;
using Lanes [[gnu::vector_size(kStreams * sizeof(uint32_t))]] = uint32_t;
static_assert(kBlock % kStreams == 0);

struct Order {
  const std::array<uint64_t, 8>& keys;
  uint32_t last;
  uint64_t rows;
};

struct Digits {
  alignas(32) uint32_t left[kBlock];
  alignas(32) uint32_t right[kBlock];
};

// Writes the digits of first, first + step, first + 2 step ..., which are right for numbers below
// side * side: kStreams at a time, each a kStreams-fold step after the one before it. (A step of
// more than two digits loses some, but then no second number is needed.)
HERON_INLINE void count_up(uint64_t first, uint64_t step, uint32_t last, Digits& digits,
                           size_t count) {
  const uint64_t side = uint64_t{last} + 1;
  const auto step_left = static_cast<uint32_t>(step / side);
  const auto step_right = static_cast<uint32_t>(step % side);
  auto left = static_cast<uint32_t>(first / side);
  auto right = static_cast<uint32_t>(first % side);
  Lanes lefts = {}, rights = {};
  for (size_t lane = 0; lane < kStreams; ++lane) {
    lefts[lane] = left;
    rights[lane] = right;
    const bool carry = right > last - step_right;
    left += step_left + (carry ? 1 : 0);
    right += step_right - (carry ? last + 1 : 0);
  }
  const auto long_left = static_cast<uint32_t>(step * kStreams / side);
  const auto long_right = static_cast<uint32_t>(step * kStreams % side);
  for (size_t i = 0; i < count; i += kStreams) {
    std::memcpy(&digits.left[i], &lefts, sizeof lefts);
    std::memcpy(&digits.right[i], &rights, sizeof rights);
    const auto carry = rights > last - long_right;  // lanes of 0 and -1
    lefts += long_left - Lanes(carry);
    rights += long_right - (Lanes(carry) & (last + 1));
  }
}

// One round: `turned` digits are turned back by a hash of `by`.
HERON_INLINE void turn(uint64_t key, uint32_t last, const uint32_t* by, uint32_t* turned,
                       size_t count) {
  const auto key_low = static_cast<uint32_t>(key);
  const auto key_high = static_cast<uint32_t>(key >> 32);
  const uint32_t beyond = ~last;  // 2^32 - side, which fits in 32 bits when side does not
  for (size_t i = 0; i < count; ++i) {
    uint32_t hash = (by[i] + key_low) * kMultiplier1;
    hash ^= hash >> 15;
    hash = (hash ^ key_high) * kMultiplier2;
    const uint32_t angle = hash - static_cast<uint32_t>((uint64_t{hash} * beyond) >> 32);
    const uint32_t difference = turned[i] - angle;
    turned[i] = std::min(difference, difference + last + 1);  // the other one is 2^31 or more
  }
}

HERON_INLINE void stir(const Order& order, Digits& digits, size_t count, uint64_t* out) {
  for (size_t round = 0; round < order.keys.size(); round += 2) {
    turn(order.keys[round], order.last, digits.right, digits.left, count);
    turn(order.keys[round + 1], order.last, digits.left, digits.right, count);
  }
  for (size_t i = 0; i < count; ++i) {  // left * side + right, where side may not fit in 32 bits
    out[i] = uint64_t{digits.left[i]} * order.last + digits.left[i] + digits.right[i];
  }
}

// Moves results at or above `limit` to the front, digits and index; returns how many there are.
HERON_INLINE size_t keep_beyond(uint64_t limit, const uint64_t* rows, Digits& digits,
                                uint32_t* index, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    if (rows[i] >= limit) [[unlikely]] {
      digits.left[kept] = digits.left[i];
      digits.right[kept] = digits.right[i];
      index[kept++] = index[i];
    }
  }
  return kept;
}

// Writes the rows at positions first, first + step ... to out[0 .. count), count <= kBlock.
struct DrawBlock {
  HERON_INLINE static void run(const Order* order, uint64_t first, uint64_t step, uint64_t* out,
                               size_t count) {
    Digits digits;
    count_up(first, step, order->last, digits, count);
    stir(*order, digits, count, out);
    uint32_t index[kBlock];  // index in `out` of positions without a final row yet
    std::iota(index, index + count, uint32_t{0});
    count = keep_beyond(order->rows, out, digits, index, count);
    while (count != 0) {
      uint64_t rows[kBlock];
      stir(*order, digits, count, rows);
      for (size_t i = 0; i < count; ++i) {
        out[index[i]] = rows[i];
      }
      count = keep_beyond(order->rows, rows, digits, index, count);
    }
  }
};

}  // namespace

Sampler::Sampler(uint64_t rows, const SamplerOptions& options)
    : rows_(rows), options_(options), last_digit_(last_digit(rows)) {
  if (options.rank >= options.world_size) {
    fail(ErrorKind::Argument, "", "sampler: rank must be below world_size, got rank ", options.rank,
         " of ", options.world_size);
  }
  if (options.replace && rows == 0) {
    fail(ErrorKind::Argument, "", "sampler: cannot draw with replacement from 0 rows");
  }
  size_ = rows / options.world_size + (options.rank < rows % options.world_size ? 1 : 0);
  keys_ = sampler_keys(options.seed, options.epoch);
}

void Sampler::draw(uint64_t position, std::span<uint64_t> out) const {
  options_.replace ? draw_independent(position, out) : draw_order(position, out);
}

void Sampler::draw_order(uint64_t position, std::span<uint64_t> out) const {
  if (position > size_ || out.size() > size_ - position) {
    fail(ErrorKind::Argument, "", "sampler: expected positions below ", size_, ", got ", out.size(),
         " from position ", position);
  }
  const Order order{keys_, last_digit_, rows_};
  for (size_t done = 0; done < out.size(); done += kBlock) {
    const uint64_t first = options_.rank + options_.world_size * (position + done);
    dispatch<DrawBlock>(&order, first, options_.world_size, &out[done],
                        std::min(kBlock, out.size() - done));
  }
}

void Sampler::draw_independent(uint64_t position, std::span<uint64_t> out) const {
  __extension__ using Product = unsigned __int128;
  for (size_t i = 0; i < out.size(); ++i) {
    const uint64_t whole_position = options_.rank + options_.world_size * (position + i);
    uint64_t state = mix_hash(whole_position + keys_[0]) + keys_[1];
    Product product = Product{mix_hash(state)} * rows_;
    // Rejects 2^64 mod rows draws, which would favour some rows; the division is rarely reached.
    while (static_cast<uint64_t>(product) < rows_ &&
           static_cast<uint64_t>(product) < (uint64_t{0} - rows_) % rows_) {
      state += kGolden;
      product = Product{mix_hash(state)} * rows_;
    }
    out[i] = static_cast<uint64_t>(product >> 64);
  }
}

}  // namespace heron::inline v0

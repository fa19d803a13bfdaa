#include "generate/letters.h"

#include <array>
#include <cstring>

#include "base/arena.h"

namespace heron::generate {
namespace {

constexpr uint64_t kMinLetters = 4;
constexpr uint64_t kMaxLetters = 12;

// Extracts numbers from one draw, like digits: each multiplication lifts the next above the lower
// 54 bits.
class Digits {
 public:
  explicit Digits(uint64_t draw) noexcept : rest_(draw >> (64 - kBits)) {}
  // Uniform as long as the bounds' product is small against 2^54; each bound is at most 1,024.
  uint64_t next(uint64_t bound) noexcept {
    const uint64_t product = rest_ * bound;
    rest_ = product & ((uint64_t{1} << kBits) - 1);
    return product >> kBits;
  }

 private:
  static constexpr int kBits = 54;
  uint64_t rest_;
};

constexpr uint64_t kPairs = 26 * 26;

// All pairs of letters, "aa" to "zz".
constexpr auto kLetterPairs = [] {
  std::array<std::array<char, 2>, kPairs> pairs{};
  for (uint64_t i = 0; i < kPairs; ++i) {
    pairs[i] = {static_cast<char>('a' + i / 26), static_cast<char>('a' + i % 26)};
  }
  return pairs;
}();

void put_pairs(Digits& digits, char* into) {
  for (int pair = 0; pair < 3; ++pair)
    std::memcpy(into + 2 * pair, &kLetterPairs[digits.next(kPairs)], 2);
}

}  // namespace

// Writes each text at the maximum length; the next text overwrites its excess.
void fill_letters(const Draws& first, const Draws& second, uint64_t row, Values& values,
                  Arena& arena) {
  static_assert(kMaxLetters <= Arena::kSlack);
  auto* offsets = arena.allocate_array<int32_t>(values.rows + 1);
  char* characters = arena.allocate_array<char>(values.rows * kMaxLetters);
  int32_t end = 0;
  offsets[0] = 0;
  for (uint64_t i = 0; i < values.rows; ++i) {
    Digits head(first[row + i]), tail(second[row + i]);
    put_pairs(head, characters + end);
    put_pairs(tail, characters + end + 6);
    end += static_cast<int32_t>(kMinLetters + tail.next(kMaxLetters - kMinLetters + 1));
    offsets[i + 1] = end;
  }
  values.offsets = {reinterpret_cast<const std::byte*>(offsets),
                    (values.rows + 1) * sizeof(int32_t)};
  values.data = {reinterpret_cast<const std::byte*>(characters), static_cast<uint64_t>(end)};
}

}  // namespace heron::generate

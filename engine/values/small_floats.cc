// Halves go through the F16C instructions of x86-64-v3, and elsewhere through integer operations
// without branches, which compilers turn into vector instructions. Floats of 8 bits go through
// tables.
#include "values/small_floats.h"

#include <array>
#include <bit>

#include "base/cpu.h"
#include "values/cells.h"
#if defined(HERON_X86_64_V3)
#include <immintrin.h>
#endif

namespace heron::inline v0 {
namespace {

constexpr uint32_t kQuiet = 0x0040'0000;  // the bit of a float32 that makes a NaN quiet

// Moves exponent and fraction up and rebiases the exponent. A subnormal half gets the exponent 1
// and so 2^-14 too much, which the subtraction, which is exact, removes.
constexpr float widen_half(uint16_t half) noexcept {
  constexpr uint32_t kExponent = 0x0F80'0000;  // of a half, moved up
  constexpr uint32_t kRebias = (127 - 15) << 23;
  constexpr uint32_t kOne = 1 << 23;  // an exponent of 1
  const uint32_t sign = uint32_t{half & 0x8000u} << 16;
  const uint32_t moved = uint32_t{half & 0x7FFFu} << 13;
  const uint32_t special = moved >= kExponent ? kRebias : 0;
  const uint32_t quiet = moved > kExponent ? kQuiet : 0;
  const uint32_t subnormal = moved < kOne ? kOne : 0;
  const uint32_t too_much = moved < kOne ? kRebias + kOne : 0;
  const float value = std::bit_cast<float>((moved + kRebias + special + subnormal) | quiet) -
                      std::bit_cast<float>(too_much);
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) | sign);
}

constexpr float widen_bfloat16(uint16_t cell) noexcept {
  const uint32_t quiet = (cell & 0x7FFFu) > 0x7F80u ? kQuiet : 0;
  return std::bit_cast<float>(uint32_t{cell} << 16 | quiet);
}

constexpr float widen_e4m3(uint8_t cell) noexcept {
  const uint32_t sign = uint32_t{cell & 0x80u} << 24;
  const uint32_t magnitude = cell & 0x7Fu;
  if (magnitude == 0x7F) return std::bit_cast<float>(sign | 0x7F80'0000u | kQuiet);
  const float value = magnitude < 8
                          ? static_cast<float>(magnitude) * 0x1p-9f
                          : std::bit_cast<float>((magnitude << 20) + (uint32_t{127 - 7} << 23));
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) | sign);
}

constexpr float widen_e5m2(uint8_t cell) noexcept {
  return widen_half(static_cast<uint16_t>(cell << 8));
}

// Keeps the leading bits of the fraction and rounds by those that it drops. Exponent and fraction
// are one number, in which a carry of the fraction raises the exponent.
template <unsigned kExponentBits, unsigned kFractionBits>
uint16_t narrow(double value) noexcept {
  constexpr unsigned kDoubleFraction = 52;
  constexpr int kDoubleBias = 1023, kMinExponent = 2 - (1 << (kExponentBits - 1));
  constexpr uint64_t kInfinity = ((uint64_t{1} << kExponentBits) - 1) << kFractionBits;
  const auto bits = std::bit_cast<uint64_t>(value);
  const uint64_t sign = bits >> 63 << (kExponentBits + kFractionBits);
  if (value != value) {
    return static_cast<uint16_t>(sign | kInfinity | uint64_t{1} << (kFractionBits - 1));
  }
  const auto stored = static_cast<int>(bits >> kDoubleFraction & 0x7FF);
  const uint64_t one = uint64_t{1} << kDoubleFraction;
  const uint64_t significand = (bits & (one - 1)) | (stored == 0 ? 0 : one);
  const int exponent = (stored == 0 ? 1 : stored) - kDoubleBias;
  const int above = exponent > kMinExponent ? exponent - kMinExponent : 0;
  const int below = exponent < kMinExponent ? kMinExponent - exponent : 0;
  const unsigned dropped = kDoubleFraction - kFractionBits + static_cast<unsigned>(below);
  if (dropped > kDoubleFraction + 1) return static_cast<uint16_t>(sign);  // less than half a step
  const uint64_t half = uint64_t{1} << (dropped - 1);
  const uint64_t rest = significand & (2 * half - 1);
  uint64_t kept = significand >> dropped;
  if (rest > half || (rest == half && kept % 2 != 0)) ++kept;
  const uint64_t magnitude = (static_cast<uint64_t>(above) << kFractionBits) + kept;
  return static_cast<uint16_t>(sign | (magnitude < kInfinity ? magnitude : kInfinity));
}

// Returns the floats of all cells of a byte.
template <float (*kWiden)(uint8_t)>
const std::array<float, 256>& table_of() noexcept {
  static const std::array<float, 256> all = [] {
    std::array<float, 256> table{};
    for (unsigned i = 0; i < table.size(); ++i) table[i] = kWiden(static_cast<uint8_t>(i));
    return table;
  }();
  return all;
}

template <float (*kWiden)(uint16_t)>
struct WidenPairs {
  HERON_INLINE static void run(const std::byte* cells, uint64_t count, float* to) {
    for (uint64_t i = 0; i < count; ++i) to[i] = kWiden(load_cell<uint16_t>(cells, i));
  }
};

#if defined(HERON_X86_64_V3)
HERON_X86_64_V3 void widen_halves(const std::byte* cells, uint64_t count, float* to) {
  uint64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const auto* eight = reinterpret_cast<const __m128i*>(cells + i * sizeof(uint16_t));
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(eight)));
  }
  for (; i < count; ++i) to[i] = widen_half(load_cell<uint16_t>(cells, i));
}
#endif

void widen_bytes(const std::array<float, 256>& table, const std::byte* cells, uint64_t count,
                 float* to) {
  for (uint64_t i = 0; i < count; ++i) to[i] = table[std::to_integer<uint8_t>(cells[i])];
}

}  // namespace

void widen_floats(SmallFloat kind, const std::byte* cells, uint64_t count, float* to) noexcept {
  switch (kind) {
    case SmallFloat::Half:
#if defined(HERON_X86_64_V3)
      if (has_x86_64_v3()) return widen_halves(cells, count, to);
#endif
      return WidenPairs<widen_half>::run(cells, count, to);
    case SmallFloat::BFloat16: return dispatch<WidenPairs<widen_bfloat16>>(cells, count, to);
    case SmallFloat::Float8E4M3: return widen_bytes(table_of<widen_e4m3>(), cells, count, to);
    case SmallFloat::Float8E5M2: return widen_bytes(table_of<widen_e5m2>(), cells, count, to);
  }
}

uint16_t narrow_float(SmallFloat kind, double value) noexcept {
  return kind == SmallFloat::Half ? narrow<5, 10>(value) : narrow<8, 7>(value);
}

}  // namespace heron::inline v0

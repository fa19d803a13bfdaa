// Square tiles of vectors, as many rows as a vector holds cells. Interleaving vector i with vector
// i + half, for every i, once per bit of the number of cells, turns rows into columns. The last
// tile of a row ends with the row; a row shorter than a vector is read beyond its end. Compiled for
// AVX2 it was no faster, so there is one kernel for all CPUs.
#include "rows/transpose.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/cpu.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kVectorBytes = 16;
static_assert(kVectorBytes <= kTransposeSlack);

template <class Cell>
class Transpose {
 public:
  static void run(const std::byte* rows, uint64_t stride, uint64_t count,
                  std::span<std::byte* const> columns, uint64_t first) {
    const uint64_t lanes = std::min<uint64_t>(kCells, columns.size());
    for (uint64_t c = 0; c < columns.size(); c += lanes) {
      const uint64_t left = std::min(c, columns.size() - lanes);
      const std::byte* cells = rows + left * sizeof(Cell);
      std::byte* to[kCells] = {};  // a local copy, so that no written cell can alias it
      for (uint64_t i = 0; i < lanes; ++i) to[i] = columns[left + i] + first * sizeof(Cell);
      if (lanes == kCells) {
        run_tiles(cells, stride, count, to, std::integral_constant<uint64_t, kCells>());
      } else {
        run_tiles(cells, stride, count, to, lanes);
      }
    }
  }

 private:
  typedef Cell Vector __attribute__((vector_size(kVectorBytes)));
  static constexpr uint64_t kCells = kVectorBytes / sizeof(Cell);

  // Transposes a column of tiles; writes only `lanes` columns.
  template <class Lanes>
  HERON_INLINE static void run_tiles(const std::byte* rows, uint64_t stride, uint64_t count,
                                     std::byte* const* to, Lanes lanes) {
    uint64_t row = 0;
    for (; row + kCells <= count; row += kCells) {
      one_tile(rows + row * stride, stride, to, lanes, row * sizeof(Cell));
    }
    if (row == count) return;
    std::byte rest[kCells * kVectorBytes] = {};
    for (uint64_t i = row; i < count; ++i) {
      std::memcpy(rest + (i - row) * kVectorBytes, rows + i * stride, kVectorBytes);
    }
    one_tile(rest, kVectorBytes, to, lanes, row * sizeof(Cell));
  }

  template <class Lanes>
  HERON_INLINE static void one_tile(const std::byte* rows, uint64_t stride, std::byte* const* to,
                                    Lanes lanes, uint64_t at) {
    Vector tile[kCells];
    for (uint64_t i = 0; i < kCells; ++i) std::memcpy(&tile[i], rows + i * stride, kVectorBytes);
    for (uint64_t round = 1; round < kCells; round *= 2) {
      Vector next[kCells];
      for (uint64_t i = 0; i < kCells / 2; ++i) {
        constexpr std::make_index_sequence<kCells> kAll;
        next[2 * i] = interleave<0>(tile[i], tile[i + kCells / 2], kAll);
        next[2 * i + 1] = interleave<kCells / 2>(tile[i], tile[i + kCells / 2], kAll);
      }
      std::copy_n(next, kCells, tile);
    }
    for (uint64_t i = 0; i < lanes; ++i) std::memcpy(to[i] + at, &tile[i], kVectorBytes);
  }

  // a[first] b[first] a[first + 1] b[first + 1] ..
  template <size_t kFirst, size_t... kLane>
  HERON_INLINE static Vector interleave(Vector a, Vector b, std::index_sequence<kLane...>) {
    return __builtin_shufflevector(a, b, (kFirst + kLane / 2 + kLane % 2 * kCells)...);
  }
};

}  // namespace

void transpose(const std::byte* rows, uint64_t stride, uint64_t count, uint32_t width,
               std::span<std::byte* const> columns, uint64_t first) {
  switch (width) {
    case 1: return Transpose<uint8_t>::run(rows, stride, count, columns, first);
    case 2: return Transpose<uint16_t>::run(rows, stride, count, columns, first);
    case 4: return Transpose<uint32_t>::run(rows, stride, count, columns, first);
    default: return Transpose<uint64_t>::run(rows, stride, count, columns, first);
  }
}

}  // namespace heron::inline v0

#include "generate/peers.h"

#include <array>
#include <cstring>

#include "generate/columns.h"
#include "generate/normal.h"

namespace heron::generate {
namespace {

enum Column : uint64_t { kId, kTs, kF0, kF1, kF2, kF3, kD0, kD1, kFlag, kS, kColumns };
constexpr uint64_t kSecondTextDraw = kColumns;

constexpr uint64_t kMostStep = 4;  // of id
constexpr uint64_t kMostRows = INT32_MAX / kMostStep;

constexpr uint64_t kLeastLetters = 4;
constexpr uint64_t kMostLetters = 12;

Schema peers_schema() {
  Schema schema;
  auto add = [&](const char* name, Type type) { add_column(schema, name, std::move(type)); };
  add("id", Type::Int32);
  add("ts", Type::Int64);
  for (const char* name : {"f0", "f1", "f2", "f3"}) add(name, Type::Float32);
  for (const char* name : {"d0", "d1"}) add(name, Type::Float64);
  add("flag", Type::Bool);
  add("s", Type::Text);
  return schema;
}

// Takes numbers out of one draw, like digits: each multiplication lifts the next above the lower 54
// bits.
class Digits {
 public:
  explicit Digits(uint64_t draw) noexcept : rest_(draw >> (64 - kBits)) {}
  // Even as long as the bounds' product is small against 2^54; each at most 1,024.
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

// "aa" to "zz".
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

Peers::Peers(uint64_t seed) : Preset(seed, peers_schema(), kMostRows) {}

void Peers::fill_columns(std::span<Values> columns, Arena& arena) {
  fill_id(columns[kId], arena);
  fill_ts(columns[kTs], arena);
  for (uint64_t i = kF0; i <= kF3; ++i) {
    fill_normals(draws(i), row(), make_cells<float>(columns[i], arena));
  }
  for (uint64_t i = kD0; i <= kD1; ++i) {
    fill_normals(draws(i), row(), make_cells<double>(columns[i], arena));
  }
  fill_flag(kFlag, columns[kFlag], arena);
  fill_text(kS, columns[kS], arena);
}

void Peers::fill_id(Values& values, Arena& arena) {
  const auto cells = make_cells<int32_t>(values, arena);
  const Draws steps = draws(kId);
  for (uint64_t i = 0; i < values.rows; ++i) {
    id_ += 1 + static_cast<int32_t>(Draws::below(kMostStep, steps[row() + i]));
    cells[i] = id_;
  }
}

void Peers::fill_ts(Values& values, Arena& arena) {
  const auto cells = make_cells<int64_t>(values, arena);
  const Draws steps = draws(kTs);
  for (uint64_t i = 0; i < values.rows; ++i) {
    ts_ += static_cast<int64_t>(Draws::below(2000, steps[row() + i]));
    cells[i] = ts_;
  }
}

void Peers::fill_flag(uint64_t column, Values& values, Arena& arena) const {
  const uint64_t bytes = (values.rows + 7) / 8;
  auto* bits = arena.allocate_array<uint8_t>(bytes);
  std::memset(bits, 0, bytes);
  const Draws flags = draws(column);
  for (uint64_t i = 0; i < values.rows; ++i) {
    const bool flag = Draws::below(10, flags[row() + i]) < 3;
    bits[i / 8] = static_cast<uint8_t>(bits[i / 8] | (flag << (i % 8)));
  }
  values.data = {reinterpret_cast<const std::byte*>(bits), bytes};
}

// Each text is written at its full length and cut by where the next one starts.
void Peers::fill_text(uint64_t column, Values& values, Arena& arena) const {
  static_assert(kMostLetters <= Arena::kSlack);
  auto* offsets = arena.allocate_array<int32_t>(values.rows + 1);
  char* characters = arena.allocate_array<char>(values.rows * kMostLetters);
  const Draws first = draws(column), second = draws(kSecondTextDraw);
  int32_t end = 0;
  offsets[0] = 0;
  for (uint64_t i = 0; i < values.rows; ++i) {
    Digits head(first[row() + i]), tail(second[row() + i]);
    put_pairs(head, characters + end);
    put_pairs(tail, characters + end + 6);
    end += static_cast<int32_t>(kLeastLetters + tail.next(kMostLetters - kLeastLetters + 1));
    offsets[i + 1] = end;
  }
  values.offsets = {reinterpret_cast<const std::byte*>(offsets),
                    (values.rows + 1) * sizeof(int32_t)};
  values.data = {reinterpret_cast<const std::byte*>(characters), static_cast<uint64_t>(end)};
}

}  // namespace heron::generate

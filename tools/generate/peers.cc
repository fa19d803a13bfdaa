#include "generate/peers.h"

#include <cstring>

#include "generate/columns.h"
#include "generate/letters.h"
#include "generate/normal.h"

namespace heron::generate {
namespace {

enum PeersColumn : uint64_t { kId, kTs, kF0, kF1, kF2, kF3, kD0, kD1, kFlag, kS, kColumns };
constexpr uint64_t kSecondTextDraw = kColumns;

constexpr uint64_t kMaxStep = 4;  // largest step of id
constexpr uint64_t kMaxPeersRows = INT32_MAX / kMaxStep;

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

}  // namespace

Peers::Peers(uint64_t seed) : Preset(seed, peers_schema(), kMaxPeersRows) {}

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
  fill_letters(draws(kS), draws(kSecondTextDraw), row(), columns[kS], arena);
}

void Peers::fill_id(Values& values, Arena& arena) {
  const auto cells = make_cells<int32_t>(values, arena);
  const Draws steps = draws(kId);
  for (uint64_t i = 0; i < values.rows; ++i) {
    id_ += 1 + static_cast<int32_t>(Draws::below(kMaxStep, steps[row() + i]));
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

}  // namespace heron::generate

#include "generate/blocks.h"

#include "base/fail.h"
#include "generate/columns.h"
#include "generate/letters.h"
#include "generate/normal.h"
#include "heron/error.h"

namespace heron::generate {
namespace {

constexpr uint64_t kNumbers = 10;

Schema blocks_schema() {
  Schema schema;
  for (uint64_t i = 0; i < kNumbers; ++i) add_column(schema, concat('f', i), Type::Float32);
  add_column(schema, "s", Type::Text);
  return schema;
}

}  // namespace

Blocks::Blocks(uint64_t seed) : Preset(seed, blocks_schema()) {}

void Blocks::fill_columns(std::span<Values> columns, Arena& arena) {
  for (uint64_t i = 0; i < kNumbers; ++i) {
    fill_normals(draws(i), row(), make_cells<float>(columns[i], arena));
  }
  fill_letters(draws(kNumbers), draws(kNumbers + 1), row(), columns[kNumbers], arena);
}

}  // namespace heron::generate

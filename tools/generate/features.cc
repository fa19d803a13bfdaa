#include "generate/features.h"

#include "base/fail.h"
#include "generate/columns.h"
#include "generate/normal.h"
#include "heron/error.h"

namespace heron::generate {
namespace {

Schema features_schema(uint64_t columns) {
  Schema schema;
  for (uint64_t i = 0; i < columns; ++i) add_column(schema, concat('c', i), Type::Float32);
  return schema;
}

}  // namespace

Features::Features(uint64_t seed, uint64_t columns) : Preset(seed, features_schema(columns)) {}

void Features::fill_columns(std::span<Values> columns, Arena& arena) {
  for (uint64_t i = 0; i < columns.size(); ++i) {
    fill_normals(draws(i), row(), make_cells<float>(columns[i], arena));
  }
}

}  // namespace heron::generate

#include "generate/preset.h"

#include "base/arena.h"
#include "base/fail.h"
#include "generate/blocks.h"
#include "generate/features.h"
#include "generate/peers.h"
#include "generate/ranking.h"
#include "heron/error.h"

namespace heron::generate {

void Preset::fill(uint64_t rows, RowBatch& batch) {
  if (rows > max_rows_ - row_) {
    fail(ErrorKind::Limit, {}, "the preset has at most ", max_rows_, " rows");
  }
  if (batch.memory == nullptr || batch.memory.use_count() > 1) {
    batch.memory = std::make_shared<Arena>();
  } else {
    batch.memory->reset();
  }
  batch.schema = schema_;
  batch.rows = rows;
  batch.source = nullptr;
  batch.columns.clear();
  for (const Field& field : *schema_) batch.columns.emplace_back(field.type, rows);
  fill_columns(batch.columns, *batch.memory);
  row_ += rows;
}

std::unique_ptr<Preset> make_preset(std::string_view name, uint64_t seed,
                                    std::optional<uint64_t> features) {
  if (features && (name == "peers" || name == "blocks")) {
    fail(ErrorKind::Argument, {}, "the preset \"", name, "\" has its own columns");
  }
  if (name == "peers") return std::make_unique<Peers>(seed);
  if (name == "blocks") return std::make_unique<Blocks>(seed);
  if (name == "features") return std::make_unique<Features>(seed, features.value_or(20));
  if (name == "ranking") return std::make_unique<Ranking>(seed, features.value_or(50));
  fail(ErrorKind::Argument, {}, "no preset \"", name, "\"; there are: ", kPresets);
}

}  // namespace heron::generate

#include "peers_file.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/fail.h"
#include "cache/block_column.h"
#include "columns/column.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

constexpr Type::Id kTypes[kColumns] = {Type::Int32,   Type::Int64,   Type::Float32, Type::Float32,
                                       Type::Float32, Type::Float32, Type::Float64, Type::Float64,
                                       Type::Bool,    Type::Text};

// Returns the cells of a column in a record batch.
FlatCells flat_cells(const Projection& all, uint64_t i, uint64_t batch) {
  using Kind = FlatCells::Kind;
  const Column& column = *internals(all).columns()[i];
  std::optional<FlatCells> flat = column.flat();
  if (const BlockColumn* blocks = column.blocks()) {
    flat = blocks->pin(batch, BlockUse::Scan, Context())->flat;
  }
  const bool is_kind = flat && (i == kText   ? flat->kind == Kind::Text && flat->cell_bytes == 4
                                : i == kFlag ? flat->kind == Kind::Bytes || flat->kind == Kind::Bits
                                             : flat->kind == Kind::Fixed);
  if (!column.type().is(kTypes[i]) || !is_kind || flat->cells.data() == nullptr) {
    fail(ErrorKind::Argument, bytes_of(*all.table()).name(), "column ", i, ": expected ",
         Type(kTypes[i]).name(), " as the peers' files store it, got ", column.type().name(),
         " stored as ", column.encoding());
  }
  return *flat;
}

ColumnOffsets offsets_of(const Projection& all, uint64_t batch, uint64_t rows) {
  const auto cells = [&](uint64_t i) { return flat_cells(all, i, batch).cells.offset; };
  return {.rows = rows,
          .id = cells(kId),
          .ts = cells(kTs),
          .f = {cells(kF0), cells(kF0 + 1), cells(kF0 + 2), cells(kF0 + 3)},
          .d = {cells(kD0), cells(kD0 + 1)},
          .flag = cells(kFlag),
          .text_offsets = cells(kText),
          .characters = flat_cells(all, kText, batch).characters.offset,
          .flag_bits = flat_cells(all, kFlag, batch).kind == FlatCells::Kind::Bits};
}

// Returns the offsets of the columns in each record batch.
std::vector<ColumnOffsets> offsets_of(const Projection& all) {
  if (all.size() != kColumns) {
    fail(ErrorKind::Argument, bytes_of(*all.table()).name(), "expected ", kColumns,
         " columns, got ", all.size());
  }
  const uint64_t rows = all.table()->rows();
  const BlockColumn* blocks = internals(all).columns()[kId]->blocks();
  const uint64_t of_batch = blocks == nullptr ? rows : blocks->block_rows();
  std::vector<ColumnOffsets> offsets;
  for (uint64_t first = 0; first < rows; first += of_batch) {
    offsets.push_back(offsets_of(all, first / of_batch, std::min(of_batch, rows - first)));
  }
  return offsets;
}

Batches batches_of(const PlainMap& map, std::span<const ColumnOffsets> offsets,
                   const std::string& path) {
  Batches batches;
  if (offsets.size() > 1) {
    if (!std::has_single_bit(offsets[0].rows)) {
      fail(ErrorKind::Argument, path, "expected record batches of a power of two rows, got ",
           offsets[0].rows);
    }
    batches.shift = static_cast<unsigned>(std::countr_zero(offsets[0].rows));
  }
  for (const ColumnOffsets& batch : offsets) {
    batches.batches.emplace_back(map, batch);
    batches.rows += batch.rows;
  }
  return batches;
}

}  // namespace

PeersFile::PeersFile(std::string file_path, const OpenOptions& open_options)
    : MeasuredFile(std::move(file_path), open_options),
      offsets(offsets_of(all)),
      batches(batches_of(map, offsets, path)) {}

}  // namespace heron::bench

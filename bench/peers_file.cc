#include "peers_file.h"

#include <utility>

#include "base/fail.h"
#include "columns/column.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

constexpr Type::Id kTypes[kColumns] = {Type::Int32,   Type::Int64,   Type::Float32, Type::Float32,
                                       Type::Float32, Type::Float32, Type::Float64, Type::Float64,
                                       Type::Bool,    Type::Text};

FlatCells flat_cells(const Projection& all, uint64_t i) {
  using Kind = FlatCells::Kind;
  const Kind expected = i == kText ? Kind::Text : i == kFlag ? Kind::Bytes : Kind::Fixed;
  const Column& column = *internals(all).columns()[i];
  const auto flat = column.flat();
  if (!column.type().is(kTypes[i]) || !flat || flat->kind != expected ||
      (i == kText && flat->cell_bytes != 4)) {
    fail(ErrorKind::Argument, bytes_of(*all.table()).name(), "column ", i, ": expected ",
         Type(kTypes[i]).name(), " as the peers' files store it, got ", column.type().name(),
         " stored as ", column.encoding());
  }
  return *flat;
}

ColumnOffsets offsets_of(const Projection& all) {
  if (all.size() != kColumns) {
    fail(ErrorKind::Argument, bytes_of(*all.table()).name(), "expected ", kColumns,
         " columns, got ", all.size());
  }
  const auto cells = [&all](uint64_t i) { return flat_cells(all, i).cells.offset; };
  return {.id = cells(kId),
          .ts = cells(kTs),
          .f = {cells(kF0), cells(kF0 + 1), cells(kF0 + 2), cells(kF0 + 3)},
          .d = {cells(kD0), cells(kD0 + 1)},
          .flag = cells(kFlag),
          .text_offsets = cells(kText),
          .characters = flat_cells(all, kText).characters.offset};
}

}  // namespace

PeersFile::PeersFile(std::string file_path, const OpenOptions& open_options)
    : MeasuredFile(std::move(file_path), open_options),
      offsets(offsets_of(all)),
      columns(map, offsets, rows) {}

}  // namespace heron::bench

#include "peers_file.h"

#include <numeric>
#include <utility>
#include <vector>

#include "columns/column.h"

namespace heron::bench {
namespace {

constexpr Type::Id kTypes[kColumns] = {Type::Int32,   Type::Int64,   Type::Float32, Type::Float32,
                                       Type::Float32, Type::Float32, Type::Float64, Type::Float64,
                                       Type::Bool,    Type::Text};

FlatCells flat_cells(const Projection& all, uint64_t i) {
  using Kind = FlatCells::Kind;
  const Kind expected = i == kText ? Kind::Text : i == kFlag ? Kind::Bytes : Kind::Fixed;
  const Column& column = *all.columns()[i];
  const auto flat = column.flat();
  if (!column.type().is(kTypes[i]) || !flat || flat->kind != expected ||
      (i == kText && flat->cell_bytes != 4)) {
    fail(ErrorKind::Argument, all.table()->bytes()->name(), "column ", i, ": expected ",
         Type(kTypes[i]).name(), " as the peers' files store it, got ", column.type().name(),
         " stored as ", column.encoding());
  }
  return *flat;
}

Places places_of(const Projection& all) {
  if (all.size() != kColumns || all.table()->rows() == 0) {
    fail(ErrorKind::Argument, all.table()->bytes()->name(), "expected rows of ", kColumns,
         " columns, got ", all.table()->rows(), " of ", all.size());
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

void touch_pages(const std::byte* base, uint64_t bytes) {
  constexpr uint64_t kPage = 4096;
  if (base == nullptr) return;
  for (uint64_t at = 0; at < bytes; at += kPage) {
    const std::byte first = base[at];
    keep(first);
  }
}

}  // namespace

PeersFile::PeersFile(std::string file_path, const OpenOptions& open_options)
    : path(std::move(file_path)),
      options(open_options),
      dataset(open(path, options)),
      all(dataset->table()),
      rows(all.table()->rows()),
      places(places_of(all)),
      map(path),
      columns(map, places, rows) {
  touch_pages(map.base(), map.bytes());
  touch_pages(dataset->bytes()->base(), dataset->bytes()->size());
}

Projection columns_between(const PeersFile& file, uint64_t first, uint64_t last) {
  std::vector<uint64_t> numbers(last - first);
  std::iota(numbers.begin(), numbers.end(), first);
  return Projection(file.dataset->table(), numbers);
}

}  // namespace heron::bench

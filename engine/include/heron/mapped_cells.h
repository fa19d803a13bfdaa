// The cells of a column as they lie in a mapped file, for programs that read them in place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "heron/export.h"
#include "heron/schema.h"
#include "heron/table.h"

namespace heron::inline v0 {

class ByteSource;

// Row r has `width` bytes at cells + r * stride.
struct MappedCells {
  const std::byte* cells = nullptr;
  uint64_t rows = 0;
  uint64_t stride = 0;      // bytes; not always a multiple of the width
  uint32_t width = 0;       // bytes of a cell
  bool big_endian = false;  // byte order of cells of more than a byte
  bool byte_bools = false;  // a bool is a byte, which is not 0 for true
  NullEncoding nulls = NullEncoding::Never;
  const std::byte* validity = nullptr;       // a bitmap, if `nulls` says so: a clear bit is null
  std::shared_ptr<const ByteSource> source;  // keeps the file mapped
};

// Returns the cells of the column with that number: bools, integers, floats, dates, times and
// durations at a constant stride. nullopt for other columns and for files that are not mapped. They
// read as zeros once the file was cut short, and as new bytes once it was overwritten: see
// Table::check_unchanged(). Throws Error(Argument) if there is no such column, and what opening it
// throws. Costs no reading.
HERON_EXPORT std::optional<MappedCells> mapped_cells(const std::shared_ptr<const Table>& table,
                                                     uint64_t column);

}  // namespace heron::inline v0

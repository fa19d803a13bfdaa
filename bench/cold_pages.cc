#include "cold_pages.h"

#include <algorithm>

#include "measure/cold_file.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

void make_unique(std::vector<uint64_t>& pages) {
  std::sort(pages.begin(), pages.end());
  pages.erase(std::unique(pages.begin(), pages.end()), pages.end());
}

}  // namespace

std::vector<uint64_t> pages_of_matrix(uint64_t file_bytes, const Table& table,
                                      std::span<const uint64_t> rows) {
  const uint64_t row_bytes = file_bytes / table.rows();  // a header has fewer bytes than rows
  const uint64_t start = file_bytes - table.rows() * row_bytes;
  std::vector<uint64_t> pages;
  for (const uint64_t row : rows) {
    const uint64_t first = start + row * row_bytes;
    for (uint64_t page = first / kPageBytes; page <= (first + row_bytes - 1) / kPageBytes; ++page) {
      pages.push_back(page);
    }
  }
  make_unique(pages);
  return pages;
}

std::vector<uint64_t> pages_of(const Projection& columns, std::span<const uint64_t> rows) {
  std::vector<uint64_t> pages;
  const auto add = [&](const ByteView& view, uint64_t at, uint64_t bytes) {
    const uint64_t first = (view.offset + at) / kPageBytes,
                   last = (view.offset + at + bytes - 1) / kPageBytes;
    for (uint64_t page = first; page <= last; ++page) pages.push_back(page);
  };
  for (const Column* column : internals(columns).columns()) {
    const auto flat = column->flat();
    for (const uint64_t row : rows) {
      if (flat->kind == FlatCells::Kind::Bits) {
        add(flat->cells, row / 8, 1);
        continue;
      }
      const bool is_text = flat->kind == FlatCells::Kind::Text;
      add(flat->cells, row * flat->stride, flat->cell_bytes * (is_text ? 2 : 1));
      if (!is_text) continue;
      uint32_t extent[2];
      flat->cells.read(row * sizeof(uint32_t), std::as_writable_bytes(std::span(extent)), {});
      const uint32_t start = extent[0] & INT32_MAX, end = extent[1] & INT32_MAX;
      if (end > start) add(flat->characters, start, end - start);
    }
  }
  make_unique(pages);
  return pages;
}

std::vector<ByteRange> ranges_of(const Table& table, std::span<const char* const> names) {
  std::vector<ByteRange> ranges;
  for (const char* name : names) {
    const auto flat = internals(table).column(*table.find_column(name)).flat();
    ranges.push_back({flat->cells.offset, flat->cells.bytes});
  }
  return ranges;
}

}  // namespace heron::bench

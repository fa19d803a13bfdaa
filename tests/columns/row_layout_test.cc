// Rows are packed and split into columns: every width, shape, order and end of memory.
#include "columns/row_layout.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "bytes/memory_source.h"
#include "kit/guarded_bytes.h"
#include "kit/made_table.h"
#include "rows/transpose.h"

namespace heron {
namespace {

using Bytes = std::vector<std::byte>;
using Indices = std::vector<uint64_t>;

Bytes random_cells(uint64_t count) {
  std::mt19937 random(5);
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

TEST(RowLayoutTranspose, PutsEveryCellInItsColumn) {
  for (const uint32_t width : {1u, 2u, 4u, 8u}) {
    for (const uint64_t columns : {1, 2, 3, 4, 5, 8, 15, 16, 17, 33}) {
      for (const uint64_t count : {0, 1, 3, 16, 17, 35}) {
        const uint64_t stride = columns * width + 3, first = 2;
        const Bytes rows = random_cells(count * stride + kTransposeSlack);
        std::vector<Bytes> to(columns, Bytes((first + count) * width + kTransposeSlack));
        std::vector<std::byte*> starts;
        for (Bytes& column : to) starts.push_back(column.data());
        transpose(rows.data(), stride, count, width, starts, first);
        for (uint64_t r = 0; r < count; ++r) {
          for (uint64_t c = 0; c < columns; ++c) {
            ASSERT_EQ(
                0, std::memcmp(&rows[r * stride + c * width], &to[c][(first + r) * width], width))
                << width << ' ' << columns << ' ' << r << ' ' << c;
          }
        }
      }
    }
  }
}

TEST(RowLayoutTranspose, StaysInsideItsSlack) {
  constexpr uint64_t kCount = 7, kColumns = 3;
  for (const uint32_t width : {1u, 2u, 4u, 8u}) {
    const uint64_t stride = kColumns * width;
    GuardedBytes in(1000), out(1000);
    const auto rows =
        in.hold(random_cells((kCount - 1) * stride + std::max(stride, kTransposeSlack)));
    const auto last = out.hold(Bytes(kCount * width + kTransposeSlack));
    Bytes a(1000), b(1000);
    const std::vector<std::byte*> to = {a.data(), b.data(), last.data()};
    transpose(rows.data(), stride, kCount, width, to);
    EXPECT_EQ(0, std::memcmp(&rows[6 * stride + 2 * width], &last[6 * width], width));
  }
}

// A layout that ends where memory ends.
struct Guarded {
  Guarded(Type type, uint64_t rows, uint64_t columns, std::endian order)
      : bytes(random_cells(rows * columns * (type.is(Type::Bool) ? 1 : type.width()))),
        memory(bytes.size()),
        source("made.file", memory.hold(bytes)),
        layout{type, {&source, 0, bytes.size()}, rows == 0 ? 0 : bytes.size() / rows, order} {}
  Bytes bytes;
  GuardedBytes memory;
  MemorySource source;
  RowLayout layout;
};

// Returns the cell of that row and column in its packed form.
Bytes cell_of(const Guarded& made, uint64_t row, uint64_t column) {
  const uint32_t width = made.layout.width();
  const auto from = made.bytes.begin() +
                    static_cast<std::ptrdiff_t>(row * made.layout.row_bytes + column * width);
  Bytes cell(from, from + width);
  if (made.layout.order != std::endian::native) std::reverse(cell.begin(), cell.end());
  return cell;
}

TEST(RowLayoutReader, PacksTheRequestedColumnsAndNothingBehindThem) {
  constexpr uint64_t kRows = 100, kColumns = 9;
  const Indices rows = {99, 0, 98, 98, 1, 99};
  for (const Type::Id type : {Type::UInt8, Type::Int16, Type::Float32, Type::Float64}) {
    for (const std::endian order : {std::endian::little, std::endian::big}) {
      const Guarded made(type, kRows, kColumns, order);
      for (const Indices& columns : {Indices{0, 1, 2, 3, 4, 5, 6, 7, 8}, Indices{7, 8}, Indices{8},
                                     Indices{2, 3, 4, 5, 6}, Indices{8, 0, 8}}) {
        Arena arena;
        const Context context;
        const RowReader reader(made.layout, columns, arena, context);
        GuardedBytes memory(rows.size() * reader.row_bytes());
        const auto to = memory.hold(Bytes(rows.size() * reader.row_bytes()));
        const auto expect_row = [&](uint64_t at, uint64_t row) {
          for (uint64_t i = 0; i < columns.size(); ++i) {
            const Bytes cell = cell_of(made, row, columns[i]);
            ASSERT_EQ(0, std::memcmp(&to[at * reader.row_bytes() + i * cell.size()], cell.data(),
                                     cell.size()));
          }
        };
        reader.pack(rows, {0, rows.size()}, to.data());
        for (uint64_t i = 0; i < rows.size(); ++i) expect_row(i, rows[i]);
        reader.pack({kRows - rows.size(), kRows}, to.data());
        for (uint64_t i = 0; i < rows.size(); ++i) expect_row(i, kRows - rows.size() + i);
      }
    }
  }
}

TEST(RowLayoutReader, LeavesRowsThatNeedNoPackingInPlaceUnlessTheyEndTooEarly) {
  const Guarded made(Type::UInt16, 100, 3, std::endian::native);
  const Indices columns = {0, 1, 2};
  Arena arena;
  const Context context;
  const RowReader reader(made.layout, columns, arena, context);
  Bytes room(10 * reader.row_bytes() + kTransposeSlack);
  EXPECT_EQ(reader.fetch({10, 20}, room.data()).cells, made.source.base() + 10 * 6);
  EXPECT_EQ(reader.fetch({90, 98}, room.data()).cells, made.source.base() + 90 * 6);
  EXPECT_EQ(reader.fetch({90, 99}, room.data()).cells, room.data());
}

}  // namespace
}  // namespace heron

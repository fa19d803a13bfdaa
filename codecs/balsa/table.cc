#include "balsa/tables.h"
#include "columns/fixed_column.h"

namespace heron::inline v0::balsa {
namespace {

class Cells final : public TableSource {
 public:
  Cells(const ByteSource& bytes, std::endian order, const CellTable& table)
      : bytes_(bytes), order_(order), table_(table) {}

  uint64_t column_count() const noexcept override { return table_.columns; }
  std::string stored_name(uint64_t) const override { return {}; }

  ColumnPtr open_column(uint64_t column, const std::string& name) const override {
    const Scalar& scalar = *table_.scalar;
    const uint64_t before = column * scalar.bytes;
    FixedCells cells;
    if (table_.rows != 0) {
      cells.cells = {&bytes_, table_.cells + before, table_.rows * table_.row_bytes() - before};
    } else {
      cells.cells = {&bytes_, table_.cells, 0};
    }
    cells.stride = table_.row_bytes();
    cells.order = order_;
    return std::make_unique<FixedColumn>(scalar.type, table_.rows,
                                         ColumnLabel{name, std::string(scalar.id)}, cells);
  }

  std::optional<RowLayout> row_layout() const noexcept override {
    if (table_.columns == 0) return std::nullopt;
    return RowLayout{table_.scalar->type,
                     {&bytes_, table_.cells, table_.rows * table_.row_bytes()},
                     table_.row_bytes(),
                     order_};
  }

 private:
  const ByteSource& bytes_;
  std::endian order_;
  CellTable table_;
};

}  // namespace

std::unique_ptr<const TableSource> cell_table(const ByteSource& bytes, std::endian order,
                                              const CellTable& table) {
  return std::make_unique<const Cells>(bytes, order, table);
}

}  // namespace heron::inline v0::balsa

#include "files/bytes_table.h"

#include "columns/fixed_column.h"
#include "format/table_source.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace {

class BytesTable final : public TableSource {
 public:
  BytesTable(const ByteSource& bytes, uint64_t block_rows)
      : bytes_(bytes), block_rows_(block_rows) {}

  uint64_t column_count() const noexcept override { return 1; }
  std::string stored_name(uint64_t) const override { return "byte"; }
  ColumnPtr open_column(uint64_t, const std::string& name) const override {
    return std::make_unique<FixedColumn>(Type::UInt8, bytes_.size(), ColumnLabel{name, "bytes"},
                                         FixedCells{.cells = {&bytes_, 0, bytes_.size()}});
  }
  uint64_t block_rows() const noexcept override { return block_rows_; }

 private:
  const ByteSource& bytes_;
  const uint64_t block_rows_;
};

}  // namespace

std::shared_ptr<const File> open_as_bytes(std::shared_ptr<const ByteSource> bytes,
                                             uint64_t block_rows) {
  FileContents parts;
  parts.format = "bytes";
  parts.tables.push_back(std::make_shared<const Table>(TableContents{
      "bytes", bytes->size(), bytes, std::make_unique<const BytesTable>(*bytes, block_rows)}));
  parts.bytes = std::move(bytes);
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace heron::inline v0

// Collects cells row by row in a buffer of about 1 MiB and writes it when it is full. The header
// has a fixed size and is written last, when the number of rows is known.
#include <algorithm>
#include <vector>

#include "balsa/balsa.h"
#include "balsa/heads.h"
#include "balsa/layout.h"
#include "balsa/options.h"
#include "balsa/rows.h"
#include "base/fail.h"
#include "bytes/output_file.h"
#include "format/check_supported.h"
#include "format/checked_writer.h"

namespace heron::inline v0::balsa {
namespace {

constexpr uint64_t kPieceBytes = uint64_t{1} << 20;
constexpr Type::Id kTypeWithoutColumns = Type::UInt8;  // as in the library's own 0 x 0 tables

// Returns the scalar of all columns.
const Scalar& common_scalar(const Schema& schema) {
  return *find_scalar(schema.empty() ? kTypeWithoutColumns : schema.front().type.id());
}

void check_count(const std::string& path, uint64_t count, const char* what) {
  if (count > UINT32_MAX) {
    fail(ErrorKind::Limit, path, "a Balsa table has at most ", UINT32_MAX, ' ', what, ", got ",
         count);
  }
}

// Returns the bytes before a table's cells. Their number does not depend on the counts.
std::string head(const Scalar& scalar, std::endian order, uint32_t rows, uint32_t columns) {
  return file_head(order) + table_head(scalar, order, rows, columns);
}

class BalsaWriter final : public CheckedWriter {
 public:
  BalsaWriter(const std::string& path, const SharedSchema& schema, const WriteOptions& options,
              const Context& context, const Scalar& scalar)
      : CheckedWriter(schema, options, context),
        scalar_(scalar),
        order_(byte_order(options)),
        lay_rows_(row_layer(scalar, order_)),
        row_bytes_(schema->size() * scalar.bytes),
        file_(path, existing_if(options.replace)),
        end_(head(scalar, order_, 0, 0).size()),
        piece_(std::max(kPieceBytes, row_bytes_)) {}

  uint64_t bytes_written() const override { return end_; }

 private:
  OutputFile& file() noexcept override { return file_; }
  void append(const RowBatch& batch) override;
  void finish() override;
  void check_all_there(const RowBatch& batch);
  void write_piece();

  const Scalar scalar_;
  const std::endian order_;
  const LayRows lay_rows_;
  const uint64_t row_bytes_;
  OutputFile file_;
  uint64_t end_;  // end of the written bytes in the file; the header's bytes are left free
  std::vector<std::byte> piece_;
  uint64_t piece_rows_ = 0;  // rows in the buffer
};

void BalsaWriter::check_all_there(const RowBatch& batch) {
  for (uint64_t i = 0; i < batch.columns.size(); ++i) {
    const Values& values = batch.columns[i];
    if (values.null_count == 0) continue;
    uint64_t row = 0;
    while (!values.is_null(row)) ++row;
    fail(ErrorKind::Argument, path(), "column \"", schema()[i].name, "\": the value of row ",
         rows() + row, " is null, and Balsa has no nulls");
  }
}

void BalsaWriter::append(const RowBatch& batch) {
  check_count(path(), rows() + batch.rows, "rows");
  check_all_there(batch);
  if (row_bytes_ == 0) return;
  const uint64_t most_rows = piece_.size() / row_bytes_;
  for (uint64_t done = 0; done < batch.rows;) {
    const uint64_t some = std::min(batch.rows - done, most_rows - piece_rows_);
    lay_rows_(batch.columns, done, some, piece_.data() + piece_rows_ * row_bytes_);
    done += some;
    piece_rows_ += some;
    if (piece_rows_ == most_rows) write_piece();
  }
}

void BalsaWriter::write_piece() {
  const auto cells = std::span(piece_).first(piece_rows_ * row_bytes_);
  file_.write_at(end_, cells);
  end_ += cells.size();
  piece_rows_ = 0;
}

void BalsaWriter::finish() {
  write_piece();
  const auto columns = static_cast<uint32_t>(schema().size());
  const uint32_t kept_rows = columns == 0 ? 0 : static_cast<uint32_t>(rows());
  const std::string front = head(scalar_, order_, kept_rows, columns);
  file_.write_at(0, std::as_bytes(std::span(front)));
  file_.write_at(end_, std::as_bytes(std::span(kTableEnd)));
  end_ += kTableEnd.size();
}

}  // namespace

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context) {
  check_supported(path, "Balsa", kWriteSupport, *schema);
  if (number_option(options.format_options, kClassCount) ||
      number_option(options.format_options, kFeatureCount)) {
    fail(ErrorKind::Argument, path, "class and feature counts are for a forest, not for a table");
  }
  check_count(path, schema->size(), "columns");
  if (options.rows != WriteOptions::kUnknownRows) check_count(path, options.rows, "rows");
  return std::make_unique<BalsaWriter>(path, schema, options, context, common_scalar(*schema));
}

}  // namespace heron::inline v0::balsa

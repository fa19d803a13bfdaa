// Rows as one row-major matrix in NumPy's form, version 1.0: a header that says type and shape,
// padded to 64 bytes, then the cells.
#include <limits>
#include <vector>

#include "heron/error.h"
#include "output/row_writer.h"

namespace heron::cli {
namespace {

std::string header(std::string_view type, uint64_t rows, uint64_t columns) {
  std::string text = concat("{'descr': '", type, "', 'fortran_order': False, 'shape': (", rows,
                            ", ", columns, "), }");
  constexpr size_t kPreamble = 10, kAlignment = 64;
  text.append(kAlignment - 1 - (kPreamble + text.size()) % kAlignment, ' ');
  text += '\n';
  std::string preamble("\x93NUMPY\x01\x00", 8);
  preamble += static_cast<char>(text.size() % 256);
  preamble += static_cast<char>(text.size() / 256);
  return preamble + text;
}

void check_numeric(const Schema& schema) {
  for (const Field& field : schema) {
    if (field.type.is_integer() || field.type.is_float() || field.type.is(Type::Bool)) continue;
    fail(ErrorKind::Argument, {}, "-o npy takes numbers and bool, but \"", field.name, "\" is ",
         field.type.name(), "; -c names the columns that are wanted");
  }
}

bool get_bool(const Values& values, uint64_t row) noexcept {
  return values.get_bool(row);
}

template <class Stored>
Stored get(const Values& values, uint64_t row) noexcept {
  return values.get<Stored>(row);
}

template <class T>
class NpyRows final : public RowWriter {
 public:
  NpyRows(Sink& sink, uint64_t columns, uint64_t rows)
      : sink_(sink), columns_(columns), rows_left_(rows), rows_(rows) {}

  void write(const RowBatch& batch) override {
    write_header();
    if (batch.rows > rows_left_) fail_row_count();
    rows_left_ -= batch.rows;
    cells_.resize(batch.rows * columns_);
    for (uint64_t i = 0; i < columns_; ++i) fill_column(batch.columns[i], i);
    sink_.append({reinterpret_cast<const char*>(cells_.data()), cells_.size() * sizeof(T)});
  }

  void finish() override {
    write_header();
    if (rows_left_ != 0) fail_row_count();
  }

 private:
  void write_header() {
    if (!header_written_) sink_.append(header(sizeof(T) == 4 ? "<f4" : "<f8", rows_, columns_));
    header_written_ = true;
  }

  void fail_row_count() const {
    fail(ErrorKind::Argument, {}, "the header says ", rows_, " rows, but others came");
  }

  void fill_column(const Values& values, uint64_t i) {
    switch (values.type.id()) {
      case Type::Id::Bool: return fill(values, i, get_bool);
      case Type::Id::Int8: return fill_from<int8_t>(values, i);
      case Type::Id::Int16: return fill_from<int16_t>(values, i);
      case Type::Id::Int32: return fill_from<int32_t>(values, i);
      case Type::Id::Int64: return fill_from<int64_t>(values, i);
      case Type::Id::UInt8: return fill_from<uint8_t>(values, i);
      case Type::Id::UInt16: return fill_from<uint16_t>(values, i);
      case Type::Id::UInt32: return fill_from<uint32_t>(values, i);
      case Type::Id::UInt64: return fill_from<uint64_t>(values, i);
      case Type::Id::Float32: return fill_from<float>(values, i);
      default:  // check_numeric() has left only this
        return fill_from<double>(values, i);
    }
  }

  template <class Stored>
  void fill_from(const Values& values, uint64_t i) {
    fill(values, i, get<Stored>);
  }

  template <class Get>
  void fill(const Values& values, uint64_t i, Get get_cell) {
    T* out = cells_.data() + i;
    for (uint64_t row = 0; row < values.rows; ++row, out += columns_) {
      *out = values.is_missing(row) ? std::numeric_limits<T>::quiet_NaN()
                                    : static_cast<T>(get_cell(values, row));
    }
  }

  Sink& sink_;
  uint64_t columns_;
  uint64_t rows_left_;
  uint64_t rows_;
  bool header_written_ = false;
  std::vector<T> cells_;
};

}  // namespace

std::unique_ptr<RowWriter> make_npy_rows(Sink& sink, const Schema& schema, bool float64,
                                         uint64_t rows) {
  check_numeric(schema);
  if (float64) return std::make_unique<NpyRows<double>>(sink, schema.size(), rows);
  return std::make_unique<NpyRows<float>>(sink, schema.size(), rows);
}

}  // namespace heron::cli

// Rows as one row-major matrix in NumPy's form, version 1.0: a header that says type and shape,
// padded to 64 bytes, then the cells. A vector's slots are as many columns; what is not stored is 0,
// of keys NaN.
#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "heron/error.h"
#include "output/row_writer.h"
#include "output/slots.h"

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

bool is_number(const Type& type) noexcept {
  return type.is_integer() || type.is_float() || type.is(Type::Bool) || type.is(Type::Key);
}

// How many columns of the matrix a column is.
uint64_t width(const Field& field) {
  const Type& type = field.type;
  const bool is_vector = type.is(Type::Vector) && type.size() > 0;
  if (!is_number(is_vector ? type.item() : type)) {
    fail(ErrorKind::Argument, {},
         "-o npy takes numbers, bool, keys and vectors of them that all have one length, but \"",
         field.name, "\" is ", type.name(), "; -c names the columns that are wanted");
  }
  if (is_vector && type.size() > kMostSlots) {
    fail(ErrorKind::Limit, {}, "-o npy takes vectors of up to ", kMostSlots, " slots, but \"",
         field.name, "\" is ", type.name(), "; -c names the columns that are wanted");
  }
  return is_vector ? type.size() : 1;
}

// Calls use(cell), where cell(i) is cell i of the values as a T, NaN if it is missing.
template <class T, class Stored, class Use>
void use_cells_of(const Values& values, Use use) {
  use([&values](uint64_t i) {
    if (values.is_missing(i)) return std::numeric_limits<T>::quiet_NaN();
    if constexpr (std::is_same_v<Stored, bool>)
      return static_cast<T>(values.get_bool(i));
    else
      return static_cast<T>(values.get<Stored>(i));
  });
}

template <class T, class Use>
void use_cells(const Values& values, Use use) {
  switch (values.type.is(Type::Key) ? values.type.item().id() : values.type.id()) {
    case Type::Bool: return use_cells_of<T, bool>(values, use);
    case Type::Int8: return use_cells_of<T, int8_t>(values, use);
    case Type::Int16: return use_cells_of<T, int16_t>(values, use);
    case Type::Int32: return use_cells_of<T, int32_t>(values, use);
    case Type::Int64: return use_cells_of<T, int64_t>(values, use);
    case Type::UInt8: return use_cells_of<T, uint8_t>(values, use);
    case Type::UInt16: return use_cells_of<T, uint16_t>(values, use);
    case Type::UInt32: return use_cells_of<T, uint32_t>(values, use);
    case Type::UInt64: return use_cells_of<T, uint64_t>(values, use);
    case Type::Float32: return use_cells_of<T, float>(values, use);
    default:  // width() has left only this
      return use_cells_of<T, double>(values, use);
  }
}

template <class T>
class NpyRows final : public RowWriter {
 public:
  NpyRows(Sink& sink, const Schema& schema, uint64_t rows)
      : sink_(sink), rows_left_(rows), rows_(rows) {
    for (const Field& field : schema) {
      columns_.push_back(width_);
      width_ += width(field);
    }
  }

  void write(const RowBatch& batch) override {
    write_header();
    if (batch.rows > rows_left_) fail_row_count();
    rows_left_ -= batch.rows;
    cells_.resize(batch.rows * width_);
    for (uint64_t i = 0; i < columns_.size(); ++i) fill(batch.columns[i], columns_[i]);
    sink_.append({reinterpret_cast<const char*>(cells_.data()), cells_.size() * sizeof(T)});
  }

  void finish() override {
    write_header();
    if (rows_left_ != 0) fail_row_count();
  }

 private:
  void write_header() {
    if (!header_written_) sink_.append(header(sizeof(T) == 4 ? "<f4" : "<f8", rows_, width_));
    header_written_ = true;
  }

  void fail_row_count() const {
    fail(ErrorKind::Argument, {}, "the header says ", rows_, " rows, but others came");
  }

  void fill(const Values& values, uint64_t column) {
    T* out = cells_.data() + column;
    if (values.type.is(Type::Vector)) return fill_slots(values, out);
    use_cells<T>(values, [&](auto cell) {
      for (uint64_t row = 0; row < values.rows; ++row) out[row * width_] = cell(row);
    });
  }

  void fill_slots(const Values& vector, T* out) {
    const Values& items = vector.children[0].children[0];
    const T unstored = items.type.is(Type::Key) ? std::numeric_limits<T>::quiet_NaN() : T{0};
    use_cells<T>(items, [&](auto cell) {
      for (uint64_t row = 0; row < vector.rows; ++row) {
        const Slots slots(vector, row);
        std::fill_n(out + row * width_, slots.length, unstored);
        for (uint64_t i = 0; i < slots.stored; ++i) {
          out[row * width_ + slots.slot(i)] = cell(slots.first + i);
        }
      }
    });
  }

  Sink& sink_;
  std::vector<uint64_t> columns_;  // the first of the matrix' columns that each one is
  uint64_t width_ = 0;
  uint64_t rows_left_;
  uint64_t rows_;
  bool header_written_ = false;
  std::vector<T> cells_;
};

}  // namespace

std::unique_ptr<RowWriter> make_npy_rows(Sink& sink, const Schema& schema, bool float64,
                                         uint64_t rows) {
  if (float64) return std::make_unique<NpyRows<double>>(sink, schema, rows);
  return std::make_unique<NpyRows<float>>(sink, schema, rows);
}

}  // namespace heron::cli

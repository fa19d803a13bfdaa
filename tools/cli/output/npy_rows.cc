// Writes rows as one row-major matrix in NumPy's format, version 1.0: a header with type and shape,
// padded to 64 bytes, then the cells. Each slot of a vector is a column; slots that are not stored
// are 0, of keys NaN. Numbers that change in the conversion are counted.
#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/fail.h"
#include "heron/error.h"
#include "heron/text.h"
#include "output/row_writer.h"
#include "values/slots.h"

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

// Returns how many columns of the matrix a column takes.
uint64_t width(const Field& field) {
  const Type& type = field.type;
  const bool is_vector = type.is(Type::Vector) && type.size() > 0;
  if (!is_number(is_vector ? type.item() : type)) {
    fail(ErrorKind::Argument, {},
         "-o npy takes numbers, bool, keys and vectors of them that all have one length, but \"",
         field.name, "\" is ", type.name(), "; -c names the requested columns");
  }
  if (is_vector && type.size() > ColumnText::kMaxSlots) {
    fail(ErrorKind::Limit, {}, "-o npy takes vectors of up to ", ColumnText::kMaxSlots,
         " slots, but \"", field.name, "\" is ", type.name(),
         "; -c names the requested columns");
  }
  return is_vector ? type.size() : 1;
}

// Returns whether a T differs from the stored number that it was converted from. NaN stays NaN.
template <class T, class Stored>
bool is_changed(Stored stored) noexcept {
  constexpr int kDigits = std::numeric_limits<T>::digits;
  if constexpr (std::is_integral_v<Stored>) {
    if constexpr (std::numeric_limits<Stored>::digits <= kDigits) {
      return false;
    } else {
      // Exact if the bits from the first to the last set one fit; no integer overflows T.
      const auto bits = static_cast<uint64_t>(stored);
      const uint64_t magnitude = stored < 0 ? 0 - bits : bits;
      return magnitude != 0 && std::bit_width(magnitude) - std::countr_zero(magnitude) > kDigits;
    }
  } else {
    return static_cast<Stored>(static_cast<T>(stored)) != stored && stored == stored;
  }
}

// Calls use(cell), where cell(i, changed) is cell i of the values as a T, NaN if it is null; sets
// `changed` if the number changed.
template <class T, class Stored, class Use>
void use_cells_of(const Values& values, Use use) {
  use([&values](uint64_t i, [[maybe_unused]] bool& changed) {
    if (values.is_null(i)) return std::numeric_limits<T>::quiet_NaN();
    if constexpr (std::is_same_v<Stored, bool>) {
      return static_cast<T>(values.get_bool(i));
    } else {
      changed |= is_changed<T>(values.get<Stored>(i));
      return static_cast<T>(values.get<Stored>(i));
    }
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
    default:  // the only type left by width()
      return use_cells_of<T, double>(values, use);
  }
}

// The first value that changed: its row, column and new value.
struct FirstChange {
  uint64_t row = UINT64_MAX;  // row of the matrix
  std::string column, from, to;
};

template <class T>
class NpyRows final : public RowWriter {
 public:
  NpyRows(TextSink& sink, const Schema& schema, NpyForm form, uint64_t rows)
      : sink_(sink), form_(std::move(form)), rows_(rows) {
    for (const Field& field : schema) {
      columns_.push_back({field.name, width_});
      width_ += width(field);
    }
  }

  void write(const RowBatch& batch) override {
    if (batch.rows > rows_ - done_) fail_row_count();
    cells_.resize(batch.rows * width_);
    for (uint64_t i = 0; i < columns_.size(); ++i) fill(batch.columns[i], columns_[i]);
    if (form_.exact && changed_ != 0) fail(ErrorKind::Limit, {}, said_of_changes());
    done_ += batch.rows;
    write_header();
    sink_.append({reinterpret_cast<const char*>(cells_.data()), cells_.size() * sizeof(T)});
  }

  void finish() override {
    write_header();
    if (done_ != rows_) fail_row_count();
    if (changed_ != 0 && form_.note) form_.note(said_of_changes());
  }

 private:
  struct Column {
    std::string name;
    uint64_t index;  // index of its first column in the matrix
  };
  static constexpr bool kIsFloat = sizeof(T) == sizeof(float);

  void write_header() {
    if (!header_written_) sink_.append(header(kIsFloat ? "<f4" : "<f8", rows_, width_));
    header_written_ = true;
  }

  void fail_row_count() const {
    fail(ErrorKind::Argument, {}, "the number of rows differs from that of the header, ", rows_);
  }

  void fill(const Values& values, const Column& column) {
    T* out = cells_.data() + column.index;
    if (values.type.is(Type::Vector)) return fill_slots(values, column, out);
    use_cells<T>(values, [&](auto cell) {
      for (uint64_t row = 0; row < values.rows; ++row) {
        bool changed = false;
        out[row * width_] = cell(row, changed);
        if (changed) [[unlikely]]
          add_change(column, row, values, row, out[row * width_]);
      }
    });
  }

  void fill_slots(const Values& vector, const Column& column, T* out) {
    const Values& items = vector.children[0].children[0];
    const T unstored = items.type.is(Type::Key) ? std::numeric_limits<T>::quiet_NaN() : T{0};
    use_cells<T>(items, [&](auto cell) {
      for (uint64_t row = 0; row < vector.rows; ++row) {
        const Slots slots(vector, row);
        std::fill_n(out + row * width_, slots.length, unstored);
        for (uint64_t i = 0; i < slots.stored; ++i) {
          bool changed = false;
          T& made = out[row * width_ + slots.slot(i)] = cell(slots.first + i, changed);
          if (changed) [[unlikely]]
            add_change(column, row, items, slots.first + i, made);
        }
      }
    });
  }

  void add_change(const Column& column, uint64_t row, const Values& values, uint64_t i, T made) {
    ++changed_;
    if (done_ + row >= first_.row) return;
    StringSink from, to;
    ColumnText(values, {.raw = true}).append_plain(from, i);
    append_number(to, made, false);
    first_ = {done_ + row, column.name, std::string(from.text()), std::string(to.text())};
  }

  std::string said_of_changes() const {
    const std::string_view type = kIsFloat ? "float32" : "float64";
    const std::string_view wider = kIsFloat ? "--dtype float64 keeps more" : "";
    const std::string first = concat("row ", first_.row, ", \"", first_.column, "\": ", first_.from,
                                     " becomes ", first_.to);
    if (form_.exact) {
      return concat("values change as ", type, ", which --exact refuses: ", first,
                    kIsFloat ? "; " : "", wider);
    }
    return concat(changed_, changed_ == 1 ? " value changes" : " values change", " as ", type,
                  ", first in ", first, kIsFloat ? "; " : "", wider);
  }

  TextSink& sink_;
  NpyForm form_;
  std::vector<Column> columns_;
  uint64_t width_ = 0;
  uint64_t rows_;
  uint64_t done_ = 0;
  bool header_written_ = false;
  std::vector<T> cells_;
  uint64_t changed_ = 0;
  FirstChange first_;
};

}  // namespace

std::unique_ptr<RowWriter> make_npy_rows(TextSink& sink, const Schema& schema, NpyForm form,
                                         uint64_t rows) {
  if (form.float64) return std::make_unique<NpyRows<double>>(sink, schema, std::move(form), rows);
  return std::make_unique<NpyRows<float>>(sink, schema, std::move(form), rows);
}

}  // namespace heron::cli

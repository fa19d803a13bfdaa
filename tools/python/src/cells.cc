// Exports values in memory by NumPy's array interface: NumPy need not be installed, and arrays keep
// the owner alive.
#include "base/fail.h"
#include "common.h"
#include "values/times.h"

namespace heron::python {
namespace {

struct Cells {
  std::shared_ptr<const void> owner;
  const void* data = nullptr;
  uint64_t rows = 0;
  uint64_t stride = 0;
  std::string type;   // "<f4"
  std::optional<uint64_t> columns = {};  // columns of a matrix, which is writable
};

nb::dict array_interface(const Cells& cells) {
  static const double nothing = 0;
  const void* data = cells.data == nullptr ? &nothing : cells.data;
  nb::dict all;
  all["version"] = 3;
  all["typestr"] = cells.type;
  all["data"] = nb::make_tuple(reinterpret_cast<uintptr_t>(data), !cells.columns);
  if (cells.columns) {
    all["shape"] = nb::make_tuple(cells.rows, *cells.columns);
  } else {
    all["shape"] = nb::make_tuple(cells.rows);
    all["strides"] = nb::make_tuple(cells.stride);
  }
  return all;
}

// Returns NumPy's name of cells of that type, in that byte order; empty if NumPy has no equal type.
std::string type_name(const Type& type, bool big_endian) {
  const char order = big_endian ? '>' : '<';
  switch (type.id()) {
    case Type::Int8: return "|i1";
    case Type::UInt8: return "|u1";
    case Type::Timestamp: return concat(order, "M8[", unit_name(type.unit()), ']');
    case Type::Bool: return "|u1";
    case Type::Date32: return concat(order, "i4");
    case Type::Duration:
      if (type.unit() != Type::Tick) return concat(order, "m8[", unit_name(type.unit()), ']');
      return concat(order, "i8");
    case Type::Time: return concat(order, "m8[ns]");
    case Type::DateTime: return concat(order, "i8");
    case Type::Key: return type_name(type.item(), big_endian);
    default: break;
  }
  if (type.is_integer()) {
    return concat(order, type.id() >= Type::UInt8 ? 'u' : 'i', type.width());
  }
  if (type.is_float()) return concat(order, 'f', type.width());
  if (type.is(Type::RowId)) return "|V16";
  return {};
}

const char* name_of(NullEncoding nulls) {
  switch (nulls) {
    case NullEncoding::Never: return "never";
    case NullEncoding::Sentinel: return "sentinel";
    case NullEncoding::Zero: return "zero";
    case NullEncoding::NaN: return "nan";
    default: return "bitmap";
  }
}

}  // namespace

nb::object numbers_object(std::vector<uint64_t> numbers, bool is_unsigned) {
  auto held = std::make_shared<std::vector<uint64_t>>(std::move(numbers));
  return numbers_object(held, *held, is_unsigned);
}

nb::object numbers_object(std::shared_ptr<const void> owner, std::span<const uint64_t> numbers,
                          bool is_unsigned) {
  return nb::cast(Cells{std::move(owner), numbers.data(), numbers.size(), sizeof(uint64_t),
                        is_unsigned ? "<u8" : "<i8"});
}

namespace {

template <class T>
nb::object matrix_of(std::shared_ptr<const void> owner, std::span<T> elements, uint64_t rows) {
  return nb::cast(Cells{std::move(owner), elements.data(), rows, sizeof(T),
                        sizeof(T) == 4 ? "<f4" : "<f8",
                        rows == 0 ? 0 : elements.size() / rows});
}

}  // namespace

nb::object matrix_object(std::shared_ptr<const void> owner, std::span<float> elements,
                         uint64_t rows) {
  return matrix_of(std::move(owner), elements, rows);
}
nb::object matrix_object(std::shared_ptr<const void> owner, std::span<double> elements,
                         uint64_t rows) {
  return matrix_of(std::move(owner), elements, rows);
}

// Returns (cells, validity or None) of a column of fixed width; None for other columns.
nb::object values_cells(const RowBatch& batch, uint64_t column) {
  const Values& values = batch.columns.at(column);
  const std::string type = type_name(values.type, false);
  if (type.empty()) return nb::none();
  auto owner = std::make_shared<RowBatch>(batch);
  nb::object validity = nb::none();
  const uint64_t bitmap_bytes = (values.rows + 7) / 8;
  if (values.null_count != 0 && values.validity.data != nullptr) {
    validity = nb::cast(Cells{owner, values.validity.data, bitmap_bytes, 1, "|u1"});
  }
  Cells cells{owner, values.data.data, values.rows, values.type.width(), type};
  if (values.type.is(Type::Bool)) cells = {owner, values.data.data, bitmap_bytes, 1, "|u1"};
  return nb::make_tuple(nb::cast(std::move(cells)), validity);
}

// Returns (cells, how nulls are encoded) of a column in a mapped file.
std::optional<nb::object> mapped_cells_object(const std::shared_ptr<const Table>& table,
                                              uint64_t column) {
  const std::optional<MappedCells> stored = mapped_cells(table, column);
  if (!stored || stored->validity != nullptr) return std::nullopt;
  const Type type = table->field_without_metadata(column).type;
  const std::string name = type_name(type, stored->big_endian);
  if (name.empty()) return std::nullopt;
  struct Owner {
    std::shared_ptr<const Table> table;
    std::shared_ptr<const ByteSource> source;
  };
  auto owner = std::make_shared<Owner>(Owner{table, stored->source});
  return nb::make_tuple(
      nb::cast(Cells{owner, stored->cells, stored->rows, stored->stride, name}),
      name_of(stored->nulls));
}

void bind_cells(nb::module_& module) {
  nb::class_<Cells>(module, "Cells", "Memory that numpy.asarray() shows without a copy.")
      .def_prop_ro("__array_interface__", array_interface)
      .def("__len__", [](const Cells& cells) { return cells.rows; })
      .def("to_list", [](const Cells& cells) {
        const bool is_unsigned = cells.type == "<u8";
        if (!is_unsigned && cells.type != "<i8") {
          throw nb::type_error("only row numbers become a list");
        }
        nb::list all;
        const auto* numbers = static_cast<const uint64_t*>(cells.data);
        for (uint64_t i = 0; i < cells.rows; ++i) {
          if (is_unsigned) {
            all.append(numbers[i]);
          } else {
            all.append(static_cast<int64_t>(numbers[i]));
          }
        }
        return all;
      });
}

}  // namespace heron::python

// Reads single rows as Python objects: a RowView for columns of cells, one take() for the other
// columns.
#include "common.h"

namespace heron::python {

struct RowReader::Cell {
  enum class From : uint8_t { View, Key, Other };
  From from = From::View;
  Type type;
  Type::Id stored = Type::Null;  // the type of a key's numbers
  uint64_t index = 0;            // index in the view, or among the other columns
  const Values* key_values = nullptr;
  std::vector<nb::object> shown_keys;  // made when first needed
};

namespace {

constexpr uint64_t kMaxKeptKeys = 65'536;

bool in_view(const Type& type) {
  return !type.is_nested() && !type.is(Type::RowId) && !type.is(Type::DateTimeOffset) &&
         !type.is(Type::Null);
}

// A cell as read from the view. All cells of a row are read before the first object is made: the
// processor waits for their memory once, not cell by cell.
struct Loaded {
  union {
    int64_t integer;
    uint64_t natural;
    double real;
    struct {
      const char* data;
      size_t bytes;
    } text;
    struct {
      uint64_t low;
      int64_t high;
    } wide;
  };
  bool valid;
};
constexpr uint64_t kLoadedAtOnce = 64;

template <class T>
void load_as(const RowView& view, uint64_t i, Loaded& out) {
  const std::optional<T> value = view.get<T>(i);
  out.valid = value.has_value();
  if constexpr (std::is_floating_point_v<T>) {
    out.real = static_cast<double>(value.value_or(0));
  } else if constexpr (std::is_unsigned_v<T>) {
    out.natural = value.value_or(0);
  } else {
    out.integer = value.value_or(0);
  }
}

void load_text(const RowView& view, uint64_t i, Loaded& out) {
  const std::optional<std::string_view> value = view.text(i);
  out.valid = value.has_value();
  if (!value) return;
  out.text = {value->data(), value->size()};
  __builtin_prefetch(value->data());
}

void load(const RowView& view, Type::Id stored, uint64_t i, Loaded& out) {
  switch (stored) {
    case Type::Bool: return load_as<bool>(view, i, out);
    case Type::Int8: return load_as<int8_t>(view, i, out);
    case Type::Int16: return load_as<int16_t>(view, i, out);
    case Type::Date32:
    case Type::Int32: return load_as<int32_t>(view, i, out);
    case Type::UInt8: return load_as<uint8_t>(view, i, out);
    case Type::UInt16: return load_as<uint16_t>(view, i, out);
    case Type::UInt32: return load_as<uint32_t>(view, i, out);
    case Type::UInt64: return load_as<uint64_t>(view, i, out);
    case Type::Float32: return load_as<float>(view, i, out);
    case Type::Float64: return load_as<double>(view, i, out);
    case Type::Text:
    case Type::LargeText:
    case Type::Binary:
    case Type::LargeBinary: return load_text(view, i, out);
    case Type::Decimal: {
      const auto units = view.get<WideInteger>(i);
      out.valid = units.has_value();
      if (units) out.wide = {units->low, units->high};
      return;
    }
    default: return load_as<int64_t>(view, i, out);
  }
}

PyObject* text(std::string_view stored) {
  const auto bytes = static_cast<Py_ssize_t>(stored.size());
  if (PyObject* made = PyUnicode_DecodeUTF8(stored.data(), bytes, nullptr)) return made;
  PyErr_Clear();
  return text_object(stored).release().ptr();
}

PyObject* object(const Loaded& cell, const Type& type) {
  if (!cell.valid) Py_RETURN_NONE;
  switch (type.id()) {
    case Type::Bool: return PyBool_FromLong(cell.natural != 0);
    case Type::Int8:
    case Type::Int16:
    case Type::Int32:
    case Type::Int64: return PyLong_FromLongLong(cell.integer);
    case Type::UInt8:
    case Type::UInt16:
    case Type::UInt32:
    case Type::UInt64: return PyLong_FromUnsignedLongLong(cell.natural);
    case Type::Float32:
    case Type::Float64: return PyFloat_FromDouble(cell.real);
    case Type::Text:
    case Type::LargeText: return text({cell.text.data, cell.text.bytes});
    case Type::Binary:
    case Type::LargeBinary:
      return PyBytes_FromStringAndSize(cell.text.data, static_cast<Py_ssize_t>(cell.text.bytes));
    case Type::Decimal: return decimal_object({cell.wide.low, cell.wide.high}, type).release().ptr();
    default: return integer_time(type, cell.integer).release().ptr();
  }
}

}  // namespace

RowReader::RowReader(Projection columns) : columns_(std::move(columns)) {
  std::vector<uint64_t> viewed, others;
  const Schema& schema = *columns_.schema();
  bool keys = false;
  for (uint64_t i = 0; i < schema.size(); ++i) {
    const Type& type = schema[i].type;
    Cell cell;
    cell.type = type;
    cell.stored = type.is(Type::Key) ? type.item().id() : type.id();
    const bool viewable = in_view(type) && schema[i].readable;
    if (!viewable) cell.from = Cell::From::Other;
    if (viewable && type.is(Type::Key)) cell.from = Cell::From::Key;
    keys |= cell.from == Cell::From::Key;
    auto& list = viewable ? viewed : others;
    cell.index = list.size();
    if (viewable && type.has_bytes()) a_text_ = cell.index;
    list.push_back(columns_.indices()[i]);
    cells_.push_back(std::move(cell));
    names_.push_back(nb::steal(PyUnicode_InternFromString(schema[i].name.c_str())));
    if (!names_.back().is_valid()) {
      PyErr_Clear();
      names_.back() = text_object(schema[i].name);
    }
  }
  for (const nb::object& name : names_) empty_row_[name] = nb::none();
  const nb::gil_scoped_release release;
  if (!viewed.empty()) view_.emplace(Projection(columns_.table(), viewed));
  if (!others.empty()) others_.emplace(columns_.table(), others);
  slow_ = (view_ && !view_->is_direct()) || others_;
  if (!keys) return;
  key_values_ = heron::read(Projection(columns_.table(), viewed),
                            {0, std::min<uint64_t>(columns_.table()->rows(),
                                                   1)});  // a row shows whether keys have values
  for (Cell& cell : cells_) {
    if (cell.from != Cell::From::Key) continue;
    const Values& sample = key_values_.columns[cell.index];
    if (!sample.children.empty()) cell.key_values = &sample.children[0];
  }
}

RowReader::~RowReader() = default;

PyObject* RowReader::key_value(const Cell& cell, uint64_t stored) {
  if (cell.key_values == nullptr) return PyLong_FromUnsignedLongLong(stored);
  auto& shown = const_cast<std::vector<nb::object>&>(cell.shown_keys);
  if (stored > cell.key_values->rows) return PyLong_FromUnsignedLongLong(stored);
  if (stored > kMaxKeptKeys) {
    return value_object(*cell.key_values, stored - 1).release().ptr();
  }
  if (shown.size() < stored) shown.resize(stored);
  nb::object& known = shown[stored - 1];
  if (!known.is_valid()) known = value_object(*cell.key_values, stored - 1);
  return nb::object(known).release().ptr();
}

// Calls begin() while memory is fetched; put(i, object) takes the object over.
template <class Begin, class Put>
void RowReader::read(uint64_t row, const Begin& begin, const Put& put) {
  std::unique_lock<std::mutex> lock;
  int64_t tick = 0;
  if (slow_) {
    const nb::gil_scoped_release release;
    keep_fault_handler();
    lock = std::unique_lock(mutex_);
    if (view_) view_->seek(row);
    if (others_) heron::take(*others_, std::vector{row}, other_values_);
  } else if (view_) {
    tick = tick_of_the_clock();
    if (tick != checked_tick_) keep_fault_handler();
    view_->seek(row);
  }
  Loaded loaded[kLoadedAtOnce];
  for (uint64_t first = 0; first < cells_.size(); first += kLoadedAtOnce) {
    // Making objects may let another thread run, which moves the view unless it waits for `lock`.
    if (first != 0 && view_ && !slow_) view_->seek(row);
    const Cell* cells = cells_.data() + first;
    const uint64_t count = std::min(cells_.size() - first, kLoadedAtOnce);
    for (uint64_t i = 0; i < count; ++i) {
      if (cells[i].from != Cell::From::Other) {
        load(*view_, cells[i].stored, cells[i].index, loaded[i]);
      }
    }
    if (first == 0) begin();
    for (uint64_t i = 0; i < count; ++i) {
      PyObject* value = nullptr;
      if (cells[i].from == Cell::From::View) {
        value = object(loaded[i], cells[i].type);
      } else if (cells[i].from == Cell::From::Other) {
        value = value_object(other_values_.columns[cells[i].index], 0).release().ptr();
      } else if (loaded[i].valid) {
        value = key_value(cells[i], loaded[i].natural);
      } else {
        value = nb::none().release().ptr();
      }
      if (value == nullptr) throw nb::python_error();
      put(first + i, value);
    }
  }
  if (!view_) return;
  if (a_text_) {
    // The characters may have been lost after the text's extent was read: then this throws.
    if (!slow_) view_->seek(row);
    view_->text(*a_text_);
  }
  if (slow_) return view_->check_recently();
  if (tick == checked_tick_) return;
  view_->check_unchanged();
  checked_tick_ = tick;
}

PyObject* RowReader::tuple(uint64_t row) {
  nb::object out;
  const auto begin = [&] {
    out = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(cells_.size())));
    if (!out.is_valid()) throw nb::python_error();
  };
  read(row, begin, [&](uint64_t i, PyObject* value) {
#ifdef Py_LIMITED_API
    PyTuple_SetItem(out.ptr(), static_cast<Py_ssize_t>(i), value);
#else
    PyTuple_SET_ITEM(out.ptr(), static_cast<Py_ssize_t>(i), value);
#endif
  });
  return out.is_valid() ? out.release().ptr() : PyTuple_New(0);
}

PyObject* RowReader::dict(uint64_t row) {
  nb::object out;
  const auto begin = [&] {
    // A copied dict has room for all names: half the time of a dict that grows.
    out = nb::steal(PyDict_Copy(empty_row_.ptr()));
    if (!out.is_valid()) throw nb::python_error();
  };
  read(row, begin, [&](uint64_t i, PyObject* value) {
    const nb::object held = nb::steal(value);
    if (PyDict_SetItem(out.ptr(), names_[i].ptr(), value) != 0) throw nb::python_error();
  });
  return out.is_valid() ? out.release().ptr() : PyDict_New();
}

PyObject* RowReader::value(uint64_t row) {
  nb::object out;
  const auto begin = [] {};
  read(row, begin, [&](uint64_t, PyObject* value) { out = nb::steal(value); });
  return out.release().ptr();
}

}  // namespace heron::python

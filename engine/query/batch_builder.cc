#include "heron/batch_builder.h"

#include <algorithm>
#include <cstring>

#include "base/arena.h"
#include "values/cells.h"

namespace heron::inline v0 {
namespace {

void append_bit_to(std::vector<uint8_t>& bits, uint64_t at, bool bit) {
  if (at % 8 == 0) bits.push_back(0);
  if (bit) bits.back() = static_cast<uint8_t>(bits.back() | 1U << at % 8);
}

template <class T>
Buffer copied(const std::vector<T>& from, Arena& arena) {
  const uint64_t bytes = from.size() * sizeof(T);
  std::byte* to = arena.allocate(bytes);
  if (bytes != 0) std::memcpy(to, from.data(), bytes);
  return {to, bytes};
}

bool can_be_built(const Type& type) {
  if (type.is_list()) return can_be_built(type.item());
  return !type.is(Type::Key) && !type.is(Type::Vector);
}

}  // namespace

Field nullable_field(std::string name, Type type) {
  Field made;
  made.name = std::move(name);
  made.type = std::move(type);
  made.nullable = true;
  return made;
}

struct ColumnBuilder::Impl {
  std::string name;
  Type type;
  uint64_t rows = 0, nulls = 0;
  std::vector<uint8_t> validity;  // bits
  std::vector<uint8_t> data;      // cells; bits of bools; characters
  std::vector<uint64_t> ends;     // of texts and lists
  std::vector<ColumnBuilder> item;

  void add_row(bool valid) {
    append_bit_to(validity, rows, valid);
    ++rows;
    nulls += !valid;
  }
  bool has_ends() const { return type.is_text() || type.is_list(); }
  uint64_t open_items() const {
    return type.is_list() ? item[0].rows() - (ends.empty() ? 0 : ends.back()) : 0;
  }
  template <class T>
  void add_cell(T value) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    data.insert(data.end(), bytes, bytes + sizeof value);
    add_row(true);
  }
  // A number that the type holds exactly.
  template <class Number>
  void add_number(Number number);
  [[noreturn]] void refuse(std::string_view what) const {
    fail(ErrorKind::Argument, {}, "column \"", name, "\" is of type ", type.name(), ", got ", what);
  }
  void check_limits() const;
  void clear();
  Values finish(Arena& arena) const;
  Buffer offsets(Arena& arena) const;
};

template <class Number>
void ColumnBuilder::Impl::add_number(Number number) {
  constexpr bool is_float = std::is_floating_point_v<Number>;
  const bool takes = is_float ? type.is_float()
                              : type.width() != 0 && !type.is_float() &&
                                    !type.is(Type::DateTimeOffset) && !type.is(Type::RowId);
  if (!takes) refuse(is_float ? "a float" : "an integer");
  visit_cell_type(type, [&]<class T>() {
    if constexpr (is_float && std::is_floating_point_v<T>) {
      const auto cell = static_cast<T>(number);
      if (number == number && static_cast<Number>(cell) != number) {
        refuse(concat(number, ", which it would round"));
      }
      add_cell(cell);
    } else if constexpr (!is_float && std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (!std::in_range<T>(number)) refuse(concat(number));
      add_cell(static_cast<T>(number));
    }
  });
}

// The most that 32-bit offsets can count.
void ColumnBuilder::Impl::check_limits() const {
  if (open_items() != 0) {
    fail(ErrorKind::Argument, {}, "column \"", name, "\": items of a list that was not ended");
  }
  const bool is_small = type.is(Type::Text) || type.is(Type::List);
  if (is_small && !ends.empty() && ends.back() > INT32_MAX) {
    fail(ErrorKind::Limit, {}, "column \"", name, "\": more than ", type.name(), " can hold");
  }
  for (const ColumnBuilder& items : item) items.impl_->check_limits();
}

void ColumnBuilder::Impl::clear() {
  rows = nulls = 0;
  validity.clear();
  data.clear();
  ends.clear();
  for (ColumnBuilder& items : item) items.impl_->clear();
}

Buffer ColumnBuilder::Impl::offsets(Arena& arena) const {
  const auto fill = [&]<class T>(T* to) {
    to[0] = 0;
    for (uint64_t i = 0; i < rows; ++i) to[i + 1] = static_cast<T>(ends[i]);
    return Buffer{reinterpret_cast<const std::byte*>(to), (rows + 1) * sizeof(T)};
  };
  const bool is_large = type.is(Type::LargeText) || type.is(Type::LargeList);
  return is_large ? fill(arena.allocate_array<int64_t>(rows + 1))
                  : fill(arena.allocate_array<int32_t>(rows + 1));
}

Values ColumnBuilder::Impl::finish(Arena& arena) const {
  Values values(type, rows);
  values.null_count = nulls;
  if (type.is(Type::Null)) return values;
  if (nulls != 0) values.validity = copied(validity, arena);
  if (!type.is_list()) values.data = copied(data, arena);
  if (has_ends()) values.offsets = offsets(arena);
  for (const ColumnBuilder& items : item) values.children.push_back(items.impl_->finish(arena));
  return values;
}

ColumnBuilder::ColumnBuilder(std::string name, Type type) : impl_(std::make_unique<Impl>()) {
  impl_->name = std::move(name);
  impl_->type = std::move(type);
  if (!impl_->type.is_list()) return;
  impl_->item.push_back(ColumnBuilder(impl_->name, impl_->type.item()));
}
ColumnBuilder::~ColumnBuilder() = default;
ColumnBuilder::ColumnBuilder(ColumnBuilder&&) noexcept = default;
ColumnBuilder& ColumnBuilder::operator=(ColumnBuilder&&) noexcept = default;

uint64_t ColumnBuilder::rows() const noexcept {
  return impl_->rows;
}

void ColumnBuilder::append_null() {
  Impl& column = *impl_;
  if (column.open_items() != 0) column.refuse("a null behind items");
  if (column.type.is(Type::Bool)) {
    append_bit_to(column.data, column.rows, false);
  } else if (column.has_ends()) {
    column.ends.push_back(column.ends.empty() ? 0 : column.ends.back());
  } else {
    column.data.resize(column.data.size() + column.type.width());
  }
  column.add_row(false);
}

void ColumnBuilder::append_bool(bool value) {
  if (!impl_->type.is(Type::Bool)) impl_->refuse("a bool");
  append_bit_to(impl_->data, impl_->rows, value);
  impl_->add_row(true);
}
void ColumnBuilder::append_signed(int64_t value) {
  impl_->add_number(value);
}
void ColumnBuilder::append_unsigned(uint64_t value) {
  impl_->add_number(value);
}
void ColumnBuilder::append_float(double value) {
  impl_->add_number(value);
}

void ColumnBuilder::append(std::string_view text) {
  if (!impl_->type.is_text()) impl_->refuse("a text");
  impl_->data.insert(impl_->data.end(), text.begin(), text.end());
  impl_->ends.push_back(impl_->data.size());
  impl_->add_row(true);
}
void ColumnBuilder::append(const DateTimeOffset& value) {
  if (!impl_->type.is(Type::DateTimeOffset)) impl_->refuse("a datetimeoffset");
  impl_->add_cell(value);
}
void ColumnBuilder::append(const RowId& value) {
  if (!impl_->type.is(Type::RowId)) impl_->refuse("a row id");
  impl_->add_cell(value);
}

ColumnBuilder& ColumnBuilder::items() {
  if (!impl_->type.is_list()) impl_->refuse("items");
  return impl_->item[0];
}
void ColumnBuilder::append_list() {
  if (!impl_->type.is_list()) impl_->refuse("a list");
  impl_->ends.push_back(impl_->item[0].rows());
  impl_->add_row(true);
}

BatchBuilder::BatchBuilder(Schema schema, Context context) : context_(std::move(context)) {
  for (const Field& one : schema) {
    if (!can_be_built(one.type)) {
      fail(ErrorKind::Unsupported, {}, "column \"", one.name, "\": values of type ",
           one.type.name(), " cannot be built");
    }
    columns_.push_back(ColumnBuilder(one.name, one.type));
  }
  schema_ = std::make_shared<const Schema>(std::move(schema));
}
BatchBuilder::~BatchBuilder() = default;
BatchBuilder::BatchBuilder(BatchBuilder&&) noexcept = default;
BatchBuilder& BatchBuilder::operator=(BatchBuilder&&) noexcept = default;

ColumnBuilder& BatchBuilder::operator[](uint64_t column) {
  if (column >= columns_.size()) {
    fail(ErrorKind::Argument, {}, "no column ", column, " in a batch of ", columns_.size());
  }
  return columns_[column];
}

uint64_t BatchBuilder::rows() const noexcept {
  const auto shortest =
      std::ranges::min_element(columns_, {}, [](const ColumnBuilder& one) { return one.rows(); });
  return shortest == columns_.end() ? 0 : shortest->rows();
}

RowBatch BatchBuilder::finish() {
  RowBatch batch;
  batch.schema = schema_;
  batch.rows = rows();
  batch.memory = std::make_shared<Arena>(context_.memory);
  for (const ColumnBuilder& column : columns_) {
    if (column.rows() != batch.rows) {
      fail(ErrorKind::Argument, {}, "column \"", column.impl_->name, "\" has ", column.rows(),
           " rows, another ", batch.rows);
    }
    column.impl_->check_limits();
    batch.columns.push_back(column.impl_->finish(*batch.memory));
  }
  for (ColumnBuilder& column : columns_) column.impl_->clear();
  return batch;
}

}  // namespace heron::inline v0

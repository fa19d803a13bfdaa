#include "heron/writer.h"

#include <algorithm>
#include <optional>

#include "base/arena.h"
#include "base/fail.h"
#include "base/no_such.h"
#include "values/batch_like.h"
#include "values/cells.h"
#include "values/decimals.h"
#include "values/scalar.h"
#include "values/values_builder.h"

namespace heron::inline v0 {
namespace {

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

// Checks appended values.
struct ColumnBuilder::Impl {
  const std::string name;
  std::optional<ValuesBuilder> own;  // set for a column, not for items
  ValuesBuilder& values;             // `own`, or for items the values of the list
  std::vector<ColumnBuilder> item;

  Impl(std::string of, Type type) : name(std::move(of)), own(std::move(type)), values(*own) {}
  Impl(std::string of, ValuesBuilder& items) : name(std::move(of)), values(items) {}

  // Appends a number, which the type must hold exactly.
  template <class Number>
  void add_number(Number number);
  [[noreturn]] void refuse(std::string_view what) const {
    fail(ErrorKind::Argument, {}, "column \"", name, "\" is of type ", values.type().name(),
         ", got ", what);
  }
  void check_limits() const;
};

template <class Number>
void ColumnBuilder::Impl::add_number(Number number) {
  constexpr bool is_float = std::is_floating_point_v<Number>;
  const Type& type = values.type();
  const bool takes = is_float ? type.is_float()
                              : type.width() != 0 && !type.is_float() &&
                                    type.width() <= sizeof(int64_t);
  if (!takes) refuse(is_float ? "a float" : "an integer");
  visit_cell_type(type, [&]<class T>() {
    if constexpr (is_float && std::is_floating_point_v<T>) {
      const auto cell = static_cast<T>(number);
      if (number == number && static_cast<Number>(cell) != number) {
        refuse(concat(number, ", which it would round"));
      }
      values.append_cell(cell);
    } else if constexpr (!is_float && std::is_integral_v<T> && !std::is_same_v<T, bool>) {
      if (!std::in_range<T>(number)) refuse(concat(number));
      values.append_cell(static_cast<T>(number));
    }
  });
}

// Throws if a list was not ended, or if 32-bit offsets cannot count the content.
void ColumnBuilder::Impl::check_limits() const {
  const Type& type = values.type();
  if (values.open_items() != 0) {
    fail(ErrorKind::Argument, {}, "column \"", name, "\": items of a list that was not ended");
  }
  const bool is_small = type.has_offsets() && !type.has_large_offsets();
  if (is_small && values.extent() > INT32_MAX) {
    fail(ErrorKind::Limit, {}, "column \"", name, "\": more than ", type.name(), " can hold");
  }
  for (const ColumnBuilder& items : item) items.impl_->check_limits();
}

ColumnBuilder::ColumnBuilder(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
  if (!impl_->values.type().is_list()) return;
  auto items = std::make_unique<Impl>(impl_->name, impl_->values.items());
  impl_->item.push_back(ColumnBuilder(std::move(items)));
}
ColumnBuilder::ColumnBuilder(std::string name, Type type)
    : ColumnBuilder(std::make_unique<Impl>(std::move(name), std::move(type))) {}
ColumnBuilder::~ColumnBuilder() = default;
ColumnBuilder::ColumnBuilder(ColumnBuilder&&) noexcept = default;
ColumnBuilder& ColumnBuilder::operator=(ColumnBuilder&&) noexcept = default;

uint64_t ColumnBuilder::rows() const noexcept {
  return impl_->values.rows();
}

void ColumnBuilder::append_null() {
  if (impl_->values.open_items() != 0) impl_->refuse("a null behind items");
  impl_->values.append_null();
}

void ColumnBuilder::append_bool(bool value) {
  if (!impl_->values.type().is(Type::Bool)) impl_->refuse("a bool");
  impl_->values.append_bool(value);
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
  if (!impl_->values.type().has_bytes()) impl_->refuse("a text");
  impl_->values.append_text(text);
}
void ColumnBuilder::append(const DateTimeOffset& value) {
  if (!impl_->values.type().is(Type::DateTimeOffset)) impl_->refuse("a datetimeoffset");
  impl_->values.append_cell(value);
}
void ColumnBuilder::append(const WideInteger& value) {
  const Type& type = impl_->values.type();
  if (!type.is(Type::Decimal)) impl_->refuse("a decimal");
  if (!has_digits(wide_of(value), type.size())) {
    impl_->refuse(decimal_text(wide_of(value), type.scale()));
  }
  impl_->values.append_cell(value);
}
void ColumnBuilder::append(const RowId& value) {
  if (!impl_->values.type().is(Type::RowId)) impl_->refuse("a row id");
  impl_->values.append_cell(value);
}

ColumnBuilder& ColumnBuilder::items() {
  if (!impl_->values.type().is_list()) impl_->refuse("items");
  return impl_->item[0];
}
void ColumnBuilder::append_list() {
  if (!impl_->values.type().is_list()) impl_->refuse("a list");
  impl_->values.append_list();
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
  if (column >= columns_.size()) fail_no_such({}, "column", column, "the batch", columns_.size());
  return columns_[column];
}

uint64_t BatchBuilder::rows() const noexcept {
  const auto shortest =
      std::ranges::min_element(columns_, {}, [](const ColumnBuilder& one) { return one.rows(); });
  return shortest == columns_.end() ? 0 : shortest->rows();
}

RowBatch BatchBuilder::finish() {
  RowBatch batch = own_batch(schema_, std::make_shared<Arena>(context_.memory));
  batch.rows = rows();
  for (const ColumnBuilder& column : columns_) {
    if (column.rows() != batch.rows) {
      fail(ErrorKind::Argument, {}, "column \"", column.impl_->name, "\" has ", column.rows(),
           " rows, another ", batch.rows);
    }
    column.impl_->check_limits();
    batch.columns.push_back(column.impl_->values.finish(*batch.memory));
  }
  for (ColumnBuilder& column : columns_) column.impl_->values.clear();
  return batch;
}

}  // namespace heron::inline v0

#include "base/fail.h"
#include "cache/block_column.h"
#include "table/blocks.h"
#include "table/internals.h"
#include "table/names.h"

namespace heron::inline v0 {
namespace {

uint64_t column_named(const Table& table, std::string_view name) {
  if (const auto column = table.find_column(name)) return *column;
  table.check_unchanged();  // a change would be the cause
  fail(ErrorKind::Argument, bytes_of(table).name(), no_column_text(table, name));
}

template <class Names>
std::vector<uint64_t> columns_named(const std::shared_ptr<const Table>& table, const Names& names) {
  check_given(table, "a table");
  std::vector<uint64_t> columns;
  columns.reserve(names.size());
  for (const std::string_view name : names) columns.push_back(column_named(*table, name));
  return columns;
}

bool is_undefined(const Column& column) {
  return column.unreadable() != nullptr && column.unreadable()->kind() == ErrorKind::Unsupported;
}

[[noreturn]] void throw_unreadable(const Table& table, const Column& column) {
  table.check_unchanged();  // a change would be the cause
  throw *column.unreadable();
}

}  // namespace

Projection::Internals::Internals(std::shared_ptr<const Table> table, std::vector<uint64_t> indices,
                                 std::vector<uint64_t> left_out)
    : table_(std::move(table)), indices_(std::move(indices)), left_out_(std::move(left_out)) {
  columns_.reserve(indices_.size());
  for (const uint64_t index : indices_) columns_.push_back(&internals(*table_).column(index));
}

const std::shared_ptr<const Schema>& Projection::Internals::schema() const {
  schema_once_.run([this] {
    Schema schema;
    schema.reserve(indices_.size());
    for (const uint64_t index : indices_) {
      schema.push_back(table_->field_without_metadata(index));
    }
    schema_ = std::make_shared<const Schema>(std::move(schema));
  });
  return schema_;
}

Projection::Projection(std::shared_ptr<const Table> table) {
  check_given(table, "a table");
  const Table::Internals& of = internals(*table);
  std::vector<uint64_t> indices, left_out;
  indices.reserve(table->column_count());
  for (uint64_t i = 0; i < table->column_count(); ++i) {
    (is_undefined(of.column(i)) ? left_out : indices).push_back(i);
  }
  if (indices.empty() && !left_out.empty()) throw_unreadable(*table, of.column(0));
  resolve(std::move(table), std::move(indices), std::move(left_out));
}

Projection::Projection(std::shared_ptr<const Table> table, std::span<const std::string> names) {
  auto indices = columns_named(table, names);
  resolve(std::move(table), std::move(indices));
}

Projection::Projection(std::shared_ptr<const Table> table,
                       std::initializer_list<std::string_view> names) {
  auto indices = columns_named(table, names);
  resolve(std::move(table), std::move(indices));
}

Projection::Projection(std::shared_ptr<const Table> table, std::span<const uint64_t> columns) {
  check_given(table, "a table");
  for (const uint64_t column : columns) check_column(*table, column);
  resolve(std::move(table), {columns.begin(), columns.end()});
}

Projection::Projection(std::shared_ptr<const Table> table, std::initializer_list<uint64_t> columns)
    : Projection(std::move(table), std::span(columns.begin(), columns.size())) {}

void Projection::resolve(std::shared_ptr<const Table> table, std::vector<uint64_t> indices,
                         std::vector<uint64_t> left_out) {
  auto resolved =
      std::make_shared<const Internals>(std::move(table), std::move(indices), std::move(left_out));
  for (const Column* column : resolved->columns()) {
    if (is_undefined(*column)) throw_unreadable(*resolved->table(), *column);
  }
  internals_ = std::move(resolved);
}

const std::shared_ptr<const Table>& Projection::table() const noexcept {
  return internals_->table();
}

uint64_t Projection::size() const noexcept {
  return internals_->indices().size();
}

std::span<const uint64_t> Projection::indices() const noexcept {
  return internals_->indices();
}

std::span<const uint64_t> Projection::left_out() const noexcept {
  return internals_->left_out();
}

uint64_t Projection::block_rows() const noexcept {
  const auto columns = internals_->columns();
  const BlockColumn* blocks = columns.empty() ? nullptr : blocks_behind(*columns.front());
  return blocks == nullptr ? table()->block_rows() : blocks->block_rows();
}

uint64_t Projection::block_count() const noexcept {
  return blocks_of(table()->rows(), block_rows());
}

RowRange Projection::block(uint64_t index) const {
  return block_of(*table(), block_rows(), index);
}

const std::shared_ptr<const Schema>& Projection::schema() const {
  return internals_->schema();
}

}  // namespace heron::inline v0

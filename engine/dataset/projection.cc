#include "base/once.h"
#include "cache/block_column.h"
#include "dataset/blocks.h"
#include "dataset/names.h"
#include "heron/dataset.h"

namespace heron::inline v0 {
namespace {

uint64_t column_named(const Table& table, std::string_view name) {
  if (const auto column = table.find_column(name)) return *column;
  table.check_unchanged();  // a change would be the cause
  fail(ErrorKind::Argument, table.bytes()->name(), no_column_text(table, name));
}

template <class Names>
std::vector<uint64_t> columns_named(const Table& table, const Names& names) {
  std::vector<uint64_t> columns;
  columns.reserve(names.size());
  for (const std::string_view name : names) columns.push_back(column_named(table, name));
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

struct Projection::Parts {
  Parts(std::shared_ptr<const Table> of, std::vector<uint64_t> chosen, std::vector<uint64_t> others)
      : table(std::move(of)), indices(std::move(chosen)), left_out(std::move(others)) {
    columns.reserve(indices.size());
    for (const uint64_t index : indices) columns.push_back(&table->column(index));
  }

  std::shared_ptr<const Table> table;
  std::vector<uint64_t> indices, left_out;
  std::vector<const Column*> columns;
  mutable Once schema_once;
  mutable std::shared_ptr<const Schema> schema;
};

Projection::Projection(std::shared_ptr<const Table> table) {
  std::vector<uint64_t> indices, left_out;
  indices.reserve(table->column_count());
  for (uint64_t i = 0; i < table->column_count(); ++i) {
    (is_undefined(table->column(i)) ? left_out : indices).push_back(i);
  }
  if (indices.empty() && !left_out.empty()) throw_unreadable(*table, table->column(0));
  resolve(std::move(table), std::move(indices), std::move(left_out));
}

Projection::Projection(std::shared_ptr<const Table> table, std::span<const std::string> names) {
  auto indices = columns_named(*table, names);
  resolve(std::move(table), std::move(indices));
}

Projection::Projection(std::shared_ptr<const Table> table,
                       std::initializer_list<std::string_view> names) {
  auto indices = columns_named(*table, names);
  resolve(std::move(table), std::move(indices));
}

Projection::Projection(std::shared_ptr<const Table> table, std::span<const uint64_t> columns) {
  for (const uint64_t column : columns) {
    if (column >= table->column_count()) {
      fail(ErrorKind::Argument, table->bytes()->name(), "no column ", column, " in table \"",
           table->name(), "\", which has ", table->column_count());
    }
  }
  resolve(std::move(table), {columns.begin(), columns.end()});
}

Projection::Projection(std::shared_ptr<const Table> table, std::initializer_list<uint64_t> columns)
    : Projection(std::move(table), std::span(columns.begin(), columns.size())) {}

void Projection::resolve(std::shared_ptr<const Table> table, std::vector<uint64_t> indices,
                         std::vector<uint64_t> left_out) {
  auto parts =
      std::make_shared<const Parts>(std::move(table), std::move(indices), std::move(left_out));
  for (const Column* column : parts->columns) {
    if (is_undefined(*column)) throw_unreadable(*parts->table, *column);
  }
  columns_ = parts->columns;
  parts_ = std::move(parts);
}

const std::shared_ptr<const Table>& Projection::table() const noexcept {
  return parts_->table;
}

std::span<const uint64_t> Projection::indices() const noexcept {
  return parts_->indices;
}

std::span<const uint64_t> Projection::left_out() const noexcept {
  return parts_->left_out;
}

uint64_t Projection::block_rows() const noexcept {
  const BlockColumn* blocks = columns_.empty() ? nullptr : columns_.front()->blocks();
  return blocks == nullptr ? table()->block_rows() : blocks->block_rows();
}

uint64_t Projection::block_count() const noexcept {
  return blocks_of(table()->rows(), block_rows());
}

RowRange Projection::block(uint64_t index) const {
  return block_of(*table(), block_rows(), index);
}

const std::shared_ptr<const Schema>& Projection::schema() const {
  parts_->schema_once.run([this] {
    Schema schema;
    schema.reserve(parts_->indices.size());
    for (const uint64_t index : parts_->indices)
      schema.push_back(parts_->table->field_without_metadata(index));
    parts_->schema = std::make_shared<const Schema>(std::move(schema));
  });
  return parts_->schema;
}

}  // namespace heron::inline v0

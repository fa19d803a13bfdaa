// A table parses the description of a column at its first use, once: the first of several threads
// to finish wins, the work of the others is dropped.
#include "base/fail.h"
#include "format/metadata_bytes.h"
#include "format/table_source.h"
#include "table/blocks.h"
#include "table/internals.h"
#include "table/names.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kRowsOfAnUnnaturalBlock = 65536;

// Row numbers are signed in Python, Arrow and many formats, so no table has more rows.
TableContents checked(TableContents parts) {
  if (parts.rows > INT64_MAX) {
    fail(ErrorKind::Limit, parts.bytes->name(), "table \"", parts.name,
         "\": expected at most 2^63 - 1 rows, got ", parts.rows);
  }
  return parts;
}

std::vector<Fragment> fragments_of(const Table& table, const TableSource& source) {
  const auto files = source.fragments();
  if (files.empty()) return {{&table, 0}};
  return {files.begin(), files.end()};
}

}  // namespace

Table::Internals::Internals(const Table& table, TableContents parts)
    : parts_(checked(std::move(parts))),
      row_layout_(parts_.source->row_layout()),
      fragments_(fragments_of(table, *parts_.source)),
      columns_(parts_.source->column_count()) {}

Table::Internals::~Internals() {
  for (auto& column : columns_) delete column.load();
}

const Column& Table::Internals::column(uint64_t index) const {
  std::atomic<const Column*>& slot = columns_[index];
  const Column* column = slot.load(std::memory_order_acquire);
  if (column != nullptr) return *column;
  const Table* extended = source().extended();
  if (extended != nullptr && index < extended->column_count()) {
    return heron::internals(*extended).column(index);
  }
  ColumnPtr opened =
      unless_changed(*bytes(), [&] { return source().open_column(index, name_of(index)); });
  // Its error is cached and thrown by calls that do not check for changes again.
  if (opened->unreadable() != nullptr) bytes()->check_unchanged();
  if (slot.compare_exchange_strong(column, opened.get(), std::memory_order_acq_rel)) {
    column = opened.release();
  }
  return *column;
}

std::string Table::Internals::name_of(uint64_t column) const {
  return source().has_sound_names() ? source().stored_name(column) : names()[column];
}

const Names& Table::Internals::names() const {
  names_once_.run([&] { names_ = std::make_unique<const Names>(source(), bytes().get()); });
  return *names_;
}

const Schema& Table::Internals::schema(const std::function<Schema()>& make) const {
  schema_once_.run([&] { schema_ = make(); });
  return schema_;
}

const Runs* Table::Internals::groups() const noexcept {
  return source().groups();
}

const ZoneMap& Table::Internals::zone_map(
    const std::function<std::shared_ptr<const ZoneMap>()>& make) const {
  zone_map_once_.run([&] { zone_map_ = make(); });
  return *zone_map_;
}

Table::Table(TableContents parts)
    : internals_(std::make_unique<const Internals>(*this, std::move(parts))) {}

Table::~Table() = default;

const std::string& Table::name() const noexcept {
  return internals_->name();
}

const std::string& Table::format() const noexcept {
  const Table* extended = internals_->source().extended();
  return extended == nullptr ? internals_->format() : extended->format();
}

uint64_t Table::rows() const noexcept {
  return internals_->rows();
}

uint64_t Table::column_count() const noexcept {
  return internals_->column_count();
}

uint64_t Table::key_columns() const noexcept {
  return internals_->source().key_columns();
}

void fail_no_such(const Table& table, std::string_view what, uint64_t number, uint64_t count) {
  fail_no_such(bytes_of(table).name(), what, number, concat("table \"", table.name(), '"'), count);
}

const std::string& Table::column_name(uint64_t column) const {
  check_column(*this, column);
  return internals_->names()[column];
}

std::optional<uint64_t> Table::find_column(std::string_view name) const {
  const uint64_t column = internals_->names().find(name);
  return column == column_count() ? std::nullopt : std::optional(column);
}

Field Table::field(uint64_t column) const {
  Field field = field_without_metadata(column);
  field.metadata = metadata(column);
  return field;
}

Field Table::field_without_metadata(uint64_t index) const {
  check_column(*this, index);
  const Column& column = internals_->column(index);
  Field field;
  field.name = internals_->name_of(index);
  field.type = column.type();
  field.encoding = column.encoding();
  field.nullable = column.nullable();
  if (const Error* error = column.unreadable()) {
    field.readable = false;
    field.reason = error->what();
  }
  return field;
}

std::vector<Metadata> Table::metadata(uint64_t column) const {
  check_column(*this, column);
  return unless_changed(*internals_->bytes(),
                        [&] { return internals_->source().metadata(column); });
}

const Schema& Table::schema() const {
  return internals_->schema([&] {
    const ByteSource& bytes = *internals_->bytes();
    Schema schema;
    schema.reserve(column_count());
    MetadataBytes metadata(bytes, most_metadata_bytes(bytes.size()));
    for (uint64_t i = 0; i < column_count(); ++i) {
      schema.push_back(field(i));
      metadata.add(schema.back().metadata);
    }
    bytes.check_unchanged();  // names may be read from anywhere in the file
    return schema;
  });
}

uint64_t Table::block_rows() const noexcept {
  const uint64_t natural = internals_->source().block_rows();
  return natural == 0 ? kRowsOfAnUnnaturalBlock : natural;
}

uint64_t Table::block_count() const noexcept {
  return blocks_of(rows(), block_rows());
}

RowRange Table::block(uint64_t index) const {
  return block_of(*this, block_rows(), index);
}

uint64_t Table::group_count() const noexcept {
  const Runs* groups = internals_->groups();
  return groups == nullptr ? 0 : groups->size();
}

RowRange Table::group(uint64_t index) const {
  if (index >= group_count()) fail_no_such(*this, "group", index, group_count());
  return unless_changed(*internals_->bytes(), [&] { return (*internals_->groups())[index]; });
}

std::optional<uint64_t> Table::label_column() const noexcept {
  return internals_->source().label_column();
}

std::optional<uint64_t> Table::group_column() const noexcept {
  return internals_->source().group_column();
}

void Table::check_unchanged() const {
  internals_->bytes()->check_unchanged();
}

}  // namespace heron::inline v0

// A table parses the description of a column at its first use, once: the first of several threads
// to finish wins, the work of the others is dropped.
#include <algorithm>
#include <atomic>

#include "base/once.h"
#include "dataset/blocks.h"
#include "dataset/metadata_bytes.h"
#include "dataset/names.h"
#include "dataset/table_source.h"
#include "heron/dataset.h"

namespace heron::inline v0 {
namespace {

constexpr uint64_t kRowsOfAnUnnaturalBlock = 65536;

}  // namespace

struct Table::Lazy {
  explicit Lazy(uint64_t column_count) : columns(column_count) {}
  ~Lazy() {
    for (auto& column : columns) delete column.load();
  }
  const Names& names(const TableSource& source, const ByteSource* file) {
    names_once.run([&] { names_ = std::make_unique<const Names>(source, file); });
    return *names_;
  }

  std::vector<std::atomic<const Column*>> columns;
  Once schema_once;
  Schema schema;
  Once zone_map_once;
  std::shared_ptr<const ZoneMap> zone_map;
  std::shared_ptr<const ByteSource> indexed_file;

 private:
  Once names_once;
  std::unique_ptr<const Names> names_;
};

Table::Table(std::string name, uint64_t rows, std::shared_ptr<const ByteSource> bytes,
             std::unique_ptr<const TableSource> source)
    : name_(std::move(name)),
      rows_(rows),
      bytes_(std::move(bytes)),
      source_(std::move(source)),
      column_count_(source_->column_count()),
      row_layout_([&] {
        auto layout = source_->row_layout();
        return layout ? std::make_unique<const RowLayout>(*layout) : nullptr;
      }()),
      fragments_([&] {
        const auto files = source_->fragments();
        return files.empty() ? std::vector<Fragment>{{this, 0}}
                             : std::vector<Fragment>(files.begin(), files.end());
      }()),
      lazy_(std::make_unique<Lazy>(column_count_)) {}

Table::~Table() = default;

uint64_t Table::key_columns() const noexcept {
  return source_->key_columns();
}

const Column& Table::column(uint64_t index) const {
  std::atomic<const Column*>& slot = lazy_->columns[index];
  const Column* column = slot.load(std::memory_order_acquire);
  if (column != nullptr) return *column;
  ColumnPtr opened =
      unless_changed(*bytes_, [&] { return source_->open_column(index, column_name(index)); });
  // Its error is cached and thrown by calls that do not check for changes again.
  if (opened->unreadable() != nullptr) bytes_->check_unchanged();
  if (slot.compare_exchange_strong(column, opened.get(), std::memory_order_acq_rel)) {
    column = opened.release();
  }
  return *column;
}

const std::string& Table::column_name(uint64_t column) const {
  return lazy_->names(*source_, bytes_.get())[column];
}

std::optional<uint64_t> Table::find_column(std::string_view name) const {
  const uint64_t column = lazy_->names(*source_, bytes_.get()).find(name);
  return column == column_count_ ? std::nullopt : std::optional(column);
}

Field Table::field(uint64_t column) const {
  Field field = field_without_metadata(column);
  field.metadata = metadata(column);
  return field;
}

Field Table::field_without_metadata(uint64_t index) const {
  const Column& column_at = column(index);
  Field field;
  field.name = column_name(index);
  field.type = column_at.type();
  field.encoding = column_at.encoding();
  field.nullable = column_at.nullable();
  if (const Error* error = column_at.unreadable()) {
    field.readable = false;
    field.reason = error->what();
  }
  return field;
}

std::vector<Metadata> Table::metadata(uint64_t column) const {
  return unless_changed(*bytes_, [&] { return source_->metadata(column); });
}

const Schema& Table::schema() const {
  lazy_->schema_once.run([&] {
    Schema schema;
    schema.reserve(column_count_);
    MetadataBytes metadata(*bytes_, most_metadata_bytes(bytes_->size()));
    for (uint64_t i = 0; i < column_count_; ++i) {
      schema.push_back(field(i));
      metadata.add(schema.back().metadata);
    }
    check_unchanged();  // names may be read from anywhere in the file
    lazy_->schema = std::move(schema);
  });
  return lazy_->schema;
}

uint64_t Table::block_rows() const noexcept {
  const uint64_t natural = source_->block_rows();
  return natural == 0 ? kRowsOfAnUnnaturalBlock : natural;
}

uint64_t Table::block_count() const noexcept {
  return blocks_of(rows_, block_rows());
}

const Runs* Table::groups() const noexcept {
  return source_->groups();
}

uint64_t Table::group_count() const noexcept {
  return groups() == nullptr ? 0 : groups()->size();
}

RowRange Table::group(uint64_t index) const {
  if (index >= group_count()) fail_no_such(*this, "group", index, group_count());
  return unless_changed(*bytes_, [&] { return (*groups())[index]; });
}

std::optional<uint64_t> Table::label_column() const noexcept {
  return source_->label_column();
}

std::optional<uint64_t> Table::group_column() const noexcept {
  return source_->group_column();
}

const ZoneMap& Table::zone_map(const std::function<std::shared_ptr<const ZoneMap>()>& make) const {
  lazy_->zone_map_once.run([&] { lazy_->zone_map = make(); });
  return *lazy_->zone_map;
}

const ByteSource* Table::indexed_file() const noexcept {
  return lazy_->indexed_file.get();
}

void Table::set_indexed_file(std::shared_ptr<const ByteSource> file) const {
  lazy_->indexed_file = std::move(file);
}

void Table::check_unchanged() const {
  bytes_->check_unchanged();
}

RowRange Table::block(uint64_t index) const {
  return block_of(*this, block_rows(), index);
}

}  // namespace heron::inline v0

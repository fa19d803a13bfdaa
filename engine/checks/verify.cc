#include <algorithm>

#include "base/fail.h"
#include "exec/sink.h"
#include "exec/whole_read.h"
#include "format/entry_tables.h"
#include "format/metadata_bytes.h"
#include "format/table_source.h"
#include "heron/scan.h"
#include "rows/batch.h"
#include "table/internals.h"
#include "values/scalar.h"

namespace heron::inline v0 {
namespace {

// Limits the metadata that is read: it is not held, but columns that share it take time.
constexpr uint64_t kMaxMetadata = uint64_t{2} << 30;

// A morsel of vectors with more slots is read a part at a time: they may be converted as they are
// read, which takes memory.
constexpr uint64_t kSlotsAtOnce = uint64_t{1} << 24;

uint64_t slots_of(const Type& type) noexcept {
  return type.is(Type::Vector) ? std::max<uint64_t>(type.size(), 1) : 1;
}

// Reads all values of some columns of a file and verifies what the file stores twice of each.
class VerifySink final : public ColumnSink {
 public:
  // `metadata` limits how much metadata verifying may read in all.
  VerifySink(const Table& table, std::span<const uint64_t> columns, MetadataBytes& metadata)
      : table_(table), columns_(columns), metadata_(metadata), nulls_(columns.size()) {}

  uint64_t column_count() const override { return columns_.size(); }
  uint64_t column(uint64_t i) const override { return columns_[i]; }
  bool begin(uint64_t i, const Context&) override {
    const Column& column = internals(table_).column(columns_[i]);
    column.check_readable();
    metadata_.add(table_.metadata(columns_[i]));
    if (!column.type().is(Type::Null)) return true;
    nulls_[i] = column.rows();  // nothing to read, however many rows
    return false;
  }
  void consume(uint64_t i, MorselReader& morsel) override {
    const Column& column = internals(table_).column(columns_[i]);
    const RowRange rows = morsel.morsel().rows;
    const uint64_t at_once = std::max<uint64_t>(kSlotsAtOnce / slots_of(column.type()), 1);
    if (at_once < rows.rows()) {
      column.read_blocks(
          rows, at_once, at_once, morsel.context(),
          [&](RowRange, const Values& values, Arena&) { nulls_[i] += values.null_count; });
      return;
    }
    morsel.arena().reset();
    nulls_[i] += column.read(rows, morsel.arena(), morsel.context()).null_count;
  }
  void finish(uint64_t i, const Context&) override {
    table_.check_unchanged();
    internals(table_).source().verify_column(columns_[i], nulls_[i]);
  }

 private:
  const Table& table_;
  const std::span<const uint64_t> columns_;
  MetadataBytes& metadata_;
  std::vector<uint64_t> nulls_;
};

// Compares two rows of batches of key columns.
std::strong_ordering compare_rows(const RowBatch& a, uint64_t row_a, const RowBatch& b,
                                  uint64_t row_b) {
  for (uint64_t c = 0; c < a.columns.size(); ++c) {
    const auto order = compare(scalar_at(a.columns[c], row_a), scalar_at(b.columns[c], row_b));
    if (order != std::strong_ordering::equal) return order;
  }
  return std::strong_ordering::equal;
}

// Checks that keys ascend and are unique.
void verify_keys(const std::shared_ptr<const Table>& table, const Context& context) {
  std::vector<uint64_t> keys;
  for (uint64_t c = 0; c < table->key_columns(); ++c) {
    if (!has_scalars(internals(*table).column(c).type())) return;  // no order is defined
    keys.push_back(c);
  }
  if (keys.empty()) return;
  const Projection columns(table, keys);
  Scan scan(columns, context);
  RowBatch batch, before;
  const auto check = [&](const RowBatch& a, uint64_t row_a, uint64_t row_b) {
    if (compare_rows(a, row_a, batch, row_b) == std::strong_ordering::less) return;
    fail(ErrorKind::Corrupt, bytes_of(*table).name(), "table \"", table->name(),
         "\": expected ascending unique keys, got row ", scan.first_row() + row_b,
         " not above the row before it");
  };
  while (scan.next(batch)) {
    if (before.rows != 0) check(before, before.rows - 1, 0);
    for (uint64_t row = 1; row < batch.rows; ++row) check(batch, row - 1, row);
    std::swap(before, batch);
  }
}

// Verifies one file, with the metadata of columns of undefined types, which other calls read.
void verify_table(const std::shared_ptr<const Table>& table, std::vector<std::string>& notes,
                  const Context& context) {
  internals(*table).source().verify();
  std::vector<uint64_t> columns;
  MetadataBytes metadata(bytes_of(*table), kMaxMetadata);
  for (uint64_t i = 0; i < table->column_count(); ++i) {
    const Error* error = internals(*table).column(i).unreadable();
    if (error != nullptr && error->kind() == ErrorKind::Unsupported) {
      metadata.add(table->metadata(i));
      const bool is_new = std::find(notes.begin(), notes.end(), error->what()) == notes.end();
      if (is_new) notes.push_back(error->what());
    } else {
      columns.push_back(i);
    }
  }
  if (columns.empty() && table->column_count() != 0)
    throw *internals(*table).column(0).unreadable();
  check_whole_read(*table, columns, context);
  VerifySink sink(*table, columns, metadata);
  run(Input(SelectedBy(Query(table), {.call = "verify"}), context), sink, context);
  verify_keys(table, context);
}

}  // namespace

std::vector<std::string> verify(const File& file, const Context& context) {
  std::vector<std::string> notes;
  const auto& entries = internals(file).entries;
  if (entries != nullptr) notes = entries->verify(context);
  for (const auto& table : file.tables()) {
    unless_changed(bytes_of(*table), [&] {
      for (const Fragment& fragment : internals(*table).fragments()) {
        verify_table({table, fragment.table}, notes, context);
      }
      for (uint64_t i = 0; i < table->column_count(); ++i)
        internals(*table).column(i);  // throws unless all files agree
      table->check_unchanged();
    });
  }
  return notes;
}

}  // namespace heron::inline v0

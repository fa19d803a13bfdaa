#include <numeric>

#include "arrow/import_array.h"
#include "arrow/import_checks.h"
#include "arrow/import_schema.h"
#include "base/fail.h"
#include "heron/arrow.h"

namespace heron::inline v0 {
namespace arrow {

void check_root(const ImportedSchema& schema, const ArrowArray& array) {
  check_node(&array, "");
  if (!schema.is_struct) return;
  if (static_cast<uint64_t>(array.n_children) != schema.columns.size()) {
    fail(ErrorKind::Argument, {}, "Arrow array: expected ", schema.columns.size(), " columns, got ",
         array.n_children);
  }
  if (array.n_buffers != 1 || array.dictionary != nullptr) {
    fail(ErrorKind::Argument, {},
         "Arrow array: expected a struct of 1 buffer and no dictionary, got ", array.n_buffers,
         array.n_buffers == 1 ? " buffer" : " buffers",
         array.dictionary == nullptr ? "" : " and a dictionary");
  }
  if (array.buffers[0] == nullptr || array.null_count == 0) return;
  const auto* bitmap = static_cast<const std::byte*>(array.buffers[0]);
  for (int64_t row = array.offset; row < array.offset + array.length; ++row) {
    if (!Buffer{bitmap, 0}.bit(static_cast<uint64_t>(row))) {
      fail(ErrorKind::Unsupported, {}, "Arrow array: row ", row - array.offset,
           " is null as a whole, which no row of a batch can be");
    }
  }
}

void import_rows(const ImportedSchema& schema, std::span<const uint64_t> columns,
                 const std::shared_ptr<const Owned<ArrowArray>>& owner, RowRange rows,
                 RowBatch& batch, const Context& context) {
  const ArrowArray& array = **owner;
  batch.source = nullptr;
  batch.columns.clear();
  batch.rows = rows.rows();
  batch.memory = std::make_shared<Arena>(context.memory);
  batch.memory->keep(owner);
  ArrayImporter importer(*batch.memory);
  for (const uint64_t column : columns) {
    const ArrayPlan& plan = schema.columns[column];
    if (!schema.is_struct) {
      batch.columns.push_back(importer.values(plan, array, rows));
      continue;
    }
    // A struct's own offset applies to its children, too.
    const auto offset = static_cast<uint64_t>(array.offset);
    const ArrowArray* child = array.children[column];
    check_array(plan, child, {0, 0});
    batch.columns.push_back(
        importer.values(plan, *child, {offset + rows.first, offset + rows.last}));
  }
}

}  // namespace arrow

Schema import_schema(const ArrowSchema& schema) {
  return arrow::plan_import(schema).fields;
}

RowBatch import_batch(const ArrowSchema& schema, ArrowArray* array, const Context& context) {
  if (array == nullptr || array->release == nullptr) {
    fail(ErrorKind::Argument, {}, "expected an Arrow array, got ",
         array == nullptr ? "a null pointer" : "one that was released or moved away already");
  }
  const auto owner = std::make_shared<const arrow::Owned<ArrowArray>>(array);
  arrow::ImportedSchema imported = arrow::plan_import(schema);
  arrow::check_root(imported, **owner);
  std::vector<uint64_t> columns(imported.columns.size());
  std::iota(columns.begin(), columns.end(), uint64_t{0});
  RowBatch batch;
  arrow::import_rows(imported, columns, owner, {0, static_cast<uint64_t>((*owner)->length)}, batch,
                     context);
  batch.schema = std::make_shared<const Schema>(std::move(imported.fields));
  return batch;
}

}  // namespace heron::inline v0

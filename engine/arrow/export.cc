// The stream is an object behind private_data; its callbacks let no exception out.
#include <algorithm>
#include <cerrno>

#include "arrow/errors.h"
#include "arrow/export_array.h"
#include "arrow/export_schema.h"
#include "base/fail.h"
#include "base/no_such.h"
#include "columns/column.h"
#include "heron/arrow.h"
#include "heron/scan.h"
#include "heron/take.h"
#include "table/internals.h"

namespace heron::inline v0 {
namespace arrow {
namespace {

void check_schema(const RowBatch& batch) {
  if (batch.schema == nullptr || batch.schema->size() != batch.columns.size()) {
    fail(ErrorKind::Argument, {}, "expected a batch with a schema of its ", batch.columns.size(),
         " columns, got ", batch.schema == nullptr ? uint64_t{0} : batch.schema->size());
  }
}

// Returns whether a and b agree at every depth in which keys have values.
bool have_same_keys(const Values& a, const Values& b) {
  if (a.children.size() != b.children.size()) return false;
  for (uint64_t i = 0; i < a.children.size(); ++i) {
    if (!have_same_keys(a.children[i], b.children[i])) return false;
  }
  return true;
}

// The fields of a projection's columns, with the metadata that its schema omits.
Schema fields_of(const Projection& columns) {
  Schema fields;
  for (const uint64_t column : columns.indices()) {
    fields.push_back(columns.table()->field(column));
  }
  return fields;
}

// Reads a row of all columns, which shows whether keys have values: without a row, columns of many
// files cannot say.
RowBatch sample_of(const Projection& columns, bool skips_damaged, const Context& context) {
  if (columns.table()->rows() == 0) return read(columns, {0, 0}, context);
  try {
    return read(columns, {0, 1}, context);
  } catch (const Error& error) {
    if (!skips_damaged || error.kind() != ErrorKind::Corrupt) throw;
    return read(columns, {0, 0}, context);
  }
}

bool lie_in_file(const Projection& columns) {
  return std::ranges::all_of(internals(columns).columns(), [](const Column* column) {
    return column->unreadable() == nullptr && column->flat().has_value();
  });
}

// Returns the rows per batch: with large_batches more for cells that lie flat in the file, and
// fewer if vectors have many slots.
uint64_t batch_rows_of(const Query& query, const Projection& columns, const ArrowOptions& options) {
  constexpr uint64_t kLargeBatch = uint64_t{1} << 24;
  uint64_t rows = options.batch_rows;
  if (options.large_batches && !query.where.is_set() && query.order.empty()) {
    const bool is_flat =
        unless_changed(bytes_of(columns), [&] { return lie_in_file(columns); });
    if (is_flat) rows = std::max(rows, kLargeBatch);
  }
  for (const Field& field : *columns.schema()) {
    if (!field.type.is(Type::Vector) || field.type.size() == 0) continue;
    const uint64_t most_rows = std::max<uint64_t>(options.max_slots / field.type.size(), 1);
    rows = std::min(rows, most_rows);
  }
  return rows;
}

class ExportedStream {
 public:
  ExportedStream(const Query& query, const Projection& columns, const ArrowOptions& options,
                 const Context& context)
      : scan_(query, context, batch_rows_of(query, columns, options)),
        options_(options),
        context_(context),
        fields_(fields_of(columns)),
        sample_(sample_of(columns, query.skip_damaged != nullptr, context)) {
    schema();  // throws now if the schema is invalid
  }

  Owned<ArrowSchema> schema() const { return schema_of(fields_, &sample_, options_); }

  // Returns the next batch; a released array at the end.
  Owned<ArrowArray> next() {
    context_.check_cancelled();
    RowBatch batch;  // a new one each time: exported memory is not reused
    if (!scan_.next(batch)) return {};
    for (uint64_t i = 0; i < batch.columns.size(); ++i) {
      if (!have_same_keys(sample_.columns[i], batch.columns[i])) {
        fail(ErrorKind::Unsupported, {}, "column \"", fields_[i].name,
             "\": keys have values in some batches and none in others");
      }
    }
    return ArrayExporter(batch, options_, context_).all_columns(batch);
  }

  int code = 0;  // errno code of the error that ended the stream; 0: none
  std::string text;

 private:
  Scan scan_;
  ArrowOptions options_;
  Context context_;
  Schema fields_;
  RowBatch sample_;
};

// Moves the Owned struct that call(stream) returns to *out. Returns 0 or the error code.
template <class Out, class Call>
int answer(ArrowArrayStream* stream, Out* out, Call call) noexcept {
  if (stream == nullptr || stream->release == nullptr || out == nullptr) return EINVAL;
  auto& exported = *static_cast<ExportedStream*>(stream->private_data);
  if (exported.code != 0) return exported.code;
  try {
    call(exported).move_to(out);
  } catch (...) {
    exported.code = code_of_exception(exported.text);
  }
  return exported.code;
}

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  return answer(stream, out, [](ExportedStream& exported) { return exported.schema(); });
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  return answer(stream, out, [](ExportedStream& exported) { return exported.next(); });
}

const char* get_last_error(ArrowArrayStream* stream) {
  if (stream == nullptr || stream->release == nullptr) return nullptr;
  const auto& exported = *static_cast<ExportedStream*>(stream->private_data);
  if (exported.code == 0) return nullptr;
  return exported.text.empty() ? "not enough memory" : exported.text.c_str();
}

void release_stream(ArrowArrayStream* stream) {
  if (stream == nullptr || stream->release == nullptr) return;
  delete static_cast<ExportedStream*>(stream->private_data);
  stream->private_data = nullptr;
  stream->release = nullptr;
}

}  // namespace
}  // namespace arrow

void export_schema(const Schema& schema, ArrowSchema* out, const ArrowOptions& options) {
  check_given(out, "an ArrowSchema");
  arrow::schema_of(schema, nullptr, options).move_to(out);
}

void export_batch(const RowBatch& batch, ArrowSchema* schema, ArrowArray* array,
                  const ArrowOptions& options, const Context& context) {
  arrow::check_schema(batch);
  check_given(array, "an ArrowArray");
  auto out = arrow::ArrayExporter(batch, options, context).all_columns(batch);
  if (schema != nullptr) arrow::schema_of(*batch.schema, &batch, options).move_to(schema);
  out.move_to(array);
}

void export_column(const RowBatch& batch, uint64_t column, ArrowSchema* schema, ArrowArray* array,
                   const ArrowOptions& options, const Context& context) {
  arrow::check_schema(batch);
  if (column >= batch.columns.size()) {
    fail_no_such({}, "column", column, "the batch", batch.columns.size());
  }
  check_given(array, "an ArrowArray");
  const Values& values = batch.columns[column];
  const Field& field = (*batch.schema)[column];
  auto out = arrow::ArrayExporter(batch, options, context).column(values, field.name);
  if (schema != nullptr) arrow::schema_of(field, &values, options).move_to(schema);
  out.move_to(array);
}

void export_stream(const Query& query, ArrowArrayStream* out, const ArrowOptions& options,
                   const Context& context) {
  check_given(out, "an ArrowArrayStream");
  const Projection columns = query.columns.of(query.table);
  auto exported = std::make_unique<arrow::ExportedStream>(query, columns, options, context);
  out->get_schema = arrow::get_schema;
  out->get_next = arrow::get_next;
  out->get_last_error = arrow::get_last_error;
  out->release = arrow::release_stream;
  out->private_data = exported.release();
}

}  // namespace heron::inline v0

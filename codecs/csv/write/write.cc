// Writes text files in one pass. No type is stored: readers infer types from all values again.
#include "base/fail.h"
#include "csv/csv.h"
#include "csv/write/row_text.h"
#include "format/file_text.h"

namespace heron::inline v0::csv {
namespace {

TypeSupport type_support(const Type& type) {
  return {.read_as = type, .nulls = TypeSupport::Nulls::Stored};
}

class CsvWriter final : public CheckedWriter {
 public:
  CsvWriter(const std::string& path, const SharedSchema& schema, const WriteOptions& options,
            const Context& context)
      : CheckedWriter(schema, options, context),
        file_(path, existing_if(options.replace)),
        text_(file_),
        rows_(*schema) {}

  uint64_t bytes_written() const override { return text_.bytes(); }

 private:
  OutputFile& file() noexcept override { return file_; }
  void append(const RowBatch& batch) override { rows_.append(text_, batch); }
  void finish() override {
    rows_.finish(text_);
    text_.flush();
  }

  OutputFile file_;
  FileText text_;
  RowText rows_;
};

void note_lost_shapes(const Schema& schema, const Context& context) {
  if (context.note == nullptr) return;
  for (const Field& field : schema) {
    if (field.type.dimensions().empty()) continue;
    context.note(concat('"', field.name, "\": the shape of ", field.type.name(), " is not stored"));
  }
}

}  // namespace

constexpr WriteSupport kWriteSupport = {.type_support = type_support, .types = false};

std::unique_ptr<CheckedWriter> create(const std::string& path, const SharedSchema& schema,
                                      const WriteOptions& options, const Context& context) {
  if (schema->empty()) fail(ErrorKind::Argument, path, "a CSV has at least one column");
  note_lost_shapes(*schema, context);
  return std::make_unique<CsvWriter>(path, schema, options, context);
}

}  // namespace heron::inline v0::csv

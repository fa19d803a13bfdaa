#include "files/spill.h"

#include <utility>

#include "bytes/output_file.h"
#include "files/formats.h"

namespace heron::inline v0 {
namespace {

// Only error texts show this path; the file has no name.
std::string path_in(const std::string& folder) {
  return concat(folder, folder.ends_with('/') ? "" : "/", "spilled rows");
}

class FileSpill final : public Spill {
 public:
  FileSpill(const std::string& folder, const Schema& schema, const Context& context)
      : context_(context), writer_(spill_format().create(path_in(folder), schema, {}, context)) {}

  void write(const RowBatch& batch) override { writer_->write(batch); }

  std::shared_ptr<const Table> finish() override {
    writer_->close();
    return spill_format().open(writer_->release().written(), {}, {}, context_)->table();
  }

 private:
  const Context context_;
  const std::unique_ptr<CheckedWriter> writer_;
};

}  // namespace

MakeSpill spill_in(std::string folder, const Context& context) {
  return [folder = std::move(folder), context](const Schema& schema) {
    return std::make_unique<FileSpill>(folder, schema, context);
  };
}

}  // namespace heron::inline v0

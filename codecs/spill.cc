#include "spill.h"

#include <utility>

#include "bytes/output_file.h"
#include "jay/jay.h"

namespace heron::inline v0 {
namespace {

// Only error texts show this path; the file has no name.
std::string path_in(const std::string& folder) {
  return concat(folder, folder.ends_with('/') ? "" : "/", "spilled rows");
}

class JaySpill final : public Spill {
 public:
  JaySpill(const std::string& folder, const Schema& schema, const Context& context)
      : context_(context), writer_(jay::create(path_in(folder), schema, {}, context)) {}

  void write(const RowBatch& batch) override { writer_->write(batch); }

  std::shared_ptr<const Table> finish() override {
    writer_->close();
    return jay::open(writer_->release().written(), {}, {}, context_)->table();
  }

 private:
  const Context context_;
  const std::unique_ptr<Writer> writer_;
};

}  // namespace

MakeSpill spill_in(std::string folder, const Context& context) {
  return [folder = std::move(folder), context](const Schema& schema) {
    return std::make_unique<JaySpill>(folder, schema, context);
  };
}

}  // namespace heron::inline v0

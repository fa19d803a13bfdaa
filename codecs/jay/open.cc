#include <algorithm>

#include "base/fail.h"
#include "bytes/view_reader.h"
#include "format/contents.h"
#include "format/table_source.h"
#include "jay/columns.h"
#include "jay/jay.h"
#include "jay/layout.h"
#include "jay/record.h"
#include "jay/stats.h"

namespace heron::inline v0::jay {
namespace {

class Frame final : public TableSource {
 public:
  Frame(const ByteSource& bytes, const Context& context) : bytes_(bytes), record_(bytes, context) {
    const jay_fbs::Frame& stored = frame();
    if (stored.columns() == nullptr) {
      fail(ErrorKind::Corrupt, bytes.name(), "record at byte ", record_.offset(),
           ": expected a vector of columns, got none");
    }
    if (stored.columns()->size() == 0 && stored.ncols() != 0) {
      fail(ErrorKind::Corrupt, bytes.name(), "record at byte ", record_.offset(), ": expected ",
           stored.ncols(), " columns, as ncols says, got an empty vector");
    }
    const int64_t keys = stored.nkeys();
    if (keys < 0 || static_cast<uint64_t>(keys) > column_count()) {
      fail(ErrorKind::Corrupt, bytes.name(), "record at byte ", record_.offset(),
           ": expected nkeys from 0 to ", column_count(), ", got ", keys);
    }
  }

  uint64_t rows() const noexcept { return frame().nrows(); }
  const Record& record() const noexcept { return record_; }
  const jay_fbs::Frame& frame() const noexcept { return record_.frame(); }

  uint64_t column_count() const noexcept override { return frame().columns()->size(); }
  uint64_t key_columns() const noexcept override { return static_cast<uint64_t>(frame().nkeys()); }
  std::string stored_name(uint64_t i) const override {
    const flatbuffers::String* name = stored(i).name();
    return name == nullptr ? std::string() : name->str();
  }
  ColumnPtr open_column(uint64_t i, const std::string& name) const override {
    return make_column(bytes_, stored(i), rows(), record_, name);
  }
  std::vector<Metadata> metadata(uint64_t i) const override { return stored_statistics(stored(i)); }
  bool has_only_statistics() const noexcept override { return true; }
  void verify() const override {
    if (frame().ncols() == column_count()) return;
    fail(ErrorKind::Corrupt, bytes_.name(), "record at byte ", record_.offset(),
         ": expected ncols ", column_count(), ", as there are columns, got ", frame().ncols());
  }
  void verify_column(uint64_t i, uint64_t nulls) const override {
    const std::string fault = fault_of_statistics(stored(i), nulls);
    if (!fault.empty())
      fail(ErrorKind::Corrupt, bytes_.name(), "column \"", stored_name(i), "\": ", fault);
  }
  // A damaged column reports its damage when it is read.
  uint64_t whole_bytes(uint64_t i, const Context&) const override {
    return buffer_bytes(stored(i), bytes_.size());
  }

 private:
  const jay_fbs::Column& stored(uint64_t i) const {
    return *frame().columns()->Get(static_cast<flatbuffers::uoffset_t>(i));
  }

  const ByteSource& bytes_;
  Record record_;
};

}  // namespace

Match probe(std::span<const std::byte> head, uint64_t) noexcept {
  const auto* text = reinterpret_cast<const char*>(head.data());
  return std::string_view(text, head.size()).starts_with(kAnyVersion) ? Match::Yes : Match::No;
}

std::shared_ptr<const File> open(std::shared_ptr<const ByteSource> bytes, const OpenOptions&,
                                    std::span<const std::byte>, const Context& context) {
  const uint64_t head_bytes = std::min(kHeadBytes, bytes->size());
  Arena arena;
  const std::byte* stored = window({bytes.get(), 0, head_bytes}, 0, head_bytes, 1, arena, context);
  const std::string_view head(reinterpret_cast<const char*>(stored), head_bytes);
  if (head != kHead.substr(0, head_bytes)) {
    const bool is_jay = head.starts_with(kAnyVersion);
    fail(is_jay ? ErrorKind::Unsupported : ErrorKind::UnknownFormat, bytes->name(),
         "signature at byte 0: expected \"JAY1\" and four zero bytes",
         is_jay ? ", got another version of Jay" : "");
  }
  auto frame = std::make_unique<const Frame>(*bytes, context);

  FileContents parts;
  parts.format = "jay";
  const auto tell = [&](const char* name, uint64_t value) {
    parts.header.emplace_back(name, std::to_string(value));
  };
  tell("nrows", frame->rows());
  tell("ncols", frame->frame().ncols());
  tell("nkeys", frame->key_columns());
  tell("meta_offset", frame->record().offset());
  tell("meta_size", frame->record().bytes());
  const uint64_t rows = frame->rows();
  parts.tables.push_back(
      std::make_shared<const Table>(TableContents{"data", rows, bytes, std::move(frame)}));
  bytes->check_recently();
  parts.bytes = std::move(bytes);
  return std::make_shared<const File>(std::move(parts));
}

}  // namespace heron::inline v0::jay

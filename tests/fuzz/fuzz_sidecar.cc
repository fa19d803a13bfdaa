// Forged sidecars: the first byte chooses a small file, the rest are edits of its sidecar
// (edits.h); checksums are made to fit, so that the checks behind them are reached. Answers may be
// wrong then, but each is an answer or an Error, no row is made up and none is left out.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "fuzz/edits.h"
#include "heron/heron.h"
#include "kit/real_files.h"
#include "skip/checksum.h"
#include "skip/sidecar_layout.h"
#include "temp_folder.h"

namespace heron {
namespace {

struct Indexable {
  const char* path;
  std::array<const char*, 5> predicates;
};
constexpr Indexable kJay{"jay/types_stats.jay",
                         {"int8 > 1", "int64 is null", "float64 is nan or float32 < 0",
                          "str32 >= 'a'", "date32 != '2000-01-01' and not bool8"}};
constexpr Indexable kSvmlight{"svmlight/negative_queries.svmlight", {"label > 1", "qid = 2"}};

class Indexed {
 public:
  explicit Indexed(const Indexable& file)
      : file_(file), name_(std::filesystem::path(file.path).filename()), path_(folder_ / name_) {
    std::filesystem::copy_file(data_dir() / file.path, path_);
    write_index(path_);
    sidecar_ = folder_.read(name_ + ".heron");
    rows_ = open(path_)->table()->rows();
  }

  void ask(std::span<const uint8_t> edits) const {
    std::string bytes = sidecar_;
    apply_edits(bytes, edits);
    repair(bytes);
    folder_.write(name_ + ".heron", bytes);
    try {
      const auto table = open(path_)->table();
      for (const char* predicate : file_.predicates) {
        if (predicate != nullptr && count(Predicate(table, predicate)) > table->rows())
          std::abort();
      }
      uint64_t rows = 0;
      Scan scan(table);
      for (RowBatch batch; scan.next(batch);) rows += batch.rows;
      if (rows != rows_) std::abort();
    } catch (const Error&) {
    }
  }

 private:
  // Makes checksums fit, as far as the table can be parsed.
  static void repair(std::string& bytes) {
    sidecar::Header header;
    std::memcpy(&header, bytes.data(), sizeof header);
    const uint64_t most = (bytes.size() - sizeof header) / sizeof(sidecar::Entry);
    const uint64_t count = std::min<uint64_t>(header.sections, most);
    const uint64_t table_end = sizeof header + count * sizeof(sidecar::Entry);
    uint64_t offset = table_end;
    for (uint64_t i = 0; i < count; ++i) {
      sidecar::Entry entry;
      char* const at = bytes.data() + sizeof header + i * sizeof entry;
      std::memcpy(&entry, at, sizeof entry);
      const uint64_t size = std::min<uint64_t>(entry.bytes, bytes.size() - offset);
      entry.checksum = checksum(std::string_view(bytes).substr(offset, size));
      std::memcpy(at, &entry, sizeof entry);
      offset += size;
    }
    header.checksum = checksum(
        std::string_view(bytes).substr(sidecar::kCheckedFrom, table_end - sidecar::kCheckedFrom));
    std::memcpy(bytes.data(), &header, sizeof header);
  }

  const Indexable& file_;
  test::TempFolder folder_{test::memory_folder()};
  std::string name_, path_, sidecar_;
  uint64_t rows_ = 0;
};

}  // namespace
}  // namespace heron

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  static const heron::Indexed indexed[] = {heron::Indexed(heron::kJay),
                                           heron::Indexed(heron::kSvmlight)};
  if (bytes == 0) return 0;
  indexed[data[0] % std::size(indexed)].ask({data + 1, bytes - 1});
  return 0;
}

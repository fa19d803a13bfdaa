// Forged sidecars: the input is a list of offsets (2 bytes) and bytes to write there (a byte each)
// in the sidecar of a small file; checksums are made to fit, so that the checks behind them are
// reached. Answers may be wrong then, but each is an answer or an Error, and no row is made up.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>

#include "heron/heron.h"
#include "kit/real_files.h"
#include "skip/checksum.h"
#include "skip/sidecar_layout.h"
#include "temp_folder.h"

namespace heron {
namespace {

constexpr std::array kPredicates{"int8 > 1", "int64 is null", "float64 is nan or float32 < 0",
                                 "str32 >= 'a'", "date32 != '2000-01-01' and not bool8"};

class Indexed {
 public:
  Indexed() : path_(folder_ / "types.jay") {
    std::filesystem::copy_file(data_dir() / "jay/types_stats.jay", path_);
    write_index(path_);
    sidecar_ = folder_.read("types.jay.heron");
  }

  void ask(std::span<const uint8_t> input) const {
    std::string bytes = sidecar_;
    for (; input.size() >= 3; input = input.subspan(3)) {
      const size_t offset = input[0] + size_t{256} * input[1];
      bytes[offset % bytes.size()] = static_cast<char>(input[2]);
    }
    repair(bytes);
    folder_.write("types.jay.heron", bytes);
    try {
      const auto table = open(path_)->table();
      for (const char* predicate : kPredicates) {
        if (count(Predicate(table, predicate)) > table->rows()) std::abort();
      }
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

  test::TempFolder folder_;
  std::string path_, sidecar_;
};

}  // namespace
}  // namespace heron

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t bytes) {
  static const heron::Indexed indexed;
  indexed.ask({data, bytes});
  return 0;
}

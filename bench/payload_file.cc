#include "payload_file.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/fail.h"

namespace heron::bench {
namespace {

constexpr uint64_t kMinBytes = 4096;
constexpr unsigned kMaxFeatures = 63;

const PlainMap& checked_tree(const PlainMap& map, const std::string& path) {
  const StoredTree tree(map);
  if (tree.payload_bytes < kMinBytes) {
    fail(ErrorKind::Argument, path, "expected ", kMinBytes, " bytes or more inside, got ",
         tree.payload_bytes);
  }
  const unsigned features = tree.feat_addr + tree.feat_prev;
  const bool wraps = (tree.payload_bits() - 1) >> std::min(tree.feat_addr, 63U) != 0;
  if (features > kMaxFeatures || wraps) {
    fail(ErrorKind::Argument, path, "expected features for all addresses, and ", kMaxFeatures,
         " at most, the only trees whose bound is known; got ", tree.feat_addr, " and ",
         tree.feat_prev);
  }
  return map;
}

}  // namespace

Unpacked::Unpacked(const std::string& packed, const OpenOptions& options)
    : path_(packed + ".unpacked") {
  unwrap(packed, path_, {.open = options});
}

Unpacked::~Unpacked() {
  std::remove(path_.c_str());
}

PayloadFile::PayloadFile(std::string file_path, const OpenOptions& open_options)
    : MeasuredFile(std::move(file_path), open_options),
      tree(checked_tree(map, path)),
      table(tree),
      raw(path, options),
      raw_map(raw.path()),
      forgetful_options(with_cache(options, 0)) {}

bool PayloadFile::is_text() const {
  const auto head = payload().first(kMinBytes);
  return std::none_of(head.begin(), head.end(),
                      [](std::byte byte) { return byte < std::byte{'\t'}; });
}

uint64_t PayloadFile::header(std::string_view name) const {
  for (const auto& [key, text] : opened->header()) {
    if (key == name) return std::stoull(text);
  }
  fail(ErrorKind::Argument, path, "no \"", name, "\" in the header");
}

PackedFile::PackedFile(std::string file_path, const OpenOptions& open_options)
    : MeasuredFile(std::move(file_path), with_cache(open_options, 0)),
      raw(path, options),
      raw_file(open(raw.path(), options)),
      raw_all(raw_file->table()) {}

uint64_t PackedFile::decoded_bytes() const {
  for (const Counter& counter : opened->counters()) {
    if (counter.name == "payload_bytes_decoded") return counter.value;
  }
  fail(ErrorKind::Argument, path, "no counter of decoded bytes");
}

bool is_payload(const File& file) {
  return file.containers() == std::vector<std::string>{"treezip"} &&
         file.table()->name() == "bytes";
}

bool is_packed(const File& file) {
  return !file.containers().empty();
}

}  // namespace heron::bench

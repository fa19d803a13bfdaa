#include "file.h"

#include <numeric>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "bytes/byte_source.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

void touch_pages(const std::byte* base, uint64_t bytes) {
  constexpr uint64_t kPage = 4096;
  if (base == nullptr) return;
  for (uint64_t at = 0; at < bytes; at += kPage) keep(load<std::byte>(base + at));
}

}  // namespace

MeasuredFile::MeasuredFile(std::string file_path, const OpenOptions& open_options)
    : path(std::move(file_path)),
      options(open_options),
      opened(open(path, options)),
      all(opened->table()),
      rows(all.table()->rows()),
      map(path) {
  if (rows == 0) fail(ErrorKind::Argument, path, "expected rows, got none");
  touch_pages(map.base(), map.bytes());
  touch(*internals(*opened).bytes);
}

void touch(const ByteSource& source) {
  touch_pages(source.base(), source.size());
}

OpenOptions with_cache(OpenOptions options, uint64_t cache_bytes) {
  options.cache_bytes = cache_bytes;
  return options;
}

Projection columns_between(const MeasuredFile& file, uint64_t first, uint64_t last) {
  std::vector<uint64_t> numbers(last - first);
  std::iota(numbers.begin(), numbers.end(), first);
  return Projection(file.opened->table(), numbers);
}

}  // namespace heron::bench

// What the sources of a file's bytes share: its descriptor and its pages.
#pragma once

#include <string>
#include <utility>

#include "bytes/byte_source.h"
#include "bytes/file_pages.h"
#include "bytes/regular_file.h"

namespace heron::inline v0 {

class FileSource : public ByteSource {
 public:
  bool may_be_cold(uint64_t least_bytes) const noexcept final {
    return pages_.may_be_cold(least_bytes);
  }
  bool can_prefetch() const noexcept final { return pages_.can_prefetch(); }
  bool any_cold(std::span<const uint64_t> offsets, Coldness* own) const noexcept final {
    return pages_.any_cold(offsets, own);
  }
  uint64_t prefetch(std::span<const ByteRange> ranges, bool are_far) const noexcept final {
    return pages_.prefetch(ranges, are_far);
  }
  bool releases() const noexcept final { return pages_.releases(); }
  void release(std::span<const ByteRange> ranges) const noexcept final {
    pages_.release(ranges, base());
  }

  const char* change() const noexcept final { return file_.change(); }
  uint64_t modified() const noexcept final { return file_.modified(); }

 protected:
  FileSource(std::string name, RegularFile file, Access access)
      : ByteSource(std::move(name), file.size(), nullptr),
        file_(std::move(file)),
        pages_(file_, access) {}

  const RegularFile& file() const noexcept { return file_; }
  const FilePages& pages() const noexcept { return pages_; }

 private:
  RegularFile file_;
  FilePages pages_;
};

}  // namespace heron::inline v0

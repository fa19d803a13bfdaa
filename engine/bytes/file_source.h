// The base of sources that read a file: its descriptor and its pages.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bytes/byte_source.h"
#include "bytes/file_pages.h"
#include "bytes/regular_file.h"

namespace heron::inline v0 {

class FileSource : public ByteSource {
 public:
  void find_pages(const ByteRange& range, std::vector<FileRange>& found) const final {
    if (can_prefetch()) found.push_back({&pages_, range});
  }
  const char* change() const noexcept final { return file_.change(); }
  uint64_t modified() const noexcept final { return file_.modified(); }

 protected:
  FileSource(std::string name, RegularFile file, Access access)
      : ByteSource(std::move(name), file.size(), nullptr),
        file_(std::move(file)),
        pages_(file_, access) {
    if (pages_.can_prefetch()) files_.push_back({&pages_, true});
  }

  const RegularFile& file() const noexcept { return file_; }
  FilePages& pages() noexcept { return pages_; }

 private:
  RegularFile file_;
  FilePages pages_;
};

}  // namespace heron::inline v0

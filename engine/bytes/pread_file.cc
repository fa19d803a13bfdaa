#include "bytes/pread_file.h"

#include <utility>

#include "bytes/file_pages.h"

namespace heron::inline v0 {
namespace {

class PreadFile final : public ByteSource {
 public:
  PreadFile(std::string name, RegularFile file, Access access)
      : ByteSource(std::move(name), file.size(), nullptr),
        file_(std::move(file)),
        pages_(file_, access) {}

  void read(uint64_t offset, std::span<std::byte> into, const Context&) const override {
    file_.read(offset, into, name());
    bytes_read_.fetch_add(into.size(), std::memory_order_relaxed);
  }
  uint64_t bytes_read() const noexcept override {
    return bytes_read_.load(std::memory_order_relaxed);
  }

  bool may_be_cold(uint64_t least_bytes) const noexcept override {
    return pages_.may_be_cold(least_bytes);
  }
  bool can_prefetch() const noexcept override { return pages_.can_prefetch(); }
  bool any_cold(std::span<const uint64_t> offsets, Coldness* own) const noexcept override {
    return pages_.any_cold(offsets, own);
  }
  uint64_t prefetch(std::span<const ByteRange> ranges, bool are_far) const noexcept override {
    return pages_.prefetch(ranges, are_far);
  }
  bool releases() const noexcept override { return pages_.releases(); }
  void release(std::span<const ByteRange> ranges) const noexcept override {
    pages_.release(ranges, nullptr);
  }

  const char* change() const noexcept override { return file_.change(); }
  uint64_t modified() const noexcept override { return file_.modified(); }

 private:
  RegularFile file_;
  FilePages pages_;
  mutable std::atomic<uint64_t> bytes_read_{0};
};

}  // namespace

std::shared_ptr<const ByteSource> pread_file(std::string name, RegularFile file, Access access) {
  return std::make_shared<PreadFile>(std::move(name), std::move(file), access);
}

}  // namespace heron::inline v0

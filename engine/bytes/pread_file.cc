#include "bytes/pread_file.h"

#include <utility>

#include "bytes/file_source.h"

namespace heron::inline v0 {
namespace {

class PreadFile final : public FileSource {
 public:
  PreadFile(std::string name, RegularFile file, Access access)
      : FileSource(std::move(name), std::move(file), access) {}

  void read(uint64_t offset, std::span<std::byte> into, const Context&) const override {
    file().read(offset, into, name());
    bytes_read_.fetch_add(into.size(), std::memory_order_relaxed);
  }
  uint64_t bytes_read() const noexcept override {
    return bytes_read_.load(std::memory_order_relaxed);
  }

 private:
  mutable std::atomic<uint64_t> bytes_read_{0};
};

}  // namespace

std::shared_ptr<const ByteSource> pread_file(std::string name, RegularFile file, Access access) {
  return std::make_shared<PreadFile>(std::move(name), std::move(file), access);
}

}  // namespace heron::inline v0

#include "bytes/pread_file.h"

#include <utility>

namespace heron::inline v0 {
namespace {

class PreadFile final : public ByteSource {
 public:
  PreadFile(std::string name, RegularFile file)
      : ByteSource(std::move(name), file.size(), nullptr), file_(std::move(file)) {}

  void read(uint64_t offset, std::span<std::byte> into, const Context&) const override {
    file_.read(offset, into, name());
    bytes_read_.fetch_add(into.size(), std::memory_order_relaxed);
  }
  uint64_t bytes_read() const noexcept override {
    return bytes_read_.load(std::memory_order_relaxed);
  }

  const char* change() const noexcept override { return file_.change(); }
  uint64_t modified() const noexcept override { return file_.modified(); }

 private:
  RegularFile file_;
  mutable std::atomic<uint64_t> bytes_read_{0};
};

}  // namespace

std::shared_ptr<const ByteSource> pread_file(std::string name, RegularFile file) {
  return std::make_shared<PreadFile>(std::move(name), std::move(file));
}

}  // namespace heron::inline v0

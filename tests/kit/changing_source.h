// Bytes to which another thread writes while they are read, as may happen to a mapped file.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

class ChangingSource final : public ByteSource {
 public:
  explicit ChangingSource(std::vector<std::byte> bytes)
      : ByteSource("changing", bytes.size(), nullptr), bytes_(std::move(bytes)) {
    base_ = bytes_.data();
    may_change_ = true;
  }

  void read(uint64_t offset, std::span<std::byte> into, const Context&) const override {
    if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
  }
  const char* change() const noexcept override {
    return changed_.load() ? "was written to while open" : nullptr;
  }

  void overwrite(std::byte with) {
    changed_ = true;
    std::ranges::fill(bytes_, with);
  }

  // Leaves change() as it was: times of files are coarse.
  void overwrite(uint64_t offset, std::string_view with) {
    std::ranges::copy(std::as_bytes(std::span(with)), bytes_.begin() + static_cast<ptrdiff_t>(offset));
  }

  // Flips the bytes between their content and `others`, of the same size, until destroyed.
  class Flips {
   public:
    Flips(ChangingSource& source, std::vector<std::byte> others)
        : source_((source.changed_ = true, source)),
          first_(source.bytes_),
          others_(std::move(others)),
          thread_([this] {
            while (!stop_.load(std::memory_order_relaxed)) {
              std::ranges::copy(others_, source_.bytes_.begin());
              std::ranges::copy(first_, source_.bytes_.begin());
            }
          }) {}
    ~Flips() {
      stop_ = true;
      thread_.join();
    }
    Flips(const Flips&) = delete;
    Flips& operator=(const Flips&) = delete;

   private:
    ChangingSource& source_;
    const std::vector<std::byte> first_, others_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
  };

 private:
  std::vector<std::byte> bytes_;
  std::atomic<bool> changed_{false};
};

}  // namespace heron::inline v0

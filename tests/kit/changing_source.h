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

  // Flips the bytes between their content and `others`, of the same size, until destroyed. Only the
  // parts that differ are written, so that few instructions pass between two flips.
  class Flips {
   public:
    Flips(ChangingSource& source, std::vector<std::byte> others)
        : others_(std::move(others)), first_(source.bytes_) {
      source.changed_ = true;
      for (size_t at = 0; at < first_.size();) {
        const size_t begin = at;
        while (at < first_.size() && first_[at] != others_[at]) ++at;
        if (at > begin) differing_.push_back({begin, at - begin});
        if (at == begin) ++at;
      }
      thread_ = std::thread([this, to = source.bytes_.data()] {
        while (!stop_.load(std::memory_order_relaxed)) {
          write(others_, to);
          write(first_, to);
        }
      });
    }
    ~Flips() {
      stop_ = true;
      thread_.join();
    }
    Flips(const Flips&) = delete;
    Flips& operator=(const Flips&) = delete;

   private:
    struct Part {
      size_t begin, bytes;
    };

    void write(const std::vector<std::byte>& from, std::byte* to) const {
      for (const Part& part : differing_) {
        std::memcpy(to + part.begin, from.data() + part.begin, part.bytes);
      }
    }

    const std::vector<std::byte> others_, first_;
    std::vector<Part> differing_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
  };

 private:
  std::vector<std::byte> bytes_;
  std::atomic<bool> changed_{false};
};

}  // namespace heron::inline v0

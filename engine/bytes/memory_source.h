// Bytes in memory, as a ByteSource.
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

class MemorySource final : public ByteSource {
 public:
  // `owner` keeps `bytes` alive; if null, the caller does.
  MemorySource(std::string name, std::span<const std::byte> bytes,
               std::shared_ptr<const void> owner = nullptr)
      : ByteSource(std::move(name), bytes.size(), bytes.data()), owner_(std::move(owner)) {}

  void read(uint64_t offset, std::span<std::byte> into, const Context&) const override {
    if (!into.empty()) std::memcpy(into.data(), base() + offset, into.size());
  }

 private:
  std::shared_ptr<const void> owner_;
};

}  // namespace heron::inline v0

// A part of another source, in place.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// Has a base() if the other source has one, which it keeps alive.
class SliceSource final : public ByteSource {
 public:
  // The caller has checked that the part lies inside.
  SliceSource(std::string name, std::shared_ptr<const ByteSource> whole, uint64_t offset,
              uint64_t bytes)
      : ByteSource(std::move(name), bytes,
                   whole->base() == nullptr ? nullptr : whole->base() + offset),
        whole_(std::move(whole)),
        offset_(offset) {
    may_change_ = whole_->may_change();
    lost_of_map_ = &whole_->lost();
  }

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override {
    whole_->read(offset_ + offset, into, context);
  }
  bool can_prefetch() const noexcept override { return whole_->can_prefetch(); }
  bool may_be_cold(uint64_t least_bytes) const noexcept override {
    return whole_->may_be_cold(least_bytes);
  }
  bool any_cold(std::span<const uint64_t> offsets, Coldness* own) const noexcept override;
  uint64_t prefetch(std::span<const ByteRange> ranges, bool are_far) const noexcept override;
  bool releases() const noexcept override { return whole_->releases(); }
  void release(std::span<const ByteRange> ranges) const noexcept override;
  void begin_scattered() const noexcept override { whole_->begin_scattered(); }
  void end_scattered() const noexcept override { whole_->end_scattered(); }
  uint64_t bytes_read() const noexcept override { return whole_->bytes_read(); }
  std::vector<Counter> counters() const override { return whole_->counters(); }
  void check_read_of(uint64_t bytes) const override { whole_->check_read_of(bytes); }
  void check_lost() const override { whole_->check_lost(); }
  const char* change() const noexcept override { return whole_->change(); }
  uint64_t modified() const noexcept override { return whole_->modified(); }

 private:
  // Calls work(ranges of the whole), some of them at a time.
  template <class Work>
  void in_whole(std::span<const ByteRange> ranges, Work work) const {
    std::array<ByteRange, 64> some;
    while (!ranges.empty()) {
      const uint64_t count = std::min(ranges.size(), some.size());
      for (uint64_t i = 0; i < count; ++i) some[i] = {offset_ + ranges[i].offset, ranges[i].bytes};
      work(std::span<const ByteRange>(some).first(count));
      ranges = ranges.subspan(count);
    }
  }

  const std::shared_ptr<const ByteSource> whole_;
  const uint64_t offset_;
};

inline bool SliceSource::any_cold(std::span<const uint64_t> offsets, Coldness* own) const noexcept {
  std::array<uint64_t, 64> some;
  const uint64_t count = std::min(offsets.size(), some.size());
  for (uint64_t i = 0; i < count; ++i) some[i] = offset_ + offsets[i];
  return whole_->any_cold(std::span<const uint64_t>(some).first(count), own);
}

inline uint64_t SliceSource::prefetch(std::span<const ByteRange> ranges,
                                      bool are_far) const noexcept {
  uint64_t bytes = 0;
  in_whole(ranges,
           [&](std::span<const ByteRange> some) { bytes += whole_->prefetch(some, are_far); });
  return bytes;
}

inline void SliceSource::release(std::span<const ByteRange> ranges) const noexcept {
  in_whole(ranges, [&](std::span<const ByteRange> some) { whole_->release(some); });
}

}  // namespace heron::inline v0

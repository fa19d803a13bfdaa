// A part of another source, in place.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// A slice has a base() if the other source has one, which the slice keeps alive.
class SliceSource final : public ByteSource {
 public:
  // The caller has checked that the part is inside `whole`.
  SliceSource(std::string name, std::shared_ptr<const ByteSource> whole, uint64_t offset,
              uint64_t bytes)
      : ByteSource(std::move(name), bytes,
                   whole->base() == nullptr ? nullptr : whole->base() + offset),
        whole_(std::move(whole)),
        offset_(offset) {
    may_change_ = whole_->may_change();
    lost_of_map_ = &whole_->lost();
    files_.assign(whole_->files().begin(), whole_->files().end());
  }

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override {
    whole_->read(offset_ + offset, into, context);
  }
  void find_pages(const ByteRange& range, std::vector<FileRange>& found) const override {
    whole_->find_pages({offset_ + range.offset, range.bytes}, found);
  }
  uint64_t bytes_read() const noexcept override { return whole_->bytes_read(); }
  std::vector<Counter> counters() const override { return whole_->counters(); }
  void check_read_of(uint64_t bytes) const override { whole_->check_read_of(bytes); }
  void check_lost() const override { whole_->check_lost(); }
  const char* change() const noexcept override { return whole_->change(); }
  uint64_t modified() const noexcept override { return whole_->modified(); }

 private:
  const std::shared_ptr<const ByteSource> whole_;
  const uint64_t offset_;
};

}  // namespace heron::inline v0

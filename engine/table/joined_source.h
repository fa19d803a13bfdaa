// Several sources joined as one: the bytes of a table of many files. Every check checks each; the
// error names the source that has changed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// Has no base(): answers point into the sources, which it keeps alive.
class JoinedSource final : public ByteSource {
 public:
  JoinedSource(std::string name, std::vector<std::shared_ptr<const ByteSource>> sources);

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override;
  bool may_be_cold(uint64_t least_bytes) const noexcept override;
  bool can_prefetch() const noexcept override;
  bool any_cold(std::span<const uint64_t> offsets, Coldness* own) const noexcept override;
  uint64_t prefetch(std::span<const ByteRange> ranges, bool are_far) const noexcept override;
  bool releases() const noexcept override;
  void release(std::span<const ByteRange> ranges) const noexcept override;
  void begin_scattered() const noexcept override;
  void end_scattered() const noexcept override;
  uint64_t bytes_read() const noexcept override;
  // Sums counters by name; a second one of the same name (a container in a container) is summed
  // with the second ones of the other sources.
  std::vector<Counter> counters() const override;
  void check_read_of(uint64_t bytes) const override;
  void check_whole_read() const override;
  void check_lost() const override;
  void check_unchanged() const override;
  const char* change() const noexcept override;

 private:
  // Calls work(source, range of it) for the part of each range that lies in each source.
  template <class Work>
  void split(std::span<const ByteRange> ranges, Work work) const;

  const std::vector<std::shared_ptr<const ByteSource>> sources_;
};

}  // namespace heron::inline v0

// The bytes of several sources, one behind the other, as those of one: what a table of many files
// lies in. Every question is asked of each; the error is that of the source which has changed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// Without base(): answers point into the sources, which it keeps.
class JoinedSource final : public ByteSource {
 public:
  JoinedSource(std::string name, std::vector<std::shared_ptr<const ByteSource>> sources);

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override;
  uint64_t bytes_read() const noexcept override;
  // Summed by name; the second of a name (a container in a container) with the others' second.
  std::vector<Counter> counters() const override;
  void check_read_of(uint64_t bytes) const override;
  void check_whole_read() const override;
  void check_lost() const override;
  void check_unchanged() const override;
  const char* change() const noexcept override;

 private:
  const std::vector<std::shared_ptr<const ByteSource>> sources_;
};

}  // namespace heron::inline v0

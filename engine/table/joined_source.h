// Several sources joined as one: the bytes of a table of many files. Every check covers all of
// them; the error names the source that has changed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// A JoinedSource has no base(): answers point into the sources, which it keeps alive.
class JoinedSource final : public ByteSource {
 public:
  JoinedSource(std::string name, std::vector<std::shared_ptr<const ByteSource>> sources);

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override;
  void find_pages(const ByteRange& range, std::vector<FileRange>& found) const override;
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
  const std::vector<std::shared_ptr<const ByteSource>> sources_;
};

}  // namespace heron::inline v0

// Bytes that change right after they were accessed, as those of a mapped file may.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "bytes/byte_source.h"

namespace heron::inline v0 {

// Bytes in memory, some of which the processor watches: a number there that is loaded twice is another
// one the second time, every time it is tried. Only accesses of the thread that made the source count,
// and only one WatchedSource may exist at a time.
class WatchedSource final : public ByteSource {
 public:
  struct Watch {
    size_t offset = 0;
    unsigned accesses = 0;  // accesses to this byte before the bytes change, at least 1
  };
  static constexpr size_t kMaxWatches = 4;  // of a processor
  // Changes bytes at the offset of a watch. Called by a signal handler, between two instructions.
  using Change = std::function<void(std::span<std::byte> bytes, size_t offset)>;

  // Returns whether the system lets this program watch bytes.
  static bool is_possible();

  // Throws std::bad_alloc, or std::system_error where bytes cannot be watched.
  WatchedSource(std::span<const std::byte> bytes, std::span<const Watch> watches, Change change);
  ~WatchedSource() override;

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heron::inline v0

#include <algorithm>
#include <memory>

#include "base/arena.h"
#include "base/fail.h"
#include "bytes/inflate.h"
#include "bytes/memory_source.h"
#include "bytes/on_disk.h"
#include "bytes/payload_memory.h"
#include "bytes/view_reader.h"
#include "gzip/gzip.h"

namespace heron::inline v0::gzip {
namespace {

constexpr uint64_t kBlockBytes = uint64_t{64} << 10;  // unit of a payload that is read as bytes
constexpr uint64_t kMinMember = 18;                 // bytes of a header and a trailer

// Decompresses all members of a file.
class Inflation {
 public:
  Inflation(const ByteSource& file, std::span<const std::byte> stored, uint64_t most,
            const Context& context)
      : file_(file),
        stored_(stored),
        limit_(most),
        most_(std::min(most, most_inflated(stored.size()))),
        context_(context),
        memory_(context) {
    memory_.grow(std::min(most_, expected_bytes()));
  }

  void run() {
    uint64_t done = 0;
    while (done < stored_.size() && !is_padding(done)) done += member(done);
  }

  const PayloadMemory& payload() const noexcept { return memory_; }
  uint64_t members() const noexcept { return members_; }

 private:
  // Returns the larger of the last member's size, which its trailer has modulo 2^32, and the file's
  // size.
  uint64_t expected_bytes() const noexcept {
    const uint64_t last = load<u32le>(stored_.data() + stored_.size() - sizeof(u32le));
    return std::max(last, stored_.size());
  }

  // Returns whether only zeros follow the members, as tapes and block devices leave them.
  bool is_padding(uint64_t at) const noexcept {
    return members_ != 0 && std::ranges::all_of(stored_.subspan(at),
                                                [](std::byte byte) { return byte == std::byte{}; });
  }

  // Decompresses the member at this offset, and returns its stored size.
  uint64_t member(uint64_t at) {
    for (;;) {
      context_.check_cancelled();
      const InflatedStream member =
          inflate_stream(DeflateFormat::Gzip, stored_.subspan(at), memory_.free());
      if (member.result == InflatedStream::Result::Ok) {
        memory_.use(member.bytes);
        ++members_;
        return member.stored_bytes;
      }
      if (member.result == InflatedStream::Result::Corrupt) fail_damaged(at);
      const uint64_t capacity = memory_.capacity();
      if (capacity == limit_) fail_max_decode(file_, stored_.size(), limit_);
      if (capacity == most_) fail_damaged(at);
      memory_.grow(capacity > most_ / 2 ? most_ : 2 * capacity);
    }
  }

  [[noreturn]] void fail_damaged(uint64_t at) const {
    fail(ErrorKind::Corrupt, file_.name(), "byte ", at, ": expected ",
         members_ == 0 ? "a gzip member" : "another gzip member or the end",
         ", got damaged or cut-off data");
  }

  const ByteSource& file_;
  const std::span<const std::byte> stored_;
  const uint64_t limit_;
  const uint64_t most_;
  const Context& context_;
  PayloadMemory memory_;
  uint64_t members_ = 0;
};

}  // namespace

Match probe(std::span<const std::byte> head, uint64_t) noexcept {
  constexpr std::byte kMagic[] = {std::byte{0x1F}, std::byte{0x8B}, std::byte{8}};
  const bool is_gzip =
      head.size() >= std::size(kMagic) && std::ranges::equal(head.first(std::size(kMagic)), kMagic);
  return is_gzip ? Match::Yes : Match::No;
}

Unwrapped unwrap(std::shared_ptr<const ByteSource> bytes, const OpenOptions& options,
                 std::span<const std::byte>, const Context& context) {
  if (bytes->size() < kMinMember) {
    fail(ErrorKind::Corrupt, bytes->name(), "cut off: expected at least ", kMinMember,
         " bytes, got ", bytes->size());
  }
  bytes->check_whole_read();
  Arena arena(context.memory);
  const ByteView view{bytes.get(), 0, bytes->size()};
  const std::byte* stored = own_window(view, 0, view.bytes, 1, arena, context);
  Inflation inflation(*bytes, {stored, view.bytes}, options.max_decode, context);
  inflation.run();
  bytes->check_unchanged();
  Unwrapped unwrapped;
  const PayloadMemory& payload = inflation.payload();
  unwrapped.header = {{"payload_bytes", concat(payload.bytes().size())},
                      {"members", concat(inflation.members())}};
  unwrapped.block_bytes = kBlockBytes;
  unwrapped.payload =
      std::make_shared<MemorySource>(bytes->name(), payload.bytes(), payload.owner());
  return unwrapped;
}

}  // namespace heron::inline v0::gzip

#include "compression/compression.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/fail.h"
#include "bytes/memory_source.h"
#include "bytes/output_file.h"
#include "bytes/payload_memory.h"

namespace heron::inline v0::compression {
namespace {

using namespace std::string_view_literals;

constexpr uint64_t kBlockBytes = uint64_t{64} << 10;  // unit of a payload that is read as bytes
constexpr uint64_t kStepBytes = uint64_t{1} << 20;

Match starts_with(std::span<const std::byte> head, std::string_view magic) noexcept {
  const std::string_view text(reinterpret_cast<const char*>(head.data()), head.size());
  return text.starts_with(magic) ? Match::Yes : Match::No;
}

// Reads all bytes of the stream, up to a limit.
void read_all(Decompressor& stream, const ByteSource& file, uint64_t limit, PayloadMemory& memory) {
  memory.grow(std::min(limit, std::max(kStepBytes, file.size())));
  for (;;) {
    memory.use(stream.read(memory.free()));
    if (!memory.free().empty()) return;
    std::byte more{};
    if (stream.read({&more, 1}) == 0) return;
    const uint64_t capacity = memory.capacity();
    if (capacity == limit) fail_max_decode(file, file.size(), limit);
    memory.grow(capacity > limit / 2 ? limit : std::max<uint64_t>(2 * capacity, 1));
    memory.free().front() = more;
    memory.use(1);
  }
}

}  // namespace

// Requires the magic of the first block, or of the end, behind the level, as far as the head goes.
Match probe_bzip2(std::span<const std::byte> head, uint64_t) noexcept {
  constexpr size_t kLevelAt = 3;
  if (starts_with(head, "BZh"sv) == Match::No || head.size() <= kLevelAt) return Match::No;
  const auto level = static_cast<char>(head[kLevelAt]);
  if (level < '1' || level > '9') return Match::No;
  constexpr std::string_view kBlock = "1AY&SY", kEnd = "\x17rE8P\x90";
  const auto next =
      head.subspan(kLevelAt + 1).first(std::min(head.size() - kLevelAt - 1, kEnd.size()));
  return starts_with(next, kBlock.substr(0, next.size())) == Match::Yes
             ? Match::Yes
             : starts_with(next, kEnd.substr(0, next.size()));
}

Match probe_xz(std::span<const std::byte> head, uint64_t) noexcept {
  return starts_with(head, "\xFD\x37zXZ\0"sv);
}

Match probe_zstd(std::span<const std::byte> head, uint64_t) noexcept {
  return starts_with(head, "\x28\xB5\x2F\xFD"sv);
}

Unwrapped decompress(Compression method, std::shared_ptr<const ByteSource> bytes,
                     const OpenOptions& options, const Context& context) {
  bytes->check_whole_read();
  PayloadMemory payload(context);
  Decompressor stream(method, *bytes, context);
  read_all(stream, *bytes, options.max_decode, payload);
  bytes->check_unchanged();
  Unwrapped unwrapped;
  unwrapped.header = {{"payload_bytes", concat(payload.bytes().size())}};
  unwrapped.block_bytes = kBlockBytes;
  unwrapped.payload =
      std::make_shared<MemorySource>(bytes->name(), payload.bytes(), payload.owner());
  return unwrapped;
}

uint64_t compress(Compression method, const ByteSource& payload, OutputFile& out,
                  const Context& context) {
  uint64_t written = 0;
  Compressor stream(method, [&](std::span<const std::byte> bytes) {
    out.write_at(written, bytes);
    written += bytes.size();
  });
  std::vector<std::byte> piece(std::min(kStepBytes, payload.size()));
  for (uint64_t at = 0; at < payload.size(); at += piece.size()) {
    context.step(at, payload.size());
    const auto some = std::span(piece).first(std::min<uint64_t>(piece.size(), payload.size() - at));
    payload.read(at, some, context);
    stream.write(some);
  }
  stream.finish();
  payload.check_unchanged();
  return written;
}

}  // namespace heron::inline v0::compression

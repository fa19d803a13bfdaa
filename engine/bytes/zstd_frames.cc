#include "bytes/zstd_frames.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "base/fail.h"
#include "bytes/on_disk.h"

namespace heron::inline v0 {
namespace {

constexpr uint32_t kFrame = 0xFD2FB528;
constexpr uint32_t kSkippable = 0x184D2A50;  // the first of 16 magics, up to 0x184D2A5F
constexpr uint64_t kMaxWindow = uint64_t{1} << 27;

class Walk {
 public:
  Walk(const ByteSource& source, const Context& context) : source_(source), context_(context) {}

  void run() {
    do {
      context_.check_cancelled();
      start_ = at_;
      const uint64_t magic = number(4);
      if (magic == kFrame) {
        frame();
      } else if ((magic & ~uint64_t{0xF}) == kSkippable) {
        skip(number(4));
      } else {
        fail(ErrorKind::Corrupt, source_.name(), "byte ", start_,
             ": expected a zstd frame or the end, got other data");
      }
    } while (at_ < source_.size());
  }

 private:
  uint64_t number(uint64_t bytes) {
    std::array<std::byte, 8> stored{};
    need(bytes);
    if (at_ + bytes > read_.end()) read_ahead();
    std::memcpy(stored.data(), ahead_.data() + (at_ - read_.offset), bytes);
    at_ += bytes;
    return load<u64le>(stored.data());
  }
  // Many numbers share a read, since the payload of a TreeZip file decodes a block for each read.
  void read_ahead() {
    read_ = {at_, std::min<uint64_t>(ahead_.size(), source_.size() - at_)};
    source_.read(at_, std::span(ahead_).first(read_.bytes), context_);
  }
  void skip(uint64_t bytes) {
    need(bytes);
    at_ += bytes;
  }
  void need(uint64_t bytes) const {
    if (bytes <= source_.size() - at_) return;
    source_.check_unchanged();  // a change would be the cause
    fail(ErrorKind::Corrupt, source_.name(), "cut off: the zstd frame at byte ", start_,
         " goes on behind byte ", source_.size());
  }

  void frame() {
    constexpr std::array<uint64_t, 4> kDictionaryBytes{0, 1, 2, 4};
    const uint64_t descriptor = number(1);
    const bool is_single = (descriptor >> 5 & 1) != 0;
    uint64_t window = is_single ? 0 : window_of(number(1));
    skip(kDictionaryBytes[descriptor & 3]);
    const uint64_t size_flag = descriptor >> 6;
    const uint64_t size_bytes = size_flag == 0 ? uint64_t{is_single} : uint64_t{1} << size_flag;
    const uint64_t size = size_bytes == 0 ? 0 : number(size_bytes) + (size_bytes == 2 ? 256 : 0);
    if (is_single) window = size;
    if (window > kMaxWindow) {
      fail(ErrorKind::Limit, source_.name(), "the zstd frame at byte ", start_, " needs ", window,
           " bytes of memory to decompress; the most is ", kMaxWindow);
    }
    for (bool is_last = false; !is_last;) {
      context_.check_cancelled();
      const uint64_t header = number(3);
      constexpr uint64_t kRunOfOneByte = 1;
      is_last = (header & 1) != 0;
      skip((header >> 1 & 3) == kRunOfOneByte ? 1 : header >> 3);
    }
    if ((descriptor >> 2 & 1) != 0) skip(4);  // a checksum
  }
  static uint64_t window_of(uint64_t descriptor) {
    const uint64_t base = uint64_t{1} << (10 + (descriptor >> 3));
    return base + base / 8 * (descriptor & 7);
  }

  const ByteSource& source_;
  const Context& context_;
  uint64_t start_ = 0;  // offset of the frame
  uint64_t at_ = 0;     // only ascends
  ByteRange read_;      // of the source, in ahead_
  std::array<std::byte, 4096> ahead_;
};

}  // namespace

void check_zstd_frames(const ByteSource& source, const Context& context) {
  Walk(source, context).run();
}

}  // namespace heron::inline v0

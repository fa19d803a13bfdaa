// heron-bodies FILE... [--seconds S]: the sums of all columns of Arrow files whose bodies are
// compressed, on one thread, no buffer in memory, beside loops over liblz4 or libzstd that
// decompress the same buffers and add up their words: `sums`, into fresh memory of the size of
// Heron's cache, which keeps what it holds; `sums_reused`, into the same few pages. Columns must be numbers or
// bools without nulls. Prints lines as heron-ops does.
#include <lz4frame.h>
#include <sys/mman.h>
#include <zstd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "file.h"
#include "measure.h"
#include "sums.h"
#include "table/internals.h"

namespace heron::bench {
namespace {

constexpr uint32_t kLz4 = 0x184D2204, kZstd = 0xFD2FB528;  // the first bytes of a frame
constexpr uint64_t kAlignment = 8;                         // of buffers in the file
constexpr uint64_t kMaxBytes = uint64_t{1} << 32;          // of a buffer

struct Buffer {
  const std::byte* frame;
  uint64_t frame_bytes;
  uint64_t bytes;  // decompressed
  bool is_lz4;
};

// Decompresses frames with one context each.
class Decompressors {
 public:
  Decompressors() : zstd_(ZSTD_createDCtx()) {
    LZ4F_createDecompressionContext(&lz4_, LZ4F_VERSION);
  }
  ~Decompressors() {
    ZSTD_freeDCtx(zstd_);
    LZ4F_freeDecompressionContext(lz4_);
  }
  Decompressors(const Decompressors&) = delete;
  Decompressors& operator=(const Decompressors&) = delete;

  // Returns how many bytes of the frame were read; 0: it is none of `bytes` decompressed bytes.
  uint64_t run(const Buffer& buffer, std::byte* to) {
    if (!buffer.is_lz4) {
      const size_t frame = ZSTD_findFrameCompressedSize(buffer.frame, buffer.frame_bytes);
      if (ZSTD_isError(frame)) return 0;
      const size_t written = ZSTD_decompressDCtx(zstd_, to, buffer.bytes, buffer.frame, frame);
      return written == buffer.bytes ? frame : 0;
    }
    LZ4F_resetDecompressionContext(lz4_);
    size_t hint = 1, read = 0, written = 0;
    while (hint != 0) {
      size_t some = buffer.frame_bytes - read, into = buffer.bytes - written;
      hint = LZ4F_decompress(lz4_, to + written, &into, buffer.frame + read, &some, nullptr);
      if (LZ4F_isError(hint) || (some == 0 && into == 0)) return 0;
      read += some;
      written += into;
    }
    return written == buffer.bytes ? read : 0;
  }

 private:
  LZ4F_dctx* lz4_ = nullptr;
  ZSTD_DCtx* zstd_;
};

// Finds the compressed buffers of all bodies: a length, then the frame that has this many bytes
// decompressed.
std::vector<Buffer> find_buffers(const PlainMap& map) {
  std::vector<Buffer> buffers;
  std::vector<std::byte> into;
  Decompressors decompressors;
  const std::byte* end = map.base() + map.bytes();
  for (const std::byte* at = map.base(); end - at >= 16;) {
    const auto bytes = load<uint64_t>(at);
    const auto magic = load<uint32_t>(at + 8);
    uint64_t read = 0;
    if ((magic == kLz4 || magic == kZstd) && bytes != 0 && bytes <= kMaxBytes) {
      if (into.size() < bytes) into.resize(bytes);
      Buffer buffer{at + 8, static_cast<uint64_t>(end - at - 8), bytes, magic == kLz4};
      read = decompressors.run(buffer, into.data());
      buffer.frame_bytes = read;
      if (read != 0) buffers.push_back(buffer);
    }
    at += (8 + read + kAlignment - 1) / kAlignment * kAlignment;
  }
  return buffers;
}

struct HeronSums {
  const MeasuredFile& file;
  std::shared_ptr<const Table> table = nullptr;
  double total = 0;

  void run(uint64_t) {
    if (table == nullptr) reopen();  // before the first run
    Context context;
    context.threads = 1;
    std::vector<Aggregate> aggregates;
    for (uint64_t i = 0; i < table->column_count(); ++i) {
      aggregates.push_back({.function = Aggregate::Function::Sum, .column = i});
    }
    total = 0;
    for (const Values& sum : aggregate(Query(table), aggregates, context).columns) {
      total += as_double(sum);
    }
  }
  double check() {
    if (total == 0) throw std::runtime_error("expected sums, got 0");
    reopen();
    return 0;
  }

 private:
  void reopen() {
    const auto opened = open(file.path, file.options);
    table = opened->table();
    touch(*internals(*opened).bytes);
  }
};

// Memory of which no page was touched.
class FreshMemory {
 public:
  explicit FreshMemory(uint64_t bytes)
      : bytes_(bytes),
        memory_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    ::madvise(memory_, bytes, MADV_HUGEPAGE);
  }
  ~FreshMemory() { ::munmap(memory_, bytes_); }
  FreshMemory(const FreshMemory&) = delete;
  FreshMemory& operator=(const FreshMemory&) = delete;

  std::byte* data() const { return static_cast<std::byte*>(memory_); }
  uint64_t bytes() const { return bytes_; }

 private:
  uint64_t bytes_;
  void* memory_;
};

// Fills memory of `bytes` from its start, again and again.
struct BoundBuffers {
  std::vector<Buffer> buffers;
  uint64_t bytes;
  bool is_fresh;  // each run has memory of its own
  std::unique_ptr<FreshMemory> into = std::make_unique<FreshMemory>(bytes);
  Decompressors decompressors = {};

  void run(uint64_t) {
    uint64_t used = 0;
    for (const Buffer& buffer : buffers) {
      if (buffer.bytes > bytes - used) used = 0;
      std::byte* words = into->data() + used;
      used += (buffer.bytes + 63) / 64 * 64;
      used = std::min(used, bytes);
      keep(decompressors.run(buffer, words));
      uint64_t total = 0;
      for (uint64_t at = 0; at + sizeof total <= buffer.bytes; at += sizeof total) {
        total += load<uint64_t>(words + at);
      }
      keep(total);
    }
  }
  double check() {
    if (is_fresh) into = std::make_unique<FreshMemory>(bytes);
    return 0;
  }
};

bool run(const std::string& path, double seconds) {
  const MeasuredFile file(path, {});
  std::vector<Buffer> buffers = find_buffers(file.map);
  uint64_t bytes = 0, largest = 0;
  for (const Buffer& buffer : buffers) {
    bytes += buffer.bytes;
    largest = std::max(largest, buffer.bytes);
  }
  if (bytes == 0) throw std::runtime_error(path + ": expected compressed bodies, got none");
  print_heading(path);
  HeronSums heron{file};
  const uint64_t cache_bytes = std::max(OpenOptions().cache_bytes, largest);
  BoundBuffers kept{buffers, std::min(cache_bytes, bytes + 64 * buffers.size()), true};
  BoundBuffers reused{std::move(buffers), largest, false};
  Op op{.name = "sums", .max_ratio = 1.15, .amount = bytes, .runs = 7};
  bool agree = measure(op, {path, seconds}, heron, kept);
  op.name = "sums_reused";
  agree &= measure(op, {path, seconds}, heron, reused);
  return agree;
}

}  // namespace
}  // namespace heron::bench

int main(int count, char** words) {
  double seconds = 1;
  std::vector<std::string> paths;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    if (word == "--seconds" && i + 1 < count) {
      seconds = std::atof(words[++i]);
    } else {
      paths.emplace_back(word);
    }
  }
  if (paths.empty()) {
    std::fputs("heron-bodies FILE... [--seconds S]\n", stderr);
    return 2;
  }
  try {
    bool agree = true;
    for (const std::string& path : paths) agree &= heron::bench::run(path, seconds);
    return agree ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "heron-bodies: %s\n", error.what());
    return EXIT_FAILURE;
  }
}

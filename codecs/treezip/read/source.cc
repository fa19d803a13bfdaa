// A read is either decoded directly into its target, or its chunk is decoded, cached and copied
// from. Which is cheaper depends on future reads: so a chunk is decoded once reads within it have
// cost a share of its own cost. A single row decodes only itself, a scan soon gets chunks, and
// neither pays much more than with foresight.
#include "treezip/read/source.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "base/fail.h"
#include "base/hints.h"
#include "cache/block_cache.h"

namespace heron::inline v0::treezip {
namespace {

// Direct reads may cost 1 / kShare of a chunk before the chunk is decoded; large reads, which are
// likely to be a scan's, less.
constexpr uint64_t kShare = 4;
constexpr uint64_t kScanShare = 16;
constexpr uint64_t kScanBytes = 4096;
// A read of at least 1 / kLargeShare of a chunk counts as a scan.
constexpr uint64_t kLargeShare = 64;
// Chunks are cached only if a payload has at most this many: with more, it is far too large to
// decode.
constexpr uint64_t kMaxChunks = uint64_t{1} << 26;

// The counters and checks that all decoding shares.
class Work {
 public:
  Work(std::shared_ptr<const TreeFile> file, std::unique_ptr<const Decoder> decoder)
      : file_(std::move(file)), decoder_(std::move(decoder)) {}

  const TreeFile& file() const noexcept { return *file_; }
  const Decoder& decoder() const noexcept { return *decoder_; }

  uint64_t decode(uint64_t offset, std::span<std::byte> into, const Context& context) const {
    const uint64_t cost = decoder_->decode(offset, into, context);
    file_->source().check_lost();
    return cost;
  }

 private:
  const std::shared_ptr<const TreeFile> file_;
  const std::unique_ptr<const Decoder> decoder_;
};

// Loads a chunk of the payload; only the bytes of its frame are cached.
class ChunkLoader final : public CacheLoader {
 public:
  ChunkLoader(const Work& work, uint64_t chunk) noexcept
      : work_(work), offset_(chunk * work.decoder().chunk_bytes()) {}

  uint64_t frame_bytes(const Context&) const override {
    return std::min(work_.decoder().chunk_bytes(), work_.file().header().size - offset_);
  }
  std::unique_ptr<CacheEntry> load(const CacheFrame& frame, const Context& context) const override {
    work_.decode(offset_, {frame.memory, frame.bytes}, context);
    return std::make_unique<CacheEntry>();
  }

 private:
  const Work& work_;
  const uint64_t offset_;
};

class Payload final : public ByteSource {
 public:
  Payload(std::shared_ptr<const Work> work, uint64_t parsed_bits, const OpenOptions& options,
          std::shared_ptr<MemoryBudget> budget)
      : ByteSource(concat(work->file().name(), " (payload)"), work->file().header().size, nullptr),
        work_(std::move(work)),
        parsed_bits_(parsed_bits),
        max_decode_(options.max_decode),
        chunk_bytes_(work_->decoder().chunk_bytes()) {
    if (prefetches(file())) {
      for (const FileInUse& one : file().files()) files_.push_back({one.pages, false});
    }
    const uint64_t count = size() / chunk_bytes_ + 1;
    const bool keeps = std::min(chunk_bytes_, size()) <= options.cache_bytes;
    if (!keeps || count > kMaxChunks) return;
    slots_ = std::make_unique<CacheSlots>(
        std::make_shared<BlockCache>(options.cache_bytes, std::move(budget)), count);
  }

  void read(uint64_t offset, std::span<std::byte> into, const Context& context) const override {
    while (!into.empty()) {
      const uint64_t chunk = offset / chunk_bytes_;
      const uint64_t bytes = std::min<uint64_t>(into.size(), chunk_bytes_ - offset % chunk_bytes_);
      read_of_chunk(chunk, offset, into.first(bytes), context);
      offset += bytes;
      into = into.subspan(bytes);
    }
  }

  // Cached chunks need no pages of the tree.
  void find_pages(const ByteRange& range, std::vector<FileRange>& found) const override {
    if (files_.empty()) return;
    std::vector<ByteRange> tree;
    for (uint64_t at = range.offset; at < range.end();) {
      const uint64_t chunk = at / chunk_bytes_;
      const uint64_t bytes = std::min(range.end() - at, chunk_bytes_ - at % chunk_bytes_);
      if (slots_ == nullptr || !slots_->pin_if_cached(chunk, BlockUse::Take)) {
        work_->decoder().locate({at, bytes}, tree);
      }
      at += bytes;
    }
    for (const ByteRange& one : tree) file().find_pages(one, found);
  }

  std::vector<Counter> counters() const override {
    std::vector<Counter> all = work_->file().source().counters();
    all.push_back({"payload_bytes_decoded", work_->decoder().decoded_bytes()});
    all.push_back({"tree_bits_parsed", parsed_bits_ + work_->decoder().parsed_bits()});
    return all;
  }
  void check_read_of(uint64_t bytes) const override {
    if (bytes <= max_decode_) return;
    fail_with_hint(ErrorKind::Limit, hint::kMaxDecode, name(), bytes, " of its ", size(),
                   " bytes would have to be decoded, more than max_decode allows (", max_decode_,
                   " bytes)");
  }
  const char* change() const noexcept override { return work_->file().source().change(); }

 private:
  // Returns whether to request pages of the file ahead. Without a map, the tree is in memory. To
  // look for cold pages of a row decodes its offsets once more, which costs a small tree more than
  // the system's readahead takes to bring in all of it.
  static bool prefetches(const ByteSource& file) noexcept {
    constexpr uint64_t kLarge = uint64_t{8} << 20;
    const bool by_itself = !file.may_be_cold(UINT64_MAX);  // no caller of open() declared it cold
    return file.base() != nullptr && file.can_prefetch() && !(by_itself && file.size() < kLarge);
  }

  const ByteSource& file() const noexcept { return work_->file().source(); }

  void read_of_chunk(uint64_t chunk, uint64_t offset, std::span<std::byte> into,
                     const Context& context) const {
    if (slots_ == nullptr) {
      work_->decode(offset, into, context);
      return;
    }
    const bool large = into.size() >= chunk_bytes_ / kLargeShare;
    const BlockUse use = large ? BlockUse::Scan : BlockUse::Take;
    std::atomic<uint64_t>& spent = spent_[chunk % spent_.size()];
    CacheSlots::Pin pin = slots_->pin_if_cached(chunk, use);
    if (!pin) {
      const uint64_t share = into.size() >= kScanBytes ? kScanShare : kShare;
      const uint64_t allowed = work_->decoder().chunk_cost() / share;
      if (!large && spent.load(std::memory_order_relaxed) <= allowed) {
        spent.fetch_add(work_->decode(offset, into, context), std::memory_order_relaxed);
        return;
      }
      spent.store(0, std::memory_order_relaxed);
      pin = slots_->pin(chunk, use, ChunkLoader(*work_, chunk), context);
    }
    std::memcpy(into.data(), pin->frame().memory + offset % chunk_bytes_, into.size());
  }

  const std::shared_ptr<const Work> work_;
  const uint64_t parsed_bits_;  // bits parsed at open
  const uint64_t max_decode_;
  const uint64_t chunk_bytes_;
  std::unique_ptr<CacheSlots> slots_;  // null: chunks are not cached
  // The summed cost of direct reads of chunks. Distant chunks share a sum, so one of them may be
  // decoded somewhat early.
  mutable std::array<std::atomic<uint64_t>, 256> spent_{};
};

}  // namespace

std::shared_ptr<const ByteSource> payload_source(std::shared_ptr<const TreeFile> file,
                                                 uint64_t parsed_bits,
                                                 std::unique_ptr<const Decoder> decoder,
                                                 const OpenOptions& options,
                                                 std::shared_ptr<MemoryBudget> budget) {
  auto work = std::make_shared<const Work>(std::move(file), std::move(decoder));
  return std::make_shared<const Payload>(std::move(work), parsed_bits, options, std::move(budget));
}

}  // namespace heron::inline v0::treezip

// The bits of a tree without previous bits depend on their addresses alone: any range is filled
// from the tree (range_fill.h). As each fill visits every subtree with bits in its range, and trees
// often test the low address bits first, large ranges are much cheaper per byte.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>

#include "treezip/read/decoder.h"
#include "treezip/read/range_fill.h"

namespace heron::inline v0::treezip {
namespace {

constexpr uint64_t kMinChunk = uint64_t{256} << 10;
constexpr uint64_t kMaxChunk = uint64_t{64} << 20;
// A chunk is this many times the tree's bytes, because filling it may visit most of the tree.
constexpr uint64_t kChunkTrees = 8;
// Unaligned ranges up to this size are filled in another buffer and copied.
constexpr uint64_t kSmallBytes = 4096;

uint64_t chunk_for(uint64_t payload_bytes, uint64_t tree_bits) {
  const uint64_t target = std::min(tree_bits / 8, kMaxChunk) * kChunkTrees;
  const uint64_t chunk = std::bit_ceil(std::clamp(target, kMinChunk, kMaxChunk));
  return payload_bytes < chunk ? std::bit_ceil(payload_bytes) : chunk;
}

class DirectDecoder final : public Decoder {
 public:
  DirectDecoder(std::shared_ptr<const TreeFile> file, std::shared_ptr<const Survey> survey)
      : file_(std::move(file)),
        survey_(std::move(survey)),
        chunk_bytes_(chunk_for(file_->header().size, survey_->tree_bits)) {}

  uint64_t chunk_bytes() const noexcept override { return chunk_bytes_; }
  // Returns the cost in branches visited or parsed past; 64 words laid over count as one branch.
  uint64_t chunk_cost() const noexcept override {
    return survey_->branches + chunk_bytes_ / sizeof(uint64_t);
  }
  uint64_t decoded_bytes() const noexcept override {
    return decoded_bytes_.load(std::memory_order_relaxed);
  }
  uint64_t parsed_bits() const noexcept override {
    return parsed_bits_.load(std::memory_order_relaxed);
  }
  uint64_t index_bytes() const noexcept override { return survey_->index.bytes(); }

  uint64_t decode(uint64_t offset, std::span<std::byte> into,
                  const Context& context) const override {
    uint64_t steps = 0;
    if (!file_->header().is_only_initial()) {
      uint64_t bits = 0;
      for (uint64_t done = 0; done < into.size();) {
        context.check_cancelled();
        std::span<std::byte> piece =
            into.subspan(done, piece_bytes(offset + done, into.size() - done));
        const FillCost cost = fill_piece(offset + done, piece, context);
        steps += cost.steps();
        bits += cost.bits;
        done += piece.size();
      }
      parsed_bits_.fetch_add(bits, std::memory_order_relaxed);
    }
    file_->put_initial_bits(offset, into);
    decoded_bytes_.fetch_add(into.size(), std::memory_order_relaxed);
    return steps;
  }

  void locate(ByteRange payload, std::vector<ByteRange>& tree) const override {
    if (file_->header().is_only_initial()) return;
    while (payload.bytes != 0) {
      const uint64_t bytes = std::min(payload.bytes, chunk_bytes_ - payload.offset % chunk_bytes_);
      treezip::locate(*file_, survey_->index, AlignedRange(payload.offset, bytes), tree);
      payload = {payload.offset + bytes, payload.bytes - bytes};
    }
  }

 private:
  // Returns how much of a range to fill at once: not across chunks; large parts in whole words.
  uint64_t piece_bytes(uint64_t offset, uint64_t bytes) const noexcept {
    const uint64_t in_chunk = std::min(bytes, chunk_bytes_ - offset % chunk_bytes_);
    const uint64_t before = offset % sizeof(uint64_t);
    if (in_chunk <= kSmallBytes) return in_chunk;
    return before == 0 ? in_chunk - in_chunk % sizeof(uint64_t) : sizeof(uint64_t) - before;
  }

  FillCost fill_piece(uint64_t offset, std::span<std::byte> into, const Context& context) const {
    const AlignedRange range(offset, into.size());
    const uint64_t before = offset % sizeof(uint64_t);
    if (before == 0 && into.size() % sizeof(uint64_t) == 0) {
      std::memset(into.data(), 0, into.size());
      return fill(*file_, survey_->index, range, into.data(), context);
    }
    std::array<std::byte, kSmallBytes + 2 * sizeof(uint64_t)> words;
    std::memset(words.data(), 0, into.size() + 2 * sizeof(uint64_t));
    const FillCost cost = fill(*file_, survey_->index, range, words.data(), context);
    std::memcpy(into.data(), words.data() + before, into.size());
    return cost;
  }

  const std::shared_ptr<const TreeFile> file_;
  const std::shared_ptr<const Survey> survey_;
  const uint64_t chunk_bytes_;
  mutable std::atomic<uint64_t> decoded_bytes_{0};
  mutable std::atomic<uint64_t> parsed_bits_{0};
};

}  // namespace

std::unique_ptr<const Decoder> direct_decoder(std::shared_ptr<const TreeFile> file,
                                              std::shared_ptr<const Survey> survey) {
  return std::make_unique<DirectDecoder>(std::move(file), std::move(survey));
}

}  // namespace heron::inline v0::treezip

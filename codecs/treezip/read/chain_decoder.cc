// Decodes trees that test previous bits: every bit depends on those before it, so the first read of
// a byte decodes everything before it, and keeps a checkpoint for every block; bytes behind the
// frontier are decoded from there, many blocks at once.
#include <algorithm>
#include <optional>

#include "base/fail.h"
#include "base/hints.h"
#include "base/once.h"
#include "treezip/read/chain_walk.h"
#include "treezip/read/checkpoints.h"
#include "treezip/read/decoder.h"

namespace heron::inline v0::treezip {
namespace {

constexpr uint64_t kChunkBytes = uint64_t{64} << 10;
constexpr uint64_t kMinBlockBits = 4096;
constexpr uint64_t kMaxBlockBytes = 4096;
// The number of blocks decoded at once. With 16, the keys no longer fit the registers.
constexpr unsigned kLanes = 8;

// Returns the size of a block, such that checkpoints take less than a hundredth of the payload.
uint64_t block_bits(unsigned looks_back) {
  return std::max(kMinBlockBits, std::bit_ceil(uint64_t{128} * looks_back));
}

template <class Key>
class ChainDecoder final : public Decoder {
 public:
  ChainDecoder(std::shared_ptr<const TreeFile> file, std::shared_ptr<const Survey> survey,
               uint64_t max_decode, std::span<const std::byte> checkpoints,
               std::shared_ptr<MemoryBudget> memory)
      : file_(std::move(file)),
        survey_(std::move(survey)),
        max_decode_(max_decode),
        memory_(std::move(memory)),
        block_bytes_(block_bits(survey_->looks_back) / 8),
        kept_bytes_((survey_->looks_back + 7) / 8),
        checkpoints_(file_->header().size / block_bytes_ + 1, kept_bytes_, memory_) {
    if (checkpoints.size() / kept_bytes_ != blocks() || checkpoints.size() % kept_bytes_ != 0) {
      return;
    }
    checkpoints_.restore(checkpoints);
  }

  uint64_t chunk_bytes() const noexcept override { return kChunkBytes; }
  // Returns the cost in steps of one bit.
  uint64_t chunk_cost() const noexcept override { return kChunkBytes * 8; }

  uint64_t decode(uint64_t offset, std::span<std::byte> into,
                  const Context& context) const override {
    check_reach(offset);
    const Table& tree = table(context);
    uint64_t cost = 0;
    Part rest{offset, into};
    while (!rest.into.empty()) {
      const bool is_behind = rest.offset / block_bytes_ < checkpoints_.frontier();
      const uint64_t bits =
          is_behind ? decode_behind(tree, rest, context) : extend(tree, rest, context);
      decoded_bits_.fetch_add(bits, std::memory_order_relaxed);
      cost += bits;
    }
    file_->put_initial_bits(offset, into);
    return cost;
  }

  uint64_t decoded_bytes() const noexcept override {
    return decoded_bits_.load(std::memory_order_relaxed) / 8;
  }
  uint64_t parsed_bits() const noexcept override {
    return parsed_bits_.load(std::memory_order_relaxed);
  }
  uint64_t index_bytes() const noexcept override {
    return table_bytes_.load(std::memory_order_relaxed) + checkpoints_.bytes();
  }
  std::vector<std::byte> checkpoints() const override {
    if (checkpoints_.frontier() != blocks()) return {};
    std::vector<std::byte> kept;
    kept.reserve(blocks() * kept_bytes_);
    for (uint64_t block = 1; block <= blocks(); ++block) {
      const std::span<const std::byte> before = checkpoints_.before(block);
      kept.insert(kept.end(), before.begin(), before.end());
    }
    return kept;
  }

 private:
  using Table = NodeTable<Key>;
  using Past = typename Key::Past;
  using BlockWords = std::array<uint64_t, kMaxBlockBytes / 8>;

  // The part of the payload still to decode.
  struct Part {
    uint64_t offset;
    std::span<std::byte> into;

    uint64_t end() const { return offset + into.size(); }
    void drop(uint64_t bytes) {
      offset += bytes;
      into = into.subspan(bytes);
    }
  };

  uint64_t blocks() const noexcept {
    const uint64_t bytes = file_->header().size;
    return bytes / block_bytes_ + (bytes % block_bytes_ != 0);
  }

  void check_reach(uint64_t offset) const {
    const uint64_t reached = checkpoints_.frontier() * block_bytes_;
    if (offset > reached && offset - reached > max_decode_) {
      fail_with_hint(ErrorKind::Limit, hint::kMaxDecode, file_->name(), "payload byte ", offset,
                     ": ", offset - reached,
                     " bytes must be decoded first, more than max_decode allows (", max_decode_,
                     " bytes)");
    }
  }

  const Table& table(const Context& context) const {
    once_.run([&] {
      Context charged = context;
      charged.memory = memory_;
      table_.emplace(*file_, *survey_, charged);
      parsed_bits_.store(table_->parsed_bits(), std::memory_order_relaxed);
      table_bytes_.store(table_->bytes(), std::memory_order_relaxed);
    });
    return *table_;
  }

  Past past(uint64_t block) const {
    if (block == 0) return Past(file_->bits(), file_->header().feat_prev);
    const std::span<const std::byte> before = checkpoints_.before(block);
    return Past(BitStream{before.data(), before.size()}, before.size() * 8);
  }

  // Decodes the first bytes of a block up to the frontier, without initial bits.
  uint64_t decode_block(const Table& tree, uint64_t block, uint64_t bytes,
                        BlockWords& words) const {
    const uint64_t begin = block * block_bytes_ * 8;
    const unsigned skipped = block == 0 ? file_->header().feat_prev : 0;
    std::fill_n(words.begin(), skipped / 64, 0);
    Past history = past(block);
    walk_bits(tree, begin + skipped, begin + bytes * 8, history, words.data() + skipped / 64);
    return bytes * 8;
  }

  // Moves the frontier, by a chunk at most and no farther than the part needs. If another thread
  // moves it, waiting for that thread suffices.
  uint64_t extend(const Table& tree, Part& part, const Context& context) const {
    const std::lock_guard lock(checkpoints_.extending());
    uint64_t cost = 0;
    for (uint64_t done = 0; done < kChunkBytes && !part.into.empty(); done += block_bytes_) {
      const uint64_t block = checkpoints_.frontier();
      if (part.offset / block_bytes_ < block) break;  // another thread moved it
      const uint64_t begin = block * block_bytes_;
      const uint64_t bytes = std::min(block_bytes_, file_->header().size - begin);
      BlockWords words;
      // The bytes past the payload's end are kept with the rest, and may be saved in an index.
      std::fill_n(words.begin(), block_bytes_ / sizeof(uint64_t), 0);
      cost += decode_block(tree, block, bytes, words);
      const auto decoded = std::as_bytes(std::span(words));
      checkpoints_.append(decoded.subspan(block_bytes_ - kept_bytes_, kept_bytes_));
      if (part.offset - begin < bytes) take(decoded.first(bytes), part.offset - begin, part);
    }
    context.step(std::min(checkpoints_.frontier() * block_bytes_, part.end()), part.end());
    return cost;
  }

  // Decodes the bytes of the part before the frontier, or a group of their blocks.
  uint64_t decode_behind(const Table& tree, Part& part, const Context& context) const {
    context.check_cancelled();
    const uint64_t block = part.offset / block_bytes_;
    const uint64_t begin = block * block_bytes_;
    if (block > 0 && begin == part.offset) {
      const uint64_t whole =
          std::min(part.into.size() / block_bytes_, checkpoints_.frontier() - block);
      if (whole >= kLanes) return decode_lanes(tree, block, part);
    }
    const uint64_t bytes = std::min(block_bytes_, part.end() - begin);
    BlockWords words;
    const uint64_t cost = decode_block(tree, block, bytes, words);
    take(std::as_bytes(std::span(words)).first(bytes), part.offset - begin, part);
    return cost;
  }

  uint64_t decode_lanes(const Table& tree, uint64_t block, Part& part) const {
    std::array<Past, kLanes> histories;
    for (unsigned lane = 0; lane < kLanes; ++lane) histories[lane] = past(block + lane);
    walk_lanes<kLanes>(tree, part.offset * 8, block_bytes_ * 8, histories.data(), part.into.data());
    part.drop(kLanes * block_bytes_);
    return kLanes * block_bytes_ * 8;
  }

  static void take(std::span<const std::byte> decoded, uint64_t from, Part& part) {
    const uint64_t bytes = std::min<uint64_t>(decoded.size() - from, part.into.size());
    std::memcpy(part.into.data(), decoded.data() + from, bytes);
    part.drop(bytes);
  }

  const std::shared_ptr<const TreeFile> file_;
  const std::shared_ptr<const Survey> survey_;
  const uint64_t max_decode_;
  const std::shared_ptr<MemoryBudget> memory_;
  const uint64_t block_bytes_;
  const unsigned kept_bytes_;
  mutable Checkpoints checkpoints_;
  mutable Once once_;
  mutable std::optional<Table> table_;
  mutable std::atomic<uint64_t> decoded_bits_{0};
  mutable std::atomic<uint64_t> parsed_bits_{0};
  mutable std::atomic<uint64_t> table_bytes_{0};
};

}  // namespace

std::unique_ptr<const Decoder> chain_decoder(std::shared_ptr<const TreeFile> file,
                                             std::shared_ptr<const Survey> survey,
                                             uint64_t max_decode,
                                             std::span<const std::byte> checkpoints,
                                             const Context& context) {
  const bool narrow = KeyShape(file->header(), *survey).is_narrow() &&
                      survey->branches <= NodeTable<NarrowKey>::kMaxBranches;
  if (narrow) {
    return std::make_unique<ChainDecoder<NarrowKey>>(std::move(file), std::move(survey), max_decode,
                                                     checkpoints, context.memory);
  }
  return std::make_unique<ChainDecoder<WideKey>>(std::move(file), std::move(survey), max_decode,
                                                 checkpoints, context.memory);
}

}  // namespace heron::inline v0::treezip

// Trees without previous bits, against the encoder that follows the rule literally.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/arena.h"
#include "error_of.h"
#include "kit/slow_tree_encoder.h"
#include "kit/tree_payloads.h"
#include "treezip/write/encode.h"
#include "written_tree.h"

namespace heron::treezip {
namespace {

using test::appended;
using test::error_of;
using test::text_of;
using test::written_tree;

constexpr uint64_t kBytes = uint64_t{1} << 20;

// Copies `payload`: the encoder overwrites its input.
void write_tree(std::span<const std::byte> payload, unsigned feat_addr, TreeWriter& writer,
                const Context& context = {}) {
  Arena arena;
  const std::span piece(arena.allocate(payload.size()), payload.size());
  std::ranges::copy(payload, piece.begin());
  encode_tree("p", piece, {feat_addr, 0}, writer, context);
}

// Returns the trees' bits, each tree from a byte on.
std::string encode(std::span<const TreePayload> payloads, unsigned feat_addr,
                   const Context& context = {}) {
  return appended([&](Appender& appender) {
    for (const TreePayload& payload : payloads) {
      TreeWriter writer(appender);
      write_tree(payload.bytes, feat_addr, writer, context);
      writer.finish();
    }
  });
}

// Returns the trees' bits by the slow encoder, each tree from a byte on.
std::string encode_slowly(std::span<const TreePayload> payloads, unsigned feat_addr) {
  std::string trees;
  for (const TreePayload& payload : payloads) {
    trees += text_of(*SlowTreeEncoder(payload.bytes, feat_addr, 0).tree());
  }
  return trees;
}

std::vector<TreePayload> random_payload(uint64_t bytes) {
  return {{"random", random_bytes(bytes, 1)}};
}

TEST(EncodeDense, AddressBitsAreThoseOfTheLastBit) {
  EXPECT_EQ(address_bits(0), 0);
  EXPECT_EQ(address_bits(1), 3);
  EXPECT_EQ(address_bits(2), 4);
  EXPECT_EQ(address_bits(3), 5);
  EXPECT_EQ(address_bits(4096), 15);
  EXPECT_EQ(address_bits(4097), 16);
  EXPECT_EQ(address_bits(UINT64_MAX), 67);
}

TEST(EncodeDense, SplitsAsTheRuleSays) {
  for (uint64_t bytes = 0; bytes <= 200; bytes += bytes < 40 ? 1 : 7) {
    const auto payloads = tree_payloads(bytes);
    const unsigned bits = address_bits(bytes);
    EXPECT_EQ(encode(payloads, bits), encode_slowly(payloads, bits)) << bytes << " bytes";
  }
}

// Runs have several words, also if the size of the payload is no power of two.
TEST(EncodeDense, SplitsLargerPayloadsAsTheRuleSays) {
  for (const uint64_t bytes : {1024, 1500, 2049}) {
    const auto payloads = tree_payloads(bytes);
    const unsigned bits = address_bits(bytes);
    EXPECT_EQ(encode(payloads, bits), encode_slowly(payloads, bits)) << bytes << " bytes";
  }
}

// Returns a payload of 2^levels + 1 pieces that is split by the second highest bit of the address,
// then its left side again, once per level; right sides have few ones, with each level more.
std::vector<std::byte> uneven_payload(unsigned levels, uint64_t piece_bytes) {
  const uint64_t last = uint64_t{1} << levels;
  std::vector<std::byte> payload = random_bytes(piece_bytes * (last + 1), 1);
  std::fill(payload.begin() + static_cast<std::ptrdiff_t>(piece_bytes),
            payload.begin() + static_cast<std::ptrdiff_t>(piece_bytes * last), std::byte{0});
  for (unsigned level = 1; level <= levels; ++level) {
    for (unsigned one = 1; one <= level; ++one) {
      payload[piece_bytes * (last >> level) + one * piece_bytes / (levels + 2)] = std::byte{1};
    }
  }
  return payload;
}

// On the whole path the left side is larger than the right one, and more than half of the payload.
TEST(EncodeDense, UnevenHalvesStayWithinItsMemory) {
  for (const auto& [levels, piece_bytes] : {std::pair(3U, 2048), std::pair(8U, 2048)}) {
    const auto payload = uneven_payload(levels, static_cast<uint64_t>(piece_bytes));
    const unsigned bits = address_bits(payload.size());
    EXPECT_EQ(written_tree([&](TreeWriter& writer) { write_tree(payload, bits, writer); }),
              written_tree([&](TreeWriter& writer) {
                encode_columns("p", payload, {bits, 0}, writer, {});
              }))
        << levels << " levels";
  }
}

// Features that no address reaches are counted where an index is written, and never tested.
TEST(EncodeDense, FeaturesThatNoAddressReaches) {
  for (const uint64_t bytes : {1, 2, 5, 13, 64, 100}) {
    const auto payloads = tree_payloads(bytes);
    for (const unsigned more : {1, 6, 60, 200}) {
      const unsigned bits = address_bits(bytes) + more;
      EXPECT_EQ(encode(payloads, bits), encode_slowly(payloads, bits))
          << bytes << " bytes, " << more << " address bits more";
    }
  }
}

TEST(EncodeDense, ReportsProgress) {
  std::vector<uint64_t> steps;
  Context context;
  context.progress = [&](uint64_t done, uint64_t total) {
    EXPECT_EQ(total, 8 * kBytes);
    steps.push_back(done);
  };
  encode(random_payload(kBytes), address_bits(kBytes), context);
  EXPECT_GE(steps.size(), 8);
  EXPECT_EQ(steps.back(), 8 * kBytes);
  EXPECT_TRUE(std::ranges::is_sorted(steps));
}

TEST(EncodeDense, CanBeStopped) {
  std::atomic<bool> cancel = false;
  Context context;
  context.cancel = &cancel;
  context.progress = [&](uint64_t done, uint64_t total) { cancel = done > total / 2; };
  error_of(ErrorKind::Cancelled,
           [&] { encode(random_payload(kBytes), address_bits(kBytes), context); });
}

TEST(EncodeDense, ChargesWhatItTakes) {
  const auto payload = random_payload(kBytes);
  const auto encode_with = [&](uint64_t budget) {
    Context context;
    context.memory = std::make_shared<MemoryBudget>(budget);
    encode(payload, address_bits(kBytes), context);
  };
  encode_with(kBytes + (uint64_t{1} << 20) + (uint64_t{4} << 10));
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { encode_with(kBytes); }),
              testing::HasSubstr("memory budget"));
}

}  // namespace
}  // namespace heron::treezip

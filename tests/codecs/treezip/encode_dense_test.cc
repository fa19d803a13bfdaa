// Trees without previous bits, against the encoder that does what the rule says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/arena.h"
#include "bytes/output_file.h"
#include "error_of.h"
#include "kit/slow_tree_encoder.h"
#include "kit/tree_payloads.h"
#include "temp_folder.h"
#include "treezip/encode.h"

namespace heron::treezip {
namespace {

using test::error_of;
using test::TempFolder;

// The tree's bits, as bytes.
std::string encode(std::span<const std::byte> payload, unsigned feat_addr,
                   const Context& context = {}) {
  const TempFolder folder;
  OutputFile file(folder / "tree");
  Appender appender(file, 0);
  TreeWriter writer(appender);
  Arena arena;
  const std::span piece(arena.allocate(payload.size()), payload.size());
  std::ranges::copy(payload, piece.begin());
  encode_tree("p", piece, {feat_addr, 0}, writer, context);
  writer.finish();
  appender.flush();
  file.publish();
  return folder.read("tree");
}

// Likewise.
std::string slow_tree(std::span<const std::byte> payload, unsigned feat_addr) {
  const auto tree = SlowTreeEncoder(payload, feat_addr, 0).tree();
  std::string bytes((tree->size() + 7) / 8, '\0');
  for (size_t at = 0; at < tree->size(); ++at) {
    if ((*tree)[at]) bytes[at / 8] = static_cast<char>(bytes[at / 8] | 1 << at % 8);
  }
  return bytes;
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
    for (const TreePayload& payload : tree_payloads(bytes)) {
      const unsigned bits = address_bits(bytes);
      EXPECT_EQ(encode(payload.bytes, bits), slow_tree(payload.bytes, bits))
          << bytes << " bytes, " << payload.what;
    }
  }
}

// Runs of several words, and of no power of two.
TEST(EncodeDense, SplitsLargerPayloadsAsTheRuleSays) {
  for (const uint64_t bytes : {1024, 1500, 2049}) {
    for (const TreePayload& payload : tree_payloads(bytes)) {
      const unsigned bits = address_bits(bytes);
      EXPECT_EQ(encode(payload.bytes, bits), slow_tree(payload.bytes, bits))
          << bytes << " bytes, " << payload.what;
    }
  }
}

// They are counted where an index is written, and never asked.
TEST(EncodeDense, FeaturesThatNoAddressReaches) {
  for (const uint64_t bytes : {1, 2, 5, 13, 64, 100}) {
    for (const TreePayload& payload : tree_payloads(bytes)) {
      for (const unsigned more : {1, 6, 60, 200}) {
        const unsigned bits = address_bits(bytes) + more;
        EXPECT_EQ(encode(payload.bytes, bits), slow_tree(payload.bytes, bits))
            << bytes << " bytes, " << payload.what << ", " << more << " bits more";
      }
    }
  }
}

TEST(EncodeDense, ReportsProgress) {
  std::vector<uint64_t> steps;
  Context context;
  context.progress = [&](uint64_t done, uint64_t total) {
    EXPECT_EQ(total, uint64_t{8} << 20);
    steps.push_back(done);
  };
  const auto payload = random_bytes(uint64_t{1} << 20, 1);
  encode(payload, address_bits(payload.size()), context);
  EXPECT_GE(steps.size(), 8);
  EXPECT_EQ(steps.back(), uint64_t{8} << 20);
  EXPECT_TRUE(std::ranges::is_sorted(steps));
}

TEST(EncodeDense, CanBeStopped) {
  std::atomic<bool> cancel = false;
  Context context;
  context.cancel = &cancel;
  context.progress = [&](uint64_t done, uint64_t total) { cancel = done > total / 2; };
  const auto payload = random_bytes(uint64_t{1} << 20, 1);
  error_of(ErrorKind::Cancelled, [&] { encode(payload, address_bits(payload.size()), context); });
}

TEST(EncodeDense, ChargesWhatItTakes) {
  const auto payload = random_bytes(uint64_t{4} << 20, 1);
  const auto encode_with = [&](uint64_t budget) {
    Context context;
    context.memory = std::make_shared<MemoryBudget>(budget);
    encode(payload, address_bits(payload.size()), context);
  };
  encode_with(payload.size() + (uint64_t{2} << 20));
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { encode_with(payload.size()); }),
              testing::HasSubstr("memory budget"));
}

}  // namespace
}  // namespace heron::treezip

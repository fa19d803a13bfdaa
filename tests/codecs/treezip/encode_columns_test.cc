// Trees with previous bits, and with addresses that wrap, against the encoder that follows the rule
// literally.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/arena.h"
#include "error_of.h"
#include "kit/effort.h"
#include "kit/slow_tree_encoder.h"
#include "kit/tree_payloads.h"
#include "treezip/write/encode.h"
#include "written_tree.h"

namespace heron::treezip {
namespace {

using test::error_of;
using test::text_of;
using test::written_tree;

std::string encode(std::span<const std::byte> payload, Shape shape, const Context& context = {},
                   uint64_t small_words = kSmallWords) {
  return written_tree([&](TreeWriter& writer) {
    encode_columns("p", payload, shape, writer, context, small_words);
  });
}

// Expects both encoders to agree, also if there is no tree; returns whether there is one.
bool expect_tree(const TreePayload& payload, Shape shape, uint64_t small_words = kSmallWords) {
  SCOPED_TRACE(testing::Message() << payload.what << ", " << payload.bytes.size() << " bytes, addr "
                                  << shape.feat_addr << ", prev " << shape.feat_prev);
  const auto tree = SlowTreeEncoder(payload.bytes, shape.feat_addr, shape.feat_prev).tree();
  if (tree) {
    EXPECT_EQ(encode(payload.bytes, shape, {}, small_words), text_of(*tree));
  } else {
    error_of(ErrorKind::Argument, [&] { encode(payload.bytes, shape, {}, small_words); });
  }
  return tree.has_value();
}

TEST(EncodeColumns, SplitsAsTheRuleSays) {
  for (uint64_t bytes = 0; bytes <= 100; bytes += bytes < 4 ? 1 : 16) {
    for (const TreePayload& payload : tree_payloads(bytes)) {
      for (const unsigned prev : {0, 1, 16, 65, 255}) {
        EXPECT_TRUE(expect_tree(payload, {address_bits(bytes), prev}));
      }
    }
  }
}

TEST(EncodeColumns, SplitsLargerPayloadsAsTheRuleSays) {
  for (const TreePayload& payload : tree_payloads(1501)) {
    for (const unsigned prev : {1, 24}) {
      EXPECT_TRUE(expect_tree(payload, {address_bits(1501), prev}));
    }
  }
}

// Bits that differ may have the same address and the same previous bits: then there is no tree.
TEST(EncodeColumns, AddressesMayWrapOrHaveBitsToSpare) {
  std::mt19937 random(6);
  unsigned trees = 0, ambiguous = 0;
  for (unsigned round = 0; round < 20; ++round) {
    for (const TreePayload& payload : tree_payloads(random() % 80)) {
      const unsigned prev = random() % (round % 2 == 0 ? 12 : 256);
      const Shape shape{static_cast<unsigned>(random() % (round % 3 == 0 ? 71 : 10)), prev};
      ++(expect_tree(payload, shape) ? trees : ambiguous);
    }
  }
  EXPECT_GT(trees, 50);
  EXPECT_GT(ambiguous, 20);
}

TEST(EncodeColumns, SaysWhichFeaturesAreTooFew) {
  const std::vector<std::byte> payload = random_bytes(40, 1);
  const Error error = error_of([&] { encode(payload, {4, 3}); });
  EXPECT_EQ(error.kind(), ErrorKind::Argument);
  EXPECT_STREQ(error.hint(), ": a larger {address_bits} or {previous_bits} may");
  EXPECT_THAT(error.what(), testing::HasSubstr("p: feat_addr 4 and feat_prev 3 cannot tell bits"));
}

// With this few words for columns, the nodes at the top have none and pass over the payload.
constexpr uint64_t kColumnWords = 256;

TEST(EncodeColumns, LargePayloadsHaveTheTreesOfTheDenseEncoder) {
  for (const TreePayload& payload : tree_payloads(300'000)) {
    if (payload.what == "random" || payload.what == "dense") continue;  // these take long
    const unsigned bits = address_bits(payload.bytes.size());
    Arena arena;
    const std::span labels(arena.allocate(payload.bytes.size()), payload.bytes.size());
    std::ranges::copy(payload.bytes, labels.begin());
    const std::string dense = written_tree([&](TreeWriter& writer) {
      encode_tree("p", labels, {bits, 0}, writer, {});
    });
    EXPECT_EQ(encode(payload.bytes, {bits, 0}, {}, kColumnWords), dense) << payload.what;
  }
}

TEST(EncodeColumns, LargePayloadsWithPreviousBits) {
  std::vector<unsigned> many = {24};  // the slow encoder is very slow
  if (tries(1) > 1) many = {1, 24, 250};
  for (const TreePayload& payload : tree_payloads(1501)) {
    for (const unsigned prev : many) {
      EXPECT_TRUE(expect_tree(payload, {address_bits(1501), prev}, kColumnWords));
    }
  }
}

TEST(EncodeColumns, ReportsProgress) {
  std::vector<uint64_t> steps;
  Context context;
  context.progress = [&](uint64_t done, uint64_t total) {
    EXPECT_EQ(total, uint64_t{8} << 18);
    steps.push_back(done);
  };
  encode(random_bytes(uint64_t{1} << 18, 1), {21, 4}, context);
  EXPECT_GE(steps.size(), 8);
  EXPECT_LE(steps.back(), uint64_t{8} << 18);
  EXPECT_TRUE(std::ranges::is_sorted(steps));
}

TEST(EncodeColumns, CanBeStopped) {
  std::atomic<bool> cancel = false;
  Context context;
  context.cancel = &cancel;
  context.progress = [&](uint64_t done, uint64_t total) { cancel = done > total / 2; };
  const auto payload = random_bytes(uint64_t{1} << 18, 1);
  error_of(ErrorKind::Cancelled, [&] { encode(payload, {21, 4}, context); });
  cancel = true;  // the call is cancelled before it begins
  error_of(ErrorKind::Cancelled, [&] { encode(payload, {21, 4}, context); });
}

TEST(EncodeColumns, ChargesWhatItTakes) {
  const std::vector<std::byte> payload(uint64_t{4} << 20);
  const auto encode_with = [&](uint64_t budget) {
    Context context;
    context.memory = std::make_shared<MemoryBudget>(budget);
    encode(payload, {25, 16}, context);
    EXPECT_EQ(context.memory->used(), 0);
  };
  // Memory of the size that encode.h documents suffices, and hardly less does.
  const uint64_t reported = payload.size() * (2 + 25 + 16) / 8;
  encode_with(reported + (uint64_t{6} << 20));
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { encode_with(reported - 1); }),
              testing::HasSubstr("memory budget"));
}

}  // namespace
}  // namespace heron::treezip

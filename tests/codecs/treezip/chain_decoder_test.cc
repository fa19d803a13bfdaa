#include <gmock/gmock.h>

#include <thread>

#include "error_of.h"
#include "made_chain.h"
#include "treezip/read/decoder.h"

namespace heron {
namespace {

using test::error_of;
using test::MadeChain;
using testing::HasSubstr;
using treezip::Decoder;

std::unique_ptr<const Decoder> decoder_of(const MadeChain& chain, uint64_t max_decode = UINT64_MAX,
                                          const Context& context = {}) {
  return treezip::chain_decoder(chain.file(), chain.survey(), max_decode, {}, context);
}

bool is_right(const Decoder& decoder, const MadeChain& chain, uint64_t offset, uint64_t bytes) {
  std::vector<std::byte> got(bytes, std::byte{0x5A});
  decoder.decode(offset, got, {});
  return std::equal(got.begin(), got.end(),
                    chain.payload().begin() + static_cast<std::ptrdiff_t>(offset));
}

// Decodes ranges in any order, long and short; returns how many are wrong.
int wrong_ranges(const Decoder& decoder, const MadeChain& chain, unsigned seed) {
  std::mt19937 random(seed);
  int wrong = 0;
  for (int read = 0; read < 60; ++read) {
    const uint64_t offset = random() % chain.payload().size();
    const uint64_t most = random() % 2 == 0 ? 9 : UINT64_MAX;
    const uint64_t bytes = 1 + random() % std::min(most, chain.payload().size() - offset);
    if (!is_right(decoder, chain, offset, bytes)) ++wrong;
  }
  return wrong;
}

struct Shape {
  uint64_t size;
  unsigned feat_addr;
  unsigned feat_prev;
  unsigned depth = 9;
};

class ChainDecoderShapes : public testing::TestWithParam<Shape> {};

TEST_P(ChainDecoderShapes, GiveWhatTheTreeSaysBitByBit) {
  const Shape& shape = GetParam();
  for (unsigned seed = 0; seed < 4; ++seed) {
    const MadeChain chain(shape.size, shape.feat_addr, shape.feat_prev, shape.depth, seed);
    const auto in_order = decoder_of(chain);
    EXPECT_TRUE(is_right(*in_order, chain, 0, shape.size)) << "first pass, seed " << seed;
    EXPECT_TRUE(is_right(*in_order, chain, 0, shape.size)) << "second pass, seed " << seed;
    EXPECT_EQ(in_order->parsed_bits(), chain.tree_bits());
    EXPECT_EQ(wrong_ranges(*decoder_of(chain), chain, seed), 0) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(
    , ChainDecoderShapes,
    testing::Values(Shape{1, 3, 1}, Shape{700, 0, 1}, Shape{5000, 3, 16}, Shape{20001, 13, 20},
                    Shape{9001, 7, 33} /* addresses wrap */, Shape{3000, 20, 40},
                    Shape{3000, 14, 49} /* 64 bits or so */, Shape{3000, 17, 64},
                    Shape{40009, 70, 255, 12}, Shape{33, 70, 255} /* a bit that is not initial */,
                    Shape{31, 8, 255} /* only initial bits */, Shape{4000, 0, 255},
                    Shape{600, 255, 3}, Shape{4096, 12, 2, 14}, Shape{513, 2, 9}));

TEST(ChainDecoder, CountsWhatItDecodesFromTheCheckpointOn) {
  const MadeChain chain(20000, 10, 16, 9, 1);
  const auto decoder = decoder_of(chain);
  std::byte some[8];
  EXPECT_EQ(decoder->decode(10000, some, {}), 8u * 20 * 512);  // blocks of 512 bytes
  EXPECT_EQ(decoder->decode(10000, some, {}), 8u * (10008 - 19 * 512));
  EXPECT_EQ(decoder->decode(512, some, {}), 8u * 8);
}

TEST(ChainDecoder, RefusesToDecodeMoreThanAllowedBeyondTheRequest) {
  const MadeChain chain(100'000, 10, 16, 9, 1);
  const auto decoder = decoder_of(chain, 5000);
  std::byte some[8];
  const std::string text = error_of(ErrorKind::Limit, [&] { decoder->decode(5001, some, {}); });
  EXPECT_THAT(text, HasSubstr("chain.tz: payload byte 5001: 5001 bytes must be decoded first, more "
                              "than max_decode allows (5000 bytes)"));
  EXPECT_EQ(decoder->index_bytes(), 0u);
  EXPECT_TRUE(is_right(*decoder, chain, 0, 100'000));
  EXPECT_TRUE(is_right(*decoder, chain, 99'000, 8));
}

TEST(ChainDecoder, KeepsWhatItReachedWhenCancelled) {
  const MadeChain chain(400'000, 10, 16, 9, 1);
  const auto decoder = decoder_of(chain, 350'000);
  std::atomic<bool> cancel{false};
  Context context;
  context.cancel = &cancel;
  std::vector<std::pair<uint64_t, uint64_t>> steps;
  context.progress = [&](uint64_t done, uint64_t total) {
    steps.emplace_back(done, total);
    cancel = steps.size() == 2;
  };
  std::byte some[8];
  error_of(ErrorKind::Cancelled, [&] { decoder->decode(340'000, some, context); });
  EXPECT_EQ(steps,
            (std::vector<std::pair<uint64_t, uint64_t>>{{65536, 340'008}, {131072, 340'008}}));
  EXPECT_TRUE(is_right(*decoder, chain, 131072 + 65536 + 150'000, 8));
}

TEST(ChainDecoder, TakesTableAndCheckpointsFromTheBudget) {
  const MadeChain chain(400'000, 10, 16, 9, 1);
  std::byte some[8];
  {
    Context context;
    context.memory = std::make_shared<MemoryBudget>(1000);
    const auto decoder = decoder_of(chain, UINT64_MAX, context);
    error_of(ErrorKind::Limit, [&] { decoder->decode(0, some, {}); });
  }
  Context context;
  context.memory = std::make_shared<MemoryBudget>(1 << 20);
  {
    const auto decoder = decoder_of(chain, UINT64_MAX, context);
    decoder->decode(0, some, {});
    const uint64_t table = decoder->index_bytes();
    EXPECT_TRUE(is_right(*decoder, chain, 399'000, 8));
    EXPECT_LT(decoder->index_bytes() - table, 400'000u / 100);
    EXPECT_GE(context.memory->used(), decoder->index_bytes());
  }
  EXPECT_EQ(context.memory->used(), 0u);
}

TEST(ChainDecoder, EndsWhateverTheBitsHaveBecome) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    MadeChain chain(3000, 13, seed % 2 == 0 ? 20 : 255, 9, seed);
    const auto decoder = decoder_of(chain);
    std::mt19937 random(seed);
    for (size_t at = 32; at < chain.file_bytes().size(); ++at) {
      chain.file_bytes()[at] = seed < 2 ? std::byte{0xFF} : static_cast<std::byte>(random());
    }
    std::vector<std::byte> got(3000);
    decoder->decode(0, got, {});
    decoder->decode(0, got, {});
  }
}

TEST(ChainDecoder, EndsIfTheTreeHasBecomeAnother) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const MadeChain before(3000, 13, 200, 2, seed);
    const MadeChain now(3000, 13, 200, 16, seed);
    const auto decoder = treezip::chain_decoder(now.file(), before.survey(), UINT64_MAX, {}, {});
    std::vector<std::byte> got(3000);
    decoder->decode(0, got, {});
    decoder->decode(0, got, {});
    EXPECT_LT(decoder->index_bytes(), 70'000u);
  }
}

TEST(ChainDecoder, ServesThreadsThatReadEverywhere) {
  const MadeChain chain(150'000, 17, 20, 9, 3);
  chain.payload();
  const auto decoder = decoder_of(chain);
  std::atomic<int> wrong{0};
  std::vector<std::jthread> threads;
  for (unsigned thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] { wrong += wrong_ranges(*decoder, chain, thread); });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace heron

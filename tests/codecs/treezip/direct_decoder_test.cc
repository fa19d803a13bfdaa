#include <gtest/gtest.h>

#include "codecs/treezip/made_tree.h"
#include "treezip/read/decoder.h"

namespace heron::treezip {
namespace {

using namespace treezip_test;

std::unique_ptr<const Decoder> decoder_of(const MadeFile& made, uint64_t index_bits) {
  return direct_decoder(made.file,
                        std::make_shared<const Survey>(survey(*made.file, index_bits, {})));
}

void check_range(const MadeFile& made, const Node& root, const Decoder& decoder, uint64_t offset,
                 uint64_t bytes) {
  std::vector<std::byte> got(bytes, std::byte{0xA5});
  decoder.decode(offset, got, {});
  for (uint64_t byte = 0; byte < bytes; ++byte) {
    ASSERT_EQ(got[byte], byte_at(made.header, root, offset + byte))
        << "byte " << offset + byte << " of " << offset << "+" << bytes << ", feat_addr "
        << made.header.feat_addr;
  }
}

TEST(TreeZipDirect, AnyRangeOfRandomTrees) {
  std::mt19937_64 random(1);
  for (unsigned round = 0; round < 150; ++round) {
    const Header header{1 + (random() >> (random() % 64)), static_cast<unsigned>(random() % 71),
                        static_cast<unsigned>(round % 3 == 0 ? random() % 50 : 0)};
    const NodePtr root = random_tree(random, first_features(header.feat_addr), 10);
    const MadeFile made = make_file(header, *root);
    const auto decoder = decoder_of(made, uint64_t{1} << random() % 12);
    for (unsigned read = 0; read < 20; ++read) {
      const uint64_t offset = read < 3 ? 0 : random() % header.size;
      const uint64_t most = std::min<uint64_t>(header.size - offset, read % 5 == 0 ? 9000 : 40);
      check_range(made, *root, *decoder, offset, 1 + random() % most);
    }
    check_range(made, *root, *decoder, header.size - 1, 1);
  }
}

TEST(TreeZipDirect, RangesAcrossChunksAndTheHalfOfEverything) {
  std::mt19937_64 random(2);
  const NodePtr root = random_tree(random, first_features(66), 12);
  const MadeFile made = make_file({UINT64_MAX, 67, 0}, *root);
  const auto decoder = decoder_of(made, 100);
  EXPECT_EQ(decoder->chunk_bytes(), uint64_t{256} << 10);
  check_range(made, *root, *decoder, decoder->chunk_bytes() - 5001, 10003);
  check_range(made, *root, *decoder, (uint64_t{1} << 63) - 13, 29);
  check_range(made, *root, *decoder, UINT64_MAX - 9, 9);
}

TEST(TreeZipDirect, CountsAndSizes) {
  std::mt19937_64 random(3);
  const NodePtr root = random_tree(random, first_features(13), 13);
  const MadeFile made = make_file({1000, 13, 0}, *root);
  const Survey found = survey(*made.file, 64, {});
  const auto decoder = decoder_of(made, 64);
  EXPECT_EQ(decoder->index_bytes(), found.index.bytes());
  EXPECT_EQ(decoder->chunk_bytes(), 1024U);
  std::vector<std::byte> all(1000);
  const uint64_t cost = decoder->decode(0, all, {});
  EXPECT_GT(cost, 0U);
  EXPECT_LE(cost, decoder->chunk_cost());
  const uint64_t parsed = decoder->parsed_bits();
  EXPECT_GT(parsed, 0U);
  EXPECT_LE(parsed, found.tree_bits);
  EXPECT_LT(decoder->decode(500, std::span(all).first(1), {}), cost);
  EXPECT_GT(decoder->parsed_bits(), parsed);
}

TEST(TreeZipDirect, OnlyInitialBits) {
  const MadeFile made = make_file({2, 4, 16}, *branch(7, leaf(false), leaf(true)));
  std::vector<std::byte> all(2);
  decoder_of(made, 1)->decode(0, all, {});
  EXPECT_EQ(all, std::vector<std::byte>(2, std::byte{0xFF}));
}

// The file is no longer the one surveyed: decoding ends, with any bytes.
TEST(TreeZipDirect, BitsThatChangeBelow) {
  std::mt19937_64 random(4);
  for (unsigned round = 0; round < 200; ++round) {
    const Header header{5000, static_cast<unsigned>(random() % 100), 0};
    const NodePtr root = random_tree(random, first_features(header.feat_addr), 10);
    const MadeFile made = make_file(header, *root);
    const auto decoder = decoder_of(made, uint64_t{1} << random() % 14);
    for (uint64_t byte = sizeof(StoredHeader); byte < made.bytes->size(); ++byte) {
      if (round % 4 == 0 || random() % 16 == 0) (*made.bytes)[byte] = static_cast<char>(random());
      if (round % 16 == 1) (*made.bytes)[byte] = static_cast<char>(0xFF);
    }
    std::vector<std::byte> some(5000);
    decoder->decode(0, some, {});
    decoder->decode(random() % 4900, std::span(some).first(77), {});
  }
}

// The changed tree tests previous bits. Their features include 1 and 2, address bits in most files.
TEST(TreeZipDirect, BitsThatChangeToATreeThatLooksBack) {
  for (const unsigned feat_addr : {1U, 2U}) {
    const Header header{1000, feat_addr, 8};
    for (unsigned feature = feat_addr; feature < header.features(); ++feature) {
      const MadeFile made = make_file(header, *branch(0, leaf(false), leaf(true)));
      const auto decoder = decoder_of(made, 100);
      const MadeFile changed = make_file(header, *branch(feature, leaf(false), leaf(true)));
      ASSERT_EQ(changed.bytes->size(), made.bytes->size());
      std::ranges::copy(*changed.bytes, made.bytes->begin());
      std::vector<std::byte> some(1000);
      decoder->decode(0, some, {});
    }
  }
}

}  // namespace
}  // namespace heron::treezip

#include "treezip/features.h"

#include <gtest/gtest.h>

#include <vector>

#include "treezip/bits.h"

namespace heron::treezip {
namespace {

TEST(TreeZipFeatures, IndexBits) {
  EXPECT_EQ(index_bits(1), 0U);
  EXPECT_EQ(index_bits(2), 1U);
  EXPECT_EQ(index_bits(4), 2U);
  EXPECT_EQ(index_bits(5), 3U);
  EXPECT_EQ(index_bits(257), 9U);
  EXPECT_EQ(index_bits(510), 9U);
}

template <unsigned kWords>
void check_set(unsigned count, bool has_pdep) {
  FeatureSet<kWords> set(count);
  std::vector<unsigned> list;
  for (unsigned feature = 0; feature < count; ++feature) list.push_back(feature);
  for (unsigned step = 7; !list.empty(); step = step * 31 + 11) {
    for (unsigned index = 0; index < list.size(); ++index) {
      ASSERT_EQ(set.at(index, has_pdep), list[index]);
    }
    const unsigned index = step % list.size();
    set.remove(list[index]);
    list.erase(list.begin() + index);
  }
  set.add(count - 1);
  EXPECT_EQ(set.at(0, has_pdep), count - 1);
}

TEST(TreeZipFeatures, SetIsTheAscendingList) {
  for (const bool has_pdep : {false, has_x86_64_v3()}) {
    for (const unsigned count : {1U, 5U, 63U, 64U}) check_set<1>(count, has_pdep);
    for (const unsigned count : {1U, 65U, 128U, 200U}) check_set<8>(count, has_pdep);
  }
}

TEST(TreeZipFeatures, PeekIsSafeAnywhere) {
  const std::vector<std::byte> bytes(11, std::byte{0xFF});
  const BitStream stream{bytes.data(), bytes.size()};
  for (uint64_t at = 0; at <= 88; ++at) {
    const unsigned there = static_cast<unsigned>(std::min<uint64_t>(88 - at, 57));
    EXPECT_EQ(low_bits(stream.peek(at), 57), low_bits(~uint64_t{0}, there)) << at;
  }
  EXPECT_EQ(stream.peek(UINT64_MAX), 0U);
}

}  // namespace
}  // namespace heron::treezip

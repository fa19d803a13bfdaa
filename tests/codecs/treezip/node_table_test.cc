#include "treezip/read/node_table.h"

#include <gtest/gtest.h>

#include "made_chain.h"

namespace heron {
namespace {

using test::MadeChain;
using treezip::History;
using treezip::KeyShape;
using treezip::NarrowKey;
using treezip::NodeTable;
using treezip::WideKey;

treezip::Survey survey_using(std::initializer_list<unsigned> features, unsigned looks_back) {
  treezip::Survey survey;
  for (const unsigned feature : features) survey.used.set(feature);
  survey.looks_back = looks_back;
  return survey;
}

TEST(KeyShape, HasRoomForWhatIsUsedWithinTheSize) {
  const KeyShape shape({1 << 20, 70, 40}, survey_using({5, 20, 60, 109}, 40));
  EXPECT_TRUE(shape.is_narrow());
  EXPECT_EQ(shape.address_bits(), 21u);
  EXPECT_EQ(shape.bit_of(20, 0), 20u);
  EXPECT_EQ(shape.bit_of(60, 0), std::nullopt);  // no address of 1 MB has that bit
  EXPECT_EQ(shape.bit_of(70, 0), 63u);
  EXPECT_EQ(shape.bit_of(109, 0), 24u);
  EXPECT_EQ(shape.bit_of(110, 0), std::nullopt);  // no node looked back so far
  const KeyShape wide({1 << 20, 70, 90}, survey_using({20, 159}, 90));
  EXPECT_EQ(wide.bit_of(70, 64), 127u);
  EXPECT_EQ(wide.bit_of(70 + 64, 64), 191u);
  EXPECT_FALSE(wide.is_narrow());
  EXPECT_FALSE(KeyShape({1 << 20, 70, 44}, survey_using({20, 113}, 44)).is_narrow());
  EXPECT_TRUE(KeyShape({1 << 20, 70, 44}, survey_using({19, 113}, 44)).is_narrow());
}

TEST(History, HasTheNewestBitLast) {
  const std::array<std::byte, 3> bytes{std::byte{0x01}, std::byte{0x80}, std::byte{0x03}};
  const treezip::BitStream stream{bytes.data(), bytes.size()};
  History<4> history(stream, 17);
  EXPECT_EQ(history.newest(), uint64_t{0x18001} << 47);
  EXPECT_EQ(history.words()[1], 0u);
  for (int bit = 0; bit < 64; ++bit) history.push(0);
  history.push(uint64_t{1} << 63);
  EXPECT_EQ(history.newest(), uint64_t{1} << 63);
  EXPECT_EQ(history.words()[1], uint64_t{0x18001} << 46);
}

template <class Key>
bool bit_at(const NodeTable<Key>& tree, uint64_t address, const History<4>& past) {
  typename Key::Past history;
  if constexpr (std::is_same_v<typename Key::Past, History<4>>) {
    history = past;
  } else {
    for (int bit = 0; bit < 64; ++bit) history.push(past.newest() >> bit << 63);
  }
  const Key key(tree.shape(), address, history);
  auto word = tree.entry(address);
  while (!tree.is_leaf(word)) word = tree.next(word, key);
  EXPECT_EQ(tree.next(word, key), word);  // a leaf is its own successor
  return word != 0;
}

TEST(NodeTable, GivesTheSameForEitherKindOfKey) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const MadeChain chain(5000, 60, 20, 12, seed);  // most bits of the address are 0
    const NodeTable<NarrowKey> narrow(*chain.file(), *chain.survey(), {});
    const NodeTable<WideKey> wide(*chain.file(), *chain.survey(), {});
    EXPECT_EQ(narrow.parsed_bits(), chain.tree_bits());
    EXPECT_EQ(wide.parsed_bits(), chain.tree_bits());
    const treezip::BitStream payload{chain.payload().data(), chain.payload().size()};
    for (uint64_t address = 20; address < 40'000; address += 7) {
      const History<4> past(payload, address);
      const bool expected = (payload.peek(address) & 1) != 0;
      ASSERT_EQ(bit_at(narrow, address, past), expected) << "seed " << seed << " bit " << address;
      ASSERT_EQ(bit_at(wide, address, past), expected) << "seed " << seed << " bit " << address;
    }
  }
}

}  // namespace
}  // namespace heron

#include "bytes/on_disk.h"

#include <gtest/gtest.h>

namespace heron {
namespace {

constexpr unsigned char kBytes[] = {0xff, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x88};
const auto* const kUnaligned = reinterpret_cast<const std::byte*>(kBytes) + 1;

TEST(OnDisk, LoadsBothOrdersAtAnyAddress) {
  EXPECT_EQ(load<u16le>(kUnaligned), 0x0201u);
  EXPECT_EQ(load<u32be>(kUnaligned), 0x01020304u);
  EXPECT_EQ(load<u64le>(kUnaligned), 0x8807060504030201u);
  EXPECT_EQ(load<i64be>(kUnaligned), 0x0102030405060788);
  EXPECT_LT(load<i64le>(kUnaligned), 0);
  constexpr unsigned char kOneAndAHalf[] = {0x3f, 0xc0, 0, 0};
  EXPECT_EQ(load<f32be>(reinterpret_cast<const std::byte*>(kOneAndAHalf)), 1.5f);
}

TEST(OnDisk, LiesOverBytes) {
  struct Header {
    std::byte tag;
    u32le count;
    f64be value;
  };
  static_assert(sizeof(Header) == 13 && alignof(Header) == 1);
  Header header{};
  header.count = 0x01020304;
  header.value = -2.0;
  const auto* bytes = reinterpret_cast<const std::byte*>(&header);
  EXPECT_EQ(bytes[1], std::byte{4});
  EXPECT_EQ(bytes[4], std::byte{1});
  EXPECT_EQ(bytes[5], std::byte{0xc0});
  EXPECT_EQ(header.value, -2.0);
}

}  // namespace
}  // namespace heron

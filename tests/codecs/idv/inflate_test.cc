// Blocks of every compression, whole, cut short, damaged and longer than asked for.
#include "idv/inflate.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "error_of.h"

namespace heron {
namespace {

using idv::Compression;
using idv::InflateResult;
using Bytes = std::vector<std::byte>;

Bytes as_bytes(std::initializer_list<unsigned> values) {
  Bytes bytes;
  for (const unsigned value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

Bytes random_bytes(uint64_t count, unsigned different) {
  std::minstd_rand random(count + different);
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() % different);
  return bytes;
}

Bytes deflated(const Bytes& bytes, int level = 6) {
  idv::Deflater deflater(level);
  const auto made = deflater.deflate(bytes);
  return {made.begin(), made.end()};
}

uint32_t adler(const Bytes& bytes) {
  uint32_t a = 1, b = 0;
  for (const std::byte byte : bytes) {
    a = (a + std::to_integer<uint32_t>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

Bytes zlib(const Bytes& bytes) {
  Bytes made = as_bytes({0x78, 0x9c});
  const Bytes body = deflated(bytes);
  made.insert(made.end(), body.begin(), body.end());
  for (int shift = 24; shift >= 0; shift -= 8) {
    made.push_back(static_cast<std::byte>(adler(bytes) >> shift));
  }
  return made;
}

// The first `bytes` bytes of what `stored` decompresses to; nothing if not Ok.
Bytes inflated(Compression compression, const Bytes& stored, uint64_t bytes,
               InflateResult expected = InflateResult::Ok) {
  Bytes into(bytes);
  const InflateResult result = idv::inflate(compression, stored, into, Context{});
  EXPECT_EQ(static_cast<int>(result), static_cast<int>(expected));
  if (result != InflateResult::Ok) into.clear();
  return into;
}

TEST(IdvInflate, GivesBackWhatWasDeflated) {
  for (const uint64_t bytes : {0, 1, 100, 70'000, 1'000'000}) {
    for (const int level : {0, 1, 6, 12}) {
      const Bytes plain = random_bytes(bytes, 20);
      const Bytes stored = deflated(plain, level);
      EXPECT_LE(bytes, idv::most_inflated(Compression::Deflate, stored.size()));
      EXPECT_EQ(inflated(Compression::Deflate, stored, bytes), plain);
      EXPECT_EQ(idv::inflate_all(Compression::Deflate, stored, UINT64_MAX, Context{}), plain);
    }
    const Bytes plain = random_bytes(bytes, 200);
    EXPECT_EQ(inflated(Compression::Zlib, zlib(plain), bytes), plain);
    EXPECT_EQ(idv::inflate_all(Compression::Zlib, zlib(plain), UINT64_MAX, Context{}), plain);
    EXPECT_EQ(inflated(Compression::None, plain, bytes), plain);
    EXPECT_EQ(idv::inflate_all(Compression::None, plain, UINT64_MAX, Context{}), plain);
  }
}

TEST(IdvInflate, DropsWhatIsBehindTheLengthAskedFor) {
  const Bytes plain = random_bytes(200'000, 7);
  const Bytes stored = deflated(plain);
  const Bytes as_stored_blocks = deflated(plain, 0);
  for (const uint64_t bytes : {0, 1, 5'000, 65'535, 65'536, 199'999}) {
    const Bytes first(plain.begin(), plain.begin() + static_cast<ptrdiff_t>(bytes));
    EXPECT_EQ(inflated(Compression::Deflate, stored, bytes), first);
    EXPECT_EQ(inflated(Compression::Deflate, as_stored_blocks, bytes), first);
    EXPECT_EQ(inflated(Compression::Zlib, zlib(plain), bytes), first);
    EXPECT_EQ(inflated(Compression::None, plain, bytes), first);
  }
  // Bytes behind the end of the stream are nobody's.
  Bytes longer = stored;
  longer.resize(longer.size() + 10);
  EXPECT_EQ(inflated(Compression::Deflate, longer, plain.size()), plain);
}

TEST(IdvInflate, TellsTooShortFromCorrupt) {
  const Bytes plain = random_bytes(5'000, 7);
  const Bytes stored = deflated(plain);
  inflated(Compression::Deflate, stored, 5'001, InflateResult::TooShort);
  inflated(Compression::Zlib, zlib(plain), 5'001, InflateResult::TooShort);
  inflated(Compression::None, plain, 5'001, InflateResult::TooShort);

  for (uint64_t end = 0; end < stored.size(); ++end) {
    const Bytes cut(stored.begin(), stored.begin() + static_cast<ptrdiff_t>(end));
    for (const uint64_t bytes : {0, 10, 5'000, 6'000}) {
      inflated(Compression::Deflate, cut, bytes, InflateResult::Corrupt);
    }
    EXPECT_EQ(idv::inflate_all(Compression::Deflate, cut, UINT64_MAX, Context{}), std::nullopt);
  }
  inflated(Compression::Deflate, as_bytes({0x07}), 0, InflateResult::Corrupt);  // no such kind

  Bytes wrong_sum = zlib(plain);
  wrong_sum.back() ^= std::byte{1};
  inflated(Compression::Zlib, wrong_sum, 5'000, InflateResult::Corrupt);
  inflated(Compression::Zlib, wrong_sum, 10, InflateResult::Corrupt);
  inflated(Compression::Zlib, stored, 5'000, InflateResult::Corrupt);
}

// An "a" and a length, of distance 1, in the fixed code.
TEST(IdvInflate, LengthsThatNeverOccurAreTheLongest) {
  const Bytes plain(259, static_cast<std::byte>('a'));
  for (const unsigned length : {5U, 3U, 7U}) {  // 285, 286, 287
    const Bytes stored = as_bytes({0x4b, 0x1c, length, 0x00});
    EXPECT_EQ(inflated(Compression::Deflate, stored, plain.size()), plain);
    EXPECT_EQ(idv::inflate_all(Compression::Deflate, stored, UINT64_MAX, Context{}), plain);
    inflated(Compression::Deflate, stored, plain.size() + 1, InflateResult::TooShort);
  }
}

TEST(IdvInflate, NothingBecomesMoreThan1032Times) {
  EXPECT_EQ(idv::most_inflated(Compression::None, 7), 7u);
  EXPECT_EQ(idv::most_inflated(Compression::Deflate, 2), 2064u);
  EXPECT_EQ(idv::most_inflated(Compression::Zlib, 2), 2064u);
  EXPECT_EQ(idv::most_inflated(Compression::Deflate, UINT64_MAX / 1032), UINT64_MAX / 1032 * 1032);
  EXPECT_EQ(idv::most_inflated(Compression::Deflate, UINT64_MAX / 1032 + 1), UINT64_MAX);

  const Bytes zeros(10'000'000);
  const Bytes stored = deflated(zeros, 12);
  EXPECT_LT(stored.size(), 11'000u);
  EXPECT_GE(idv::most_inflated(Compression::Deflate, stored.size()), zeros.size());
  EXPECT_EQ(idv::inflate_all(Compression::Deflate, stored, UINT64_MAX, Context{}), zeros);
}

TEST(IdvInflate, StopsAtTheMost) {
  const Bytes zeros(10'000'000);
  const Bytes stored = deflated(zeros, 12);
  const auto all = [&](uint64_t most) {
    return idv::inflate_all(Compression::Deflate, stored, most, Context{});
  };
  EXPECT_EQ(all(zeros.size()), zeros);
  EXPECT_EQ(test::error_of([&] { all(zeros.size() - 1); }).kind(), ErrorKind::Limit);
  // A block that is to be short, of very much.
  Bytes into(100);
  EXPECT_EQ(
      test::error_of([&] { idv::inflate(Compression::Deflate, stored, into, Context{}); }).kind(),
      ErrorKind::Limit);
}

TEST(IdvInflate, ChargesWhatItNeedsBesides) {
  const Bytes stored = deflated(Bytes(10'000'000), 12);
  Context context;
  context.memory = std::make_shared<MemoryBudget>(1'000'000);
  Bytes into(100);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(
        test::error_of([&] { idv::inflate(Compression::Deflate, stored, into, context); }).kind(),
        ErrorKind::Limit);
    EXPECT_EQ(test::error_of([&] {
                idv::inflate_all(Compression::Deflate, stored, UINT64_MAX, context);
              }).kind(),
              ErrorKind::Limit);
    EXPECT_EQ(context.memory->used(), 0u);
  }
}

TEST(IdvInflate, EveryThreadHasItsOwn) {
  const Bytes plain = random_bytes(300'000, 30);
  const Bytes stored = deflated(plain);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(inflated(Compression::Deflate, stored, plain.size()), plain);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(IdvInflate, ADeflaterIsUsedAgain) {
  idv::Deflater deflater(6);
  for (const uint64_t bytes : {100'000, 10, 0, 200'000}) {
    const Bytes plain = random_bytes(bytes, 40);
    const auto made = deflater.deflate(plain);
    EXPECT_EQ(inflated(Compression::Deflate, {made.begin(), made.end()}, bytes), plain);
  }
}

}  // namespace
}  // namespace heron

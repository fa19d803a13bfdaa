// Streams of every format, whole, cut short, damaged and longer than requested.
#include "bytes/inflate.h"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "bytes/deflate.h"
#include "error_of.h"

namespace heron {
namespace {

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
  Deflater deflater(level);
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

uint32_t crc32(const Bytes& bytes) {
  uint32_t crc = ~uint32_t{0};
  for (const std::byte byte : bytes) {
    crc ^= std::to_integer<uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320 & -(crc & 1));
  }
  return ~crc;
}

Bytes gzip(const Bytes& bytes) {
  Bytes made = as_bytes({0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255});
  const Bytes body = deflated(bytes);
  made.insert(made.end(), body.begin(), body.end());
  for (const uint32_t word : {crc32(bytes), static_cast<uint32_t>(bytes.size())}) {
    for (int shift = 0; shift < 32; shift += 8)
      made.push_back(static_cast<std::byte>(word >> shift));
  }
  return made;
}

// Returns the first `bytes` bytes that `stored` decompresses to; nothing if not Ok.
Bytes inflated(DeflateFormat format, const Bytes& stored, uint64_t bytes,
               InflateResult expected = InflateResult::Ok) {
  Bytes into(bytes);
  const InflateResult result = inflate(format, stored, into, Context{});
  EXPECT_EQ(static_cast<int>(result), static_cast<int>(expected));
  if (result != InflateResult::Ok) into.clear();
  return into;
}

// Returns all bytes that `stored` decompresses to; nothing if not Ok.
Bytes whole(DeflateFormat format, const Bytes& stored, uint64_t most = UINT64_MAX,
            InflateResult expected = InflateResult::Ok) {
  Bytes all;
  const InflateResult result = inflate_all(format, stored, most, all, Context{});
  EXPECT_EQ(static_cast<int>(result), static_cast<int>(expected));
  return all;
}

TEST(Inflate, GivesBackWhatWasDeflated) {
  for (const uint64_t bytes : {0, 1, 100, 70'000, 1'000'000}) {
    for (const int level : {0, 1, 6, 12}) {
      const Bytes plain = random_bytes(bytes, 20);
      const Bytes stored = deflated(plain, level);
      EXPECT_LE(bytes, most_inflated(stored.size()));
      EXPECT_EQ(inflated(DeflateFormat::Raw, stored, bytes), plain);
      EXPECT_EQ(whole(DeflateFormat::Raw, stored), plain);
    }
    const Bytes plain = random_bytes(bytes, 200);
    EXPECT_EQ(inflated(DeflateFormat::Zlib, zlib(plain), bytes), plain);
    EXPECT_EQ(whole(DeflateFormat::Zlib, zlib(plain)), plain);
    EXPECT_EQ(inflated(DeflateFormat::Gzip, gzip(plain), bytes), plain);
    EXPECT_EQ(whole(DeflateFormat::Gzip, gzip(plain)), plain);
  }
}

TEST(Inflate, DropsOutputBehindTheRequestedLength) {
  const Bytes plain = random_bytes(200'000, 7);
  const Bytes stored = deflated(plain);
  const Bytes as_stored_blocks = deflated(plain, 0);
  for (const uint64_t bytes : {0, 1, 5'000, 65'535, 65'536, 199'999}) {
    const Bytes first(plain.begin(), plain.begin() + static_cast<ptrdiff_t>(bytes));
    EXPECT_EQ(inflated(DeflateFormat::Raw, stored, bytes), first);
    EXPECT_EQ(inflated(DeflateFormat::Raw, as_stored_blocks, bytes), first);
    EXPECT_EQ(inflated(DeflateFormat::Zlib, zlib(plain), bytes), first);
  }
  // Bytes behind the end of the stream are ignored.
  Bytes longer = stored;
  longer.resize(longer.size() + 10);
  EXPECT_EQ(inflated(DeflateFormat::Raw, longer, plain.size()), plain);
}

TEST(Inflate, TellsTooShortFromCorrupt) {
  const Bytes plain = random_bytes(5'000, 7);
  const Bytes stored = deflated(plain);
  inflated(DeflateFormat::Raw, stored, 5'001, InflateResult::TooShort);
  inflated(DeflateFormat::Zlib, zlib(plain), 5'001, InflateResult::TooShort);

  for (uint64_t end = 0; end < stored.size(); ++end) {
    const Bytes cut(stored.begin(), stored.begin() + static_cast<ptrdiff_t>(end));
    for (const uint64_t bytes : {0, 10, 5'000, 6'000}) {
      inflated(DeflateFormat::Raw, cut, bytes, InflateResult::Corrupt);
    }
    whole(DeflateFormat::Raw, cut, UINT64_MAX, InflateResult::Corrupt);
  }
  inflated(DeflateFormat::Raw, as_bytes({0x07}), 0, InflateResult::Corrupt);  // not a block type

  Bytes wrong_sum = zlib(plain);
  wrong_sum.back() ^= std::byte{1};
  inflated(DeflateFormat::Zlib, wrong_sum, 5'000, InflateResult::Corrupt);
  inflated(DeflateFormat::Zlib, wrong_sum, 10, InflateResult::Corrupt);
  inflated(DeflateFormat::Zlib, stored, 5'000, InflateResult::Corrupt);

  wrong_sum = gzip(plain);
  wrong_sum[wrong_sum.size() - 5] ^= std::byte{1};
  inflated(DeflateFormat::Gzip, wrong_sum, 5'000, InflateResult::Corrupt);
  inflated(DeflateFormat::Gzip, zlib(plain), 5'000, InflateResult::Corrupt);
}

// The stream is an "a" and a length, of distance 1, in the fixed code.
TEST(Inflate, LengthsThatNeverOccurAreTheLongest) {
  const Bytes plain(259, static_cast<std::byte>('a'));
  for (const unsigned length : {5U, 3U, 7U}) {  // 285, 286, 287
    const Bytes stored = as_bytes({0x4b, 0x1c, length, 0x00});
    EXPECT_EQ(inflated(DeflateFormat::Raw, stored, plain.size()), plain);
    EXPECT_EQ(whole(DeflateFormat::Raw, stored), plain);
    inflated(DeflateFormat::Raw, stored, plain.size() + 1, InflateResult::TooShort);
  }
}

TEST(Inflate, NothingBecomesMoreThan1032Times) {
  EXPECT_EQ(most_inflated(2), 2064u);
  EXPECT_EQ(most_inflated(UINT64_MAX / 1032), UINT64_MAX / 1032 * 1032);
  EXPECT_EQ(most_inflated(UINT64_MAX / 1032 + 1), UINT64_MAX);

  const Bytes zeros(10'000'000);
  const Bytes stored = deflated(zeros, 12);
  EXPECT_LT(stored.size(), 11'000u);
  EXPECT_GE(most_inflated(stored.size()), zeros.size());
  EXPECT_EQ(whole(DeflateFormat::Raw, stored), zeros);
}

TEST(Inflate, StopsAtTheMost) {
  const Bytes zeros(10'000'000);
  const Bytes stored = deflated(zeros, 12);
  EXPECT_EQ(whole(DeflateFormat::Raw, stored, zeros.size()), zeros);
  whole(DeflateFormat::Raw, stored, zeros.size() - 1, InflateResult::TooLong);
  // The expected output of a block is short, but the block inflates to very much.
  inflated(DeflateFormat::Raw, stored, 100, InflateResult::TooLong);
}

TEST(Inflate, ChargesWhatItNeedsBesides) {
  const Bytes stored = deflated(Bytes(10'000'000), 12);
  Context context;
  context.memory = std::make_shared<MemoryBudget>(1'000'000);
  Bytes into(100), all;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(test::error_of([&] { inflate(DeflateFormat::Raw, stored, into, context); }).kind(),
              ErrorKind::Limit);
    EXPECT_EQ(test::error_of([&] {
                inflate_all(DeflateFormat::Raw, stored, UINT64_MAX, all, context);
              }).kind(),
              ErrorKind::Limit);
    EXPECT_EQ(context.memory->used(), 0u);
  }
}

TEST(Inflate, EveryThreadHasItsOwn) {
  const Bytes plain = random_bytes(300'000, 30);
  const Bytes stored = deflated(plain);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(inflated(DeflateFormat::Raw, stored, plain.size()), plain);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Inflate, StreamsOneBehindTheOther) {
  using Result = InflatedStream::Result;
  const Bytes plain = random_bytes(5'000, 7);
  const std::pair<DeflateFormat, Bytes> streams[] = {{DeflateFormat::Raw, deflated(plain)},
                                                     {DeflateFormat::Zlib, zlib(plain)},
                                                     {DeflateFormat::Gzip, gzip(plain)}};
  for (const auto& [format, stored] : streams) {
    Bytes two = stored;
    two.insert(two.end(), stored.begin(), stored.end());
    Bytes into(plain.size() + 10);
    for (const std::span<const std::byte> some :
         {std::span(two), std::span(two).first(stored.size())}) {
      const InflatedStream stream = inflate_stream(format, some, into);
      EXPECT_EQ(stream.result, Result::Ok);
      EXPECT_EQ(stream.stored_bytes, stored.size());
      EXPECT_EQ(stream.bytes, plain.size());
      EXPECT_TRUE(std::equal(plain.begin(), plain.end(), into.begin()));
    }
    EXPECT_EQ(inflate_stream(format, two, std::span(into).first(plain.size())).result, Result::Ok);
    EXPECT_EQ(inflate_stream(format, two, std::span(into).first(plain.size() - 1)).result,
              Result::NoSpace);
    EXPECT_EQ(inflate_stream(format, std::span(two).first(stored.size() - 1), into).result,
              Result::Corrupt);
  }
}

TEST(Inflate, ADeflaterIsUsedAgain) {
  Deflater deflater(6);
  for (const uint64_t bytes : {100'000, 10, 0, 200'000}) {
    const Bytes plain = random_bytes(bytes, 40);
    const auto made = deflater.deflate(plain);
    EXPECT_EQ(inflated(DeflateFormat::Raw, {made.begin(), made.end()}, bytes), plain);
  }
}

}  // namespace
}  // namespace heron

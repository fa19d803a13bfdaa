// Compression and decompression in pieces of any size; streams that follow each other; damaged and
// cut files; limits.
#include "bytes/compression.h"

#include <gtest/gtest.h>

#include <random>

#include "base/fail.h"
#include "bytes/memory_source.h"
#include "compression/compression.h"
#include "error_of.h"
#include "heron/heron.h"
#include "temp_folder.h"

namespace heron {
namespace {

constexpr Compression kStreams[] = {Compression::Bzip2, Compression::Xz, Compression::Zstd};

std::string compressed(Compression method, std::string_view text, size_t piece = SIZE_MAX) {
  std::string out;
  Compressor stream(method, [&](std::span<const std::byte> bytes) {
    out.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
  const auto bytes = std::as_bytes(std::span(text));
  for (size_t at = 0; at < bytes.size(); at += piece) {
    stream.write(bytes.subspan(at, std::min(piece, bytes.size() - at)));
    if (piece == SIZE_MAX) break;
  }
  stream.finish();
  return out;
}

std::shared_ptr<const ByteSource> source_of(const std::string& stored) {
  return std::make_shared<MemorySource>("made", std::as_bytes(std::span(stored)));
}

std::string decompressed(Compression method, const std::string& stored, uint64_t most = 1 << 30) {
  OpenOptions options;
  options.max_decode = most;
  const Unwrapped unwrapped =
      compression::decompress(method, source_of(stored), options, Context());
  std::string text(unwrapped.payload->size(), '\0');
  unwrapped.payload->read(0, std::as_writable_bytes(std::span(text)), {});
  return text;
}

std::string some_text(size_t bytes, uint64_t noise) {
  std::mt19937_64 random(bytes);
  std::string text;
  while (text.size() < bytes) {
    text += random() % noise == 0 ? std::to_string(random()) : std::string("the same words\n");
  }
  text.resize(bytes);
  return text;
}

TEST(Compression, WhatIsCompressedIsDecompressed) {
  for (const Compression method : kStreams) {
    for (const size_t bytes : {0, 1, 2, 4095, 4096, 4097, 65'536, 1'000'000, 3'000'001}) {
      for (const uint64_t noise : {1, 1000}) {
        const std::string text = some_text(bytes, noise);
        ASSERT_EQ(decompressed(method, compressed(method, text)), text) << bytes;
        ASSERT_EQ(decompressed(method, compressed(method, text, 777)), text) << bytes;
      }
    }
  }
}

TEST(Compression, StreamsThatFollowEachOtherAreOne) {
  for (const Compression method : kStreams) {
    const std::string first = some_text(100'000, 2), last = some_text(5000, 100);
    const std::string stored =
        compressed(method, first) + compressed(method, "") + compressed(method, last);
    EXPECT_EQ(decompressed(method, stored), first + last);
  }
}

TEST(Compression, CutAndDamagedStreamsAreCorruptAndNameAPlace) {
  for (const Compression method : kStreams) {
    const std::string text = some_text(20'000, 3);
    const std::string stored = compressed(method, text) + compressed(method, "more\n");
    const size_t first = compressed(method, text).size();
    for (size_t bytes = 0; bytes < stored.size(); bytes += bytes < 40 ? 1 : 97) {
      if (bytes == first) continue;
      const Error error = test::error_of([&] { decompressed(method, stored.substr(0, bytes)); });
      ASSERT_EQ(error.kind(), ErrorKind::Corrupt) << bytes << error.what();
      ASSERT_NE(std::string_view(error.what()).find("byte "), std::string_view::npos);
    }
    for (size_t at = 0; at < stored.size(); at += 31) {
      std::string damaged = stored;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
      try {
        decompressed(method, damaged);  // not every format has a checksum of all its bytes
      } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::Corrupt || error.kind() == ErrorKind::Limit)
            << error.what();
      }
    }
    EXPECT_EQ(test::error_of([&] { decompressed(method, stored + "x"); }).kind(),
              ErrorKind::Corrupt);
  }
}

TEST(Compression, BombsEndAtTheLimit) {
  for (const Compression method : kStreams) {
    const std::string text(50'000'000, 'x');
    const std::string stored = compressed(method, text);
    EXPECT_LT(stored.size(), 50'000U);
    EXPECT_EQ(test::error_of([&] { decompressed(method, stored, 49'999'999); }).kind(),
              ErrorKind::Limit);
    EXPECT_EQ(decompressed(method, stored, 50'000'000).size(), text.size());
    Context context;
    context.memory = std::make_shared<MemoryBudget>(uint64_t{8} << 20);
    EXPECT_EQ(test::error_of([&] {
                compression::decompress(method, source_of(stored), {}, context);
              }).kind(),
              ErrorKind::Limit);
  }
}

TEST(Compression, AWindowOfZstdThatIsTooLarge) {
  using namespace std::string_view_literals;
  const std::string stored("\x28\xB5\x2F\xFD\0\x90\1\0\0"sv);  // 2^28 bytes, an empty last block
  const Error error = test::error_of([&] { decompressed(Compression::Zstd, stored); });
  EXPECT_EQ(error.kind(), ErrorKind::Limit);
  EXPECT_EQ(
      std::string_view(error.what()),
      "made: the zstd frame at byte 0 needs 268435456 bytes of memory to decompress; the most "
      "is 134217728");
}

// Bytes that are read, and never found at an address.
class CountingSource final : public ByteSource {
 public:
  explicit CountingSource(const std::string& stored)
      : ByteSource("made", stored.size(), nullptr), stored_(stored) {}

  void read(uint64_t offset, std::span<std::byte> into, const Context&) const override {
    ++reads;
    std::memcpy(into.data(), stored_.data() + offset, into.size());
  }

  mutable uint64_t reads = 0;

 private:
  const std::string& stored_;
};

TEST(Compression, SmallFramesOfZstdShareReads) {
  std::string stored, text;
  for (int frame = 0; frame < 1000; ++frame) {
    stored += compressed(Compression::Zstd, std::to_string(frame));
    text += std::to_string(frame);
  }
  const auto source = std::make_shared<CountingSource>(stored);
  const Unwrapped unwrapped = compression::decompress(Compression::Zstd, source, {}, Context());
  EXPECT_EQ(unwrapped.payload->size(), text.size());
  EXPECT_LE(source->reads, 2 * (stored.size() / 4000 + 1));  // headers, then frames
}

TEST(Compression, FilesAreWrappedAndOpened) {
  const test::TempFolder folder;
  const std::string csv = folder.write("x.csv", "a,b\n1,x\n2,y\n");
  for (const char* ending : {".gz", ".bz2", ".xz", ".zst"}) {
    const std::string out = csv + ending;
    ASSERT_TRUE(compression_named(out)) << out;
    wrap(csv, out);
    const auto data = open(out);
    EXPECT_EQ(data->format(), "csv");
    EXPECT_EQ(data->table()->rows(), 2U);
    const std::string back = concat(out, ".csv");
    unwrap(out, back);
    EXPECT_EQ(std::filesystem::file_size(back), 12U);
  }
  EXPECT_FALSE(compression_named(csv));
}

}  // namespace
}  // namespace heron

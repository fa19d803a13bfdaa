// Whole files have the bytes that the original program writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bytes/memory_source.h"
#include "error_of.h"
#include "heron/convert.h"
#include "kit/slow_tree_encoder.h"
#include "kit/tree_payloads.h"
#include "temp_folder.h"
#include "treezip/treezip.h"

namespace heron::treezip {
namespace {

using test::error_of;
using test::TempFolder;

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string wrapped(std::span<const std::byte> payload, const WrapOptions& options = {}) {
  const TempFolder folder;
  OutputFile file(folder / "out.tz");
  const uint64_t bytes = wrap(MemorySource("in", payload), file, options, {});
  file.publish();
  const std::string written = folder.read("out.tz");
  EXPECT_EQ(bytes, written.size());
  return written;
}

WrapOptions options_of(unsigned previous_bits, std::optional<unsigned> address_bits = {}) {
  WrapOptions options;
  options.set("previous_bits", previous_bits);
  if (address_bits) options.set("address_bits", *address_bits);
  return options;
}

std::string slow_file(std::span<const std::byte> payload, unsigned feat_addr, unsigned feat_prev) {
  return text_of(SlowTreeEncoder(payload, feat_addr, feat_prev).file().value());
}

TEST(TreeZipWrap, EmptyPayload) {
  const std::string file = wrapped({});
  EXPECT_EQ(file,
            std::string("TREEZIP\7", 8) + std::string(8, '\0') + '\1' + std::string(16, '\0'));
}

TEST(TreeZipWrap, AddressBitsAreThoseThereAre) {
  const auto payload = random_bytes(100, 1);
  EXPECT_EQ(wrapped(payload), slow_file(payload, 10, 0));
  EXPECT_EQ(wrapped(payload, options_of(0, 255)), slow_file(payload, 255, 0));
}

TEST(TreeZipWrap, InitialBitsMayBeThePayload) {
  for (const uint64_t bytes : {0, 1, 2, 7, 8, 31}) {
    const auto payload = random_bytes(bytes, bytes);
    for (const unsigned previous : {8, 57, 248, 255}) {
      if (bytes * 8 > previous) continue;
      EXPECT_EQ(wrapped(payload, options_of(previous, 9)), slow_file(payload, 9, previous))
          << bytes << " bytes, " << previous << " previous bits";
    }
  }
}

TEST(TreeZipWrap, InitialBitsComeBeforeTheTree) {
  for (const TreePayload& payload : tree_payloads(40)) {
    for (const unsigned previous : {1, 64, 255}) {
      EXPECT_EQ(wrapped(payload.bytes, options_of(previous)), slow_file(payload.bytes, 9, previous))
          << payload.what << ", " << previous << " previous bits";
    }
  }
}

// The payload repeats 16 bytes: 7 bits of their addresses are enough.
TEST(TreeZipWrap, AddressesMayWrap) {
  auto payload = random_bytes(16, 1);
  for (size_t at = 0; at < 48; ++at) payload.push_back(payload[at]);
  EXPECT_EQ(wrapped(payload, options_of(0, 7)), slow_file(payload, 7, 0));
  payload.back() ^= std::byte{0x80};
  EXPECT_THAT(error_of(ErrorKind::Argument, [&] { wrapped(payload, options_of(0, 7)); }),
              testing::StartsWith("in: feat_addr 7 and feat_prev 0 "));
}

TEST(TreeZipWrap, FilesWithAndWithoutMap) {
  const TempFolder folder;
  const auto payload = random_bytes(3000, 1);
  const std::string in = folder.write("in", text_of(payload));
  for (const bool map : {true, false}) {
    const std::string out = folder / "out.tz";
    const uint64_t written = heron::wrap(in, out, {.replace = true, .mmap = map});
    EXPECT_EQ(written, std::filesystem::file_size(out));
    EXPECT_EQ(folder.read("out.tz"), wrapped(payload));
  }
}

// The encoder releases the memory that it charged.
TEST(TreeZipWrap, ChargesPayloadAndTree) {
  const auto payload = random_bytes(uint64_t{2} << 20, 1);
  const TempFolder folder;
  const auto wrap_with = [&](uint64_t budget) {
    Context context;
    context.memory = std::make_shared<MemoryBudget>(budget);
    OutputFile file(folder / "out.tz");
    wrap(MemorySource("in", payload), file, {}, context);
    EXPECT_EQ(context.memory->used(), 0);
  };
  wrap_with(2 * payload.size() + (uint64_t{5} << 18));
  error_of(ErrorKind::Limit, [&] { wrap_with(2 * payload.size()); });
}

}  // namespace
}  // namespace heron::treezip

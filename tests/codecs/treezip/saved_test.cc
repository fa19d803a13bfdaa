// The section of a sidecar for a tree: with it, the payload is the same, without a survey. A
// damaged section is ignored; a forged one never causes reads outside of it.
#include "kit/real_files.h"
#include "treezip/read/saved.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bytes/byte_source.h"
#include "heron/heron.h"
#include "skip/checksum.h"
#include "treezip/treezip.h"

namespace heron {
namespace {

using Bytes = std::vector<std::byte>;

// The trees look back or not, have an index or not, and one is empty.
constexpr const char* kFiles[] = {
    "addr70", "counter_u64le_65536", "counter_u32be_p32", "addr255_p255", "csv_p0", "counter_u8"};

std::string path_of(const std::string& name) {
  return data_dir() / "treezip" / name;
}

Bytes raw_of(const std::string& name) {
  std::ifstream file(path_of(name) + ".raw", std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto bytes = std::as_bytes(std::span(text));
  return Bytes(bytes.begin(), bytes.end());
}

struct Payload {
  std::shared_ptr<const ByteSource> source;
  bool noted = false;

  Bytes read() const {
    Bytes bytes(source->size());
    source->read(0, bytes, {});
    return bytes;
  }
  uint64_t parsed_bits() const {
    for (const Counter& counter : source->counters()) {
      if (counter.name == "tree_bits_parsed") return counter.value;
    }
    return 0;
  }
};

Payload unwrap_with(const std::string& name, const Bytes& saved, bool map = true) {
  Payload payload;
  Context context;
  context.note = [&](std::string_view) { payload.noted = true; };
  payload.source =
      treezip::unwrap(open_file(path_of(name) + ".tz", map), {}, saved, context).payload;
  return payload;
}

Bytes index_of(const std::string& name) {
  return treezip::index(open_file(path_of(name) + ".tz", true), {}, {});
}

class SavedTree : public testing::TestWithParam<const char*> {};

TEST_P(SavedTree, GivesTheSamePayloadWithoutASurvey) {
  const Bytes saved = index_of(GetParam());
  for (const bool map : {true, false}) {
    const Payload payload = unwrap_with(GetParam(), saved, map);
    EXPECT_FALSE(payload.noted);
    EXPECT_EQ(payload.parsed_bits(), 0);
    EXPECT_EQ(payload.read(), raw_of(GetParam()));
  }
}

TEST_P(SavedTree, ThatIsDamagedIsLeftAside) {
  const Bytes raw = raw_of(GetParam());
  Bytes saved = index_of(GetParam());
  const uint64_t step = saved.size() < 1000 ? 1 : 61;
  for (uint64_t bit = 0; bit < saved.size() * 8; bit += step) {
    saved[bit / 8] ^= std::byte{1} << bit % 8;
    const Payload payload = unwrap_with(GetParam(), saved);
    EXPECT_TRUE(payload.noted) << "bit " << bit;
    ASSERT_EQ(payload.read(), raw) << "bit " << bit;
    saved[bit / 8] ^= std::byte{1} << bit % 8;
  }
  for (uint64_t size = 1; size < saved.size(); size += step) {
    EXPECT_TRUE(unwrap_with(GetParam(), Bytes(saved.begin(), saved.begin() + size)).noted);
  }
}

TEST_P(SavedTree, ThatIsForgedHarmsNobody) {
  const uint64_t size = raw_of(GetParam()).size();
  Bytes saved = index_of(GetParam());
  const uint64_t step = saved.size() < 1000 ? 1 : 61;
  for (uint64_t bit = 64; bit < saved.size() * 8; bit += step) {
    saved[bit / 8] ^= std::byte{1} << bit % 8;
    const uint64_t sum = checksum(std::span<const std::byte>(saved).subspan(sizeof(uint64_t)));
    std::memcpy(saved.data(), &sum, sizeof sum);
    const Payload payload = unwrap_with(GetParam(), saved);
    EXPECT_EQ(payload.read().size(), size) << "bit " << bit;
    saved[bit / 8] ^= std::byte{1} << bit % 8;
  }
}

TEST_P(SavedTree, OfAnotherFileIsLeftAside) {
  for (const char* other : kFiles) {
    if (std::string(other) == GetParam()) continue;
    const Payload payload = unwrap_with(GetParam(), index_of(other));
    EXPECT_TRUE(payload.noted) << other;
    EXPECT_EQ(payload.read(), raw_of(GetParam())) << other;
  }
}

TEST(SavedCheckpoints, AreLeftAsideWhereTheBudgetIsSmall) {
  constexpr char kName[] = "tree_rand_a13_p20";
  const Bytes saved = index_of(kName);
  Context context;
  for (uint64_t limit = 0; limit < 100'000; limit = limit * 2 + 1) {
    context.memory = std::make_shared<MemoryBudget>(limit);
    EXPECT_NO_THROW(treezip::unwrap(open_file(path_of(kName) + ".tz", true), {}, saved, context));
  }
}

INSTANTIATE_TEST_SUITE_P(Files, SavedTree, testing::ValuesIn(kFiles),
                         [](const auto& file) { return std::string(file.param); });

}  // namespace
}  // namespace heron

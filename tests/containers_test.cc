// The payload of a container is opened as if it were a file; the agreement test shows that its rows
// are the same.
#include "heron/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/fail.h"
#include "error_of.h"
#include "heron/heron.h"
#include "kit/effort.h"
#include "kit/guarded_bytes.h"
#include "kit/interrogate.h"
#include "kit/json_rows.h"
#include "kit/sums.h"
#include "kit/test_names.h"
#include "kit/wrapped_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

using test::error_of;
using test::TempFolder;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

OpenOptions options_of(bool map, const std::string& format = {}) {
  OpenOptions options;
  options.mmap = map;
  options.format = format;
  return options;
}

class Containers : public testing::TestWithParam<std::tuple<RealFile, Wrapping, bool>> {
 protected:
  std::string plain_path() const { return std::get<RealFile>(GetParam()).path.string(); }
  std::string wrapped_path() const {
    return wrapped(std::get<RealFile>(GetParam()), std::get<Wrapping>(GetParam()));
  }
  OpenOptions options() const { return options_of(std::get<bool>(GetParam())); }
};

std::vector<std::string> described(const Table& table) {
  std::vector<std::string> lines;
  for (const Field& field : table.schema()) {
    lines.push_back(concat(field.name, ' ', field.type.name(), ' ', field.encoding));
    for (const Metadata& entry : field.metadata) {
      lines.push_back(concat("  ", entry.name, ": ", entry.text));
    }
  }
  return lines;
}

TEST_P(Containers, TablesAreTheSame) {
  const auto inside = open(wrapped_path(), options());
  const auto plain = open(plain_path(), options());
  ASSERT_EQ(inside->tables().size(), plain->tables().size());
  for (size_t i = 0; i < plain->tables().size(); ++i) {
    const Table& mine = *inside->tables()[i];
    const Table& theirs = *plain->tables()[i];
    EXPECT_EQ(mine.name(), theirs.name());
    EXPECT_EQ(mine.rows(), theirs.rows());
    EXPECT_EQ(mine.key_columns(), theirs.key_columns());
    EXPECT_EQ(mine.block_count(), theirs.block_count());
    EXPECT_EQ(mine.group_count(), theirs.group_count());
    EXPECT_EQ(mine.label_column(), theirs.label_column());
    EXPECT_EQ(described(mine), described(theirs));
  }
  EXPECT_EQ(verify(*inside), verify(*plain));
}

TEST_P(Containers, AreTold) {
  const auto inside = open(wrapped_path(), options());
  const auto plain = open(plain_path(), options());
  const size_t layers = std::get<Wrapping>(GetParam()).layers.size();
  EXPECT_EQ(inside->format(), plain->format());
  EXPECT_THAT(inside->containers(), SizeIs(layers + plain->containers().size()));
  EXPECT_THAT(inside->containers(), Each("treezip"));
  EXPECT_EQ(inside->path(), wrapped_path());
  EXPECT_EQ(inside->size_bytes(), std::filesystem::file_size(wrapped_path()));
}

TEST_P(Containers, UnwrapGivesWhatWasWrapped) {
  const TempFolder folder;
  std::string path = wrapped_path();
  for (const WrapOptions& layer : std::get<Wrapping>(GetParam()).layers) {
    const int64_t bits = *layer.format_options.get<int64_t>("previous_bits");
    const std::string out = folder / concat("inside_", bits);
    const uint64_t bytes = unwrap(path, out, {.open = options()});
    EXPECT_EQ(bytes, std::filesystem::file_size(out));
    path = out;
  }
  EXPECT_EQ(read_file(path), read_file(plain_path()));
}

// Threads share the container's cache, whose chunks evict each other.
TEST_P(Containers, ThreadsShareASmallCache) {
  OpenOptions tight = options();
  tight.cache_bytes = 1024;
  const auto inside = open(wrapped_path(), tight);
  const auto plain = open(plain_path(), options());
  for (size_t i = 0; i < plain->tables().size(); ++i) {
    const auto& table = plain->tables()[i];
    if (table->rows() == 0) continue;
    std::vector<uint64_t> rows(100);
    std::mt19937_64 random(3);
    std::ranges::generate(rows, [&] { return random() % table->rows(); });
    const auto expected = json_rows(take(Projection(table), rows));
    std::vector<std::vector<std::string>> answers(4);
    {
      std::vector<std::jthread> threads;
      for (auto& answer : answers) {
        threads.emplace_back(
            [&] { answer = json_rows(take(Projection(inside->tables()[i]), rows)); });
      }
    }
    EXPECT_THAT(answers, Each(expected));
  }
}

// Damage in the tree is damage in the payload, or an Error.
TEST_P(Containers, DamageIsAnAnswerOrAnError) {
  const std::vector<std::byte> bytes = read_file(wrapped_path());
  GuardedBytes guarded(bytes.size());
  const auto held = guarded.hold(bytes);
  const size_t step = bytes.size() * 8 / tries(4) + 1;
  for (size_t bit = std::get<bool>(GetParam()) ? 0 : step / 2; bit < bytes.size() * 8;
       bit += step) {
    held[bit / 8] ^= std::byte{1} << bit % 8;
    interrogate(held);
    held[bit / 8] = bytes[bit / 8];
  }
}

INSTANTIATE_TEST_SUITE_P(Wrapped, Containers,
                         testing::Combine(testing::ValuesIn(files_to_wrap()),
                                          testing::ValuesIn(wrappings()), testing::Bool()),
                         TestName());

// A container whose payload has no known format.
class ContainerOfText : public testing::TestWithParam<bool> {
 protected:
  static constexpr std::string_view kText = "Just a line of text, and nothing else.\n";

  // Returns the path of the text, wrapped `layers` times.
  std::string text_in(int layers) const {
    std::string path = folder_.write("text", kText);
    for (int layer = 0; layer < layers; ++layer) {
      const std::string outer = path + ".tz";
      const uint64_t bytes = wrap(path, outer, {.replace = true});
      EXPECT_EQ(bytes, std::filesystem::file_size(outer));
      path = outer;
    }
    return path;
  }
  static std::string text_of(const File& file) {
    std::string text;
    Scan scan{Projection(file.table())};
    for (RowBatch batch; scan.next(batch);) {
      for (uint64_t row = 0; row < batch.rows; ++row) {
        text += static_cast<char>(batch.columns[0].get<uint8_t>(row));
      }
    }
    return text;
  }
  std::shared_ptr<const File> opened(const std::string& path,
                                     const std::string& format = {}) const {
    return open(path, options_of(GetParam(), format));
  }

  const TempFolder folder_;
};
INSTANTIATE_TEST_SUITE_P(Read, ContainerOfText, testing::Bool(),
                         [](const auto& test) { return test.param ? "mapped" : "pread"; });

TEST_P(ContainerOfText, IsATableOfBytes) {
  for (const int layers : {1, 2, 4}) {
    const auto file = opened(text_in(layers));
    EXPECT_EQ(file->format(), "bytes");
    EXPECT_THAT(file->containers(), SizeIs(layers));
    ASSERT_THAT(file->tables(), SizeIs(1));
    EXPECT_EQ(file->table()->name(), "bytes");
    EXPECT_EQ(file->table()->rows(), kText.size());
    EXPECT_THAT(described(*file->table()), ElementsAre(HasSubstr("byte uint8")));
    EXPECT_EQ(text_of(*file), kText);
  }
}

TEST_P(ContainerOfText, HasNoRowsWithoutText) {
  const std::string path = folder_.write("nothing", "");
  for (const unsigned previous_bits : {0U, 8U, 255U}) {
    wrap(path, path + ".tz",
         {.replace = true, .format_options = {{"previous_bits", previous_bits}}});
    const auto file = opened(path + ".tz");
    EXPECT_EQ(file->table()->rows(), 0U);
    EXPECT_EQ(text_of(*file), "");
    EXPECT_THAT(verify(*file), IsEmpty());
    EXPECT_EQ(unwrap(path + ".tz", path, {.replace = true, .open = options_of(GetParam())}), 0U);
  }
}

TEST_P(ContainerOfText, InTooManyIsNotOpened) {
  const std::string path = text_in(5);
  EXPECT_THAT(error_of(ErrorKind::Limit, [&] { opened(path); }),
              HasSubstr("this one of format treezip"));
  const auto outermost = opened(path, "treezip");
  EXPECT_EQ(outermost->table()->rows(), std::filesystem::file_size(text_in(4)));
}

TEST_P(ContainerOfText, IsOpenedAloneWhenNamed) {
  const auto outermost = opened(text_in(2), "treezip");
  EXPECT_THAT(outermost->containers(), ElementsAre("treezip"));
  const auto inner = read_file(text_in(1));
  EXPECT_EQ(text_of(*outermost),
            std::string(reinterpret_cast<const char*>(inner.data()), inner.size()));
}

TEST_P(ContainerOfText, IsNotWhatItIsSaidToBe) {
  EXPECT_THROW(opened(text_in(1), "jay"), Error);
}

TEST_P(ContainerOfText, IsNotReadWholeBeyondTheLimit) {
  const std::string path = text_in(1);
  OpenOptions options = options_of(GetParam());
  options.max_decode = kText.size() - 1;
  const auto file = open(path, options);
  const Projection bytes(file->table());
  const auto refused = [&](auto&& whole) {
    EXPECT_THAT(error_of(ErrorKind::Limit, whole), HasSubstr("more than max_decode allows"));
  };
  refused([&] { verify(*file); });
  refused([&] { text_of(*file); });
  refused([&] { stats(bytes); });
  refused([&] { sum(bytes, 0); });
  refused([&] { count_values(bytes, 0); });
  refused([&] { unwrap(path, folder_ / "out", {.open = options}); });
  EXPECT_FALSE(std::filesystem::exists(folder_ / "out"));

  EXPECT_EQ(take(bytes, std::vector<uint64_t>{5}).columns[0].get<uint8_t>(0), kText[5]);
  Query some(bytes);
  some.limit = 3;
  Scan scan(some);
  RowBatch batch;
  EXPECT_TRUE(scan.next(batch));
  EXPECT_EQ(batch.rows, 3U);
}

TEST_P(ContainerOfText, DecodesNoMoreThanTheLimitForDistantRows) {
  const std::string path = folder_.write("rows", std::string(20'000, 'a') + "b") + ".tz";
  wrap(folder_ / "rows", path, {.format_options = {{"previous_bits", 8U}}});
  OpenOptions options = options_of(GetParam(), "treezip");
  options.max_decode = 5000;
  const auto file = open(path, options);
  const Projection bytes(file->table());
  const auto refused = [&](std::initializer_list<uint64_t> rows) {
    return error_of(ErrorKind::Limit, [&] { take(bytes, rows); });
  };
  EXPECT_THAT(refused({1000, 5000, 9000}), HasSubstr("payload byte 9000: 9000 bytes must be"));
  EXPECT_EQ(take(bytes, {4000, 5000}).rows, 2U);
  EXPECT_EQ(take(bytes, {5000, 9000}).rows, 2U);  // row 5000 is decoded already
}

// A container may claim so large a size that row + 1 overflows.
TEST_P(ContainerOfText, MayClaimAsManyBytesAsCanBeCounted) {
  const std::string path = folder_.write("zeros", std::string(1000, '\0')) + ".tz";
  wrap(folder_ / "zeros", path);
  std::string bytes = folder_.read("zeros.tz");
  bytes.replace(8, 7, 7, '\xFF');  // the size: 2^63 - 1
  bytes[15] = '\x7F';
  const auto file = opened(folder_.write("zeros.tz", bytes));
  const Projection column(file->table());
  constexpr uint64_t kRows = INT64_MAX;
  ASSERT_EQ(file->table()->rows(), kRows);

  const RowRange end{kRows - 100, kRows};
  std::vector<double> cells(101, 7);
  matrix<double>(column, end, std::span(cells).first(100));
  EXPECT_EQ(std::ranges::count(cells, 0), 100);
  EXPECT_EQ(cells.back(), 7);
  EXPECT_EQ(read(column, end).rows, 100U);
  const RowRange block = file->table()->block(file->table()->block_count() - 1);
  EXPECT_EQ(block.last, kRows);
  EXPECT_EQ(take(column, std::vector<uint64_t>{kRows - 1, 0, kRows / 2}).rows, 3U);
  EXPECT_THROW(take(column, std::vector<uint64_t>{kRows}), Error);
  Query last(column);
  last.range = RowRange{kRows - 10, kRows};
  Scan scan(last);
  RowBatch batch;
  EXPECT_TRUE(scan.next(batch));
  EXPECT_EQ(batch.rows, 10U);
  EXPECT_FALSE(scan.next(batch));
}

TEST_P(ContainerOfText, IsDamagedWithoutItsEnd) {
  const std::string path = text_in(1);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 2);
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { opened(path); }), HasSubstr("bit"));
}

TEST_P(ContainerOfText, IsRefusedForWhatIsNone) {
  const std::string text = text_in(0);
  const std::string out = folder_ / "out.tz";
  const auto refused = [&](auto&& call) { return error_of(ErrorKind::Argument, call); };
  EXPECT_THAT(refused([&] { unwrap(text, out, {.open = options_of(GetParam())}); }),
              HasSubstr("no container"));
  EXPECT_THAT(refused([&] { wrap(text, folder_ / "out.jay"); }), HasSubstr("container"));
  refused([&] { wrap(text, folder_ / "out"); });
  refused([&] { wrap(text, out, {.container = "zip"}); });
  refused([&] { wrap(text, out, {.format_options = {{"previous_bits", 256}}}); });
  refused([&] { wrap(text, out, {.format_options = {{"address_bits", 256}}}); });
  // No feature distinguishes bits that differ.
  refused([&] { wrap(text, out, {.format_options = {{"address_bits", 0}}}); });
  error_of(ErrorKind::Io, [&] { wrap(folder_ / "no such file", out); });
  EXPECT_EQ(folder_.file_count(), 1);
}

// Files of 1 GiB without data on disk, for payloads that claim as much.
TEST(ClaimedMetadata, IsLimitedWithoutAMap) {
  const TempFolder folder;
  const auto refused = [&](const std::string& head, const std::string& end, const char* format) {
    const std::string path = folder.write("claims", head);
    std::filesystem::resize_file(path, (uint64_t{1} << 30) - end.size());
    std::ofstream(path, std::ios::binary | std::ios::app) << end;
    const Error error = error_of([&] { open(path, options_of(false, format)); });
    EXPECT_EQ(error.kind(), ErrorKind::Limit) << format;
    return std::string(error.what());
  };
  constexpr const char* kExpected =
      ": expected at most 268435456 bytes of metadata in a payload or a file without a map, got ";
  EXPECT_THAT(refused(std::string("\xff\xff\xff\xff\0\0\0\x20", 8), "", "arrow"),
              HasSubstr(concat("message at byte 0", kExpected, 1 << 29)));
  EXPECT_THAT(refused("JAY1",
                      std::string("\0\0\0\x20\0\0\0\0\0\0\0\0"
                                  "1JAY",
                                  16),
                      "jay"),
              HasSubstr(concat("record at byte ", (1 << 29) - 16, kExpected, 1 << 29)));
}

}  // namespace
}  // namespace heron

#include "skip/sidecar.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstring>
#include <functional>

#include "error_of.h"
#include "skip/sidecar_layout.h"
#include "temp_folder.h"

namespace heron {
namespace {

using sidecar::ColumnHead;
using sidecar::Entry;
using sidecar::Header;
using sidecar::StoredZone;
using test::error_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

constexpr char kPath[] = "data.jay";
constexpr char kSidecar[] = "data.jay.heron";

std::string numbers(size_t count) {
  std::string text(count, '\0');
  for (size_t i = 0; i < count; ++i) text[i] = static_cast<char>(i * i % 251);
  return text;
}

bool operator==(const Zone& a, const Zone& b) {
  return std::tie(a.low, a.high, a.null_count, a.nans) ==
         std::tie(b.low, b.high, b.null_count, b.nans);
}

class SidecarTest : public testing::Test {
 protected:
  SidecarTest() {
    ::unsetenv("HERON_INDEX_DIR");
    context_.note = [this](std::string_view note) { notes_.emplace_back(note); };
    folder_.write(kPath, numbers(100'000));
  }
  ~SidecarTest() override { ::unsetenv("HERON_INDEX_DIR"); }

  std::shared_ptr<const ByteSource> file(bool map = true) const {
    return open_file(folder_ / kPath, map);
  }
  IndexContents contents() const {
    return {{{"frame",
              "price",
              "float64",
              "Real",
              150,
              ZoneOrder::Float,
              100,
              {{in_order(-1.0), in_order(2.5), 3, 7}, {UINT64_MAX, 0, 50, 0}},
              17},
             {"frame", "tags", "list<text>", "List", 150, ZoneOrder::None, 0, {}, std::nullopt}},
            {{"treezip[0]", std::vector<std::byte>(5, std::byte{42})}},
            block_checksums(*file(), context_)};
  }
  // Writes the sidecar; returns its bytes.
  std::string written() const {
    const uint64_t bytes = Sidecar::write(*file(), contents(), context_);
    std::string text = folder_.read(kSidecar);
    EXPECT_EQ(text.size(), bytes);
    return text;
  }
  std::shared_ptr<const Sidecar> find() const { return Sidecar::find(*file(), context_); }

  // Reads all sections; a section that has changed must be absent and reported.
  void expect_right_or_reported() {
    notes_.clear();
    if (const auto sidecar = find()) {
      const auto price = sidecar->column("frame", "price", context_);
      const auto tags = sidecar->column("frame", "tags", context_);
      const auto format = sidecar->format("treezip[0]", context_);
      if (price) expect_price(*price);
      EXPECT_EQ(tags ? tags->type : "list<text>", "list<text>");
      EXPECT_THAT(format.value_or(contents().formats[0].bytes), contents().formats[0].bytes);
      try {
        sidecar->compare_checksums(*file(), context_);
      } catch (const Error& error) {
        notes_.emplace_back(error.what());
      }
    }
    EXPECT_THAT(notes_, ElementsAre(StartsWith(folder_ / kSidecar)));
  }
  static void expect_price(const ColumnIndex& price) {
    EXPECT_EQ(price.type, "float64");
    EXPECT_EQ(price.encoding, "Real");
    EXPECT_EQ(price.rows, 150u);
    EXPECT_EQ(price.zone_rows, 100u);
    EXPECT_EQ(price.order, ZoneOrder::Float);
    EXPECT_EQ(price.distinct, 17u);
    ASSERT_THAT(price.zones, SizeIs(2));
    EXPECT_TRUE(price.zones[0] == (Zone{in_order(-1.0), in_order(2.5), 3, 7}));
    EXPECT_FALSE(price.zones[1].has_bounds());
    EXPECT_EQ(price.zones[1].null_count, 50u);
  }

  // Sets the file's time, as if it had not been written to since.
  void set_time(const timespec& time) const {
    const timespec times[] = {time, time};
    ASSERT_EQ(::utimensat(AT_FDCWD, (folder_ / kPath).c_str(), times, 0), 0);
  }
  timespec time() const {
    struct stat status;
    EXPECT_EQ(::stat((folder_ / kPath).c_str(), &status), 0);
    return status.st_mtim;
  }

  test::TempFolder folder_;
  std::vector<std::string> notes_;
  Context context_;
};

TEST_F(SidecarTest, TellsWhatWasWritten) {
  written();
  for (const bool map : {true, false}) {
    const auto data = file(map);
    const auto sidecar = Sidecar::find(*data, context_);
    ASSERT_NE(sidecar, nullptr);
    EXPECT_TRUE(sidecar->belongs());
    expect_price(sidecar->column("frame", "price", context_).value());
    const auto tags = sidecar->column("frame", "tags", context_);
    EXPECT_THAT(tags->zones, IsEmpty());
    EXPECT_EQ(tags->distinct, std::nullopt);
    EXPECT_EQ(sidecar->format("treezip[0]", context_), contents().formats[0].bytes);
    EXPECT_EQ(sidecar->column("frame", "no such", context_), std::nullopt);
    EXPECT_EQ(sidecar->column("other", "price", context_), std::nullopt);
    EXPECT_EQ(sidecar->format("treezip", context_), std::nullopt);
    sidecar->compare_checksums(*data, context_);
  }
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(SidecarTest, NoneIsSilent) {
  EXPECT_EQ(find(), nullptr);
  EXPECT_EQ(Sidecar::open(*file(), context_), nullptr);
  EXPECT_THAT(notes_, IsEmpty());
}

TEST_F(SidecarTest, OneThatCannotBeOpenedIsTold) {
  std::filesystem::create_directory(folder_ / kSidecar);
  EXPECT_EQ(find(), nullptr);
  EXPECT_THAT(notes_, ElementsAre(HasSubstr("is a directory")));
}

TEST_F(SidecarTest, OfAnEmptyFile) {
  folder_.write(kPath, "");
  written();
  const auto sidecar = find();
  ASSERT_NE(sidecar, nullptr);
  sidecar->compare_checksums(*file(), context_);
}

TEST_F(SidecarTest, LiesWhereTheVariableSays) {
  folder_.write("other.jay", "");
  ASSERT_EQ(::setenv("HERON_INDEX_DIR", folder_.path().c_str(), 1), 0);
  const std::string path = Sidecar::path_of(folder_ / kPath);
  EXPECT_THAT(path, AllOf(StartsWith(folder_ / "data.jay-"), testing::EndsWith(".heron")));
  EXPECT_EQ(path.size(), (folder_ / "data.jay-").size() + 16 + 6);
  EXPECT_EQ(path, Sidecar::path_of(folder_ / "x/../data.jay"));
  EXPECT_NE(path, Sidecar::path_of("/" + std::string(kPath)));
  Sidecar::write(*file(), contents(), context_);
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_NE(find(), nullptr);
  ::setenv("HERON_INDEX_DIR", "", 1);
  EXPECT_EQ(find(), nullptr);
}

TEST_F(SidecarTest, StaleIsNotBelieved) {
  const std::string content = numbers(100'000);
  std::string middle = content;
  middle[(content.size() - 4096) / 15 * 7] ^= 1;  // the first byte of a piece
  const timespec then = time();
  written();
  const std::pair<const char*, std::function<void()>> changes[] = {
      {"size", [&] { folder_.write(kPath, content + "x"), set_time(then); }},
      {"time",
       [&] {
         folder_.write(kPath, content), set_time({then.tv_sec, then.tv_nsec ^ 1});
       }},
      {"content", [&] { folder_.write(kPath, middle), set_time(then); }}};
  for (const auto& [what, change] : changes) {
    SCOPED_TRACE(what);
    notes_.clear();
    change();
    EXPECT_EQ(find(), nullptr);
    EXPECT_THAT(notes_, ElementsAre(AllOf(StartsWith(folder_ / kSidecar),
                                          HasSubstr("another state"), HasSubstr("`heron index`"))));
    EXPECT_FALSE(Sidecar::open(*file(), context_)->belongs());
  }
  folder_.write(kPath, content);
  set_time(then);
  EXPECT_NE(find(), nullptr);
}

TEST_F(SidecarTest, ChecksumsNameTheFirstBlock) {
  std::string content = numbers(3 << 20);
  folder_.write(kPath, content + "end");
  const timespec then = time();
  written();
  const auto compare = [&] {
    return error_of(ErrorKind::Corrupt, [&] {
      const auto data = file();
      Sidecar::open(*data, context_)->compare_checksums(*data, context_);
    });
  };
  content[(1 << 20) + 4] ^= 8;
  content[(2 << 20) + 4] ^= 8;
  folder_.write(kPath, content + "end");
  EXPECT_THAT(compare(), AllOf(StartsWith(folder_ / kPath), HasSubstr("block 1 at byte 1048576"),
                               HasSubstr("written to since")));
  set_time(then);
  EXPECT_THAT(compare(), Not(HasSubstr("since")));
  folder_.write(kPath, numbers(3 << 20) + "enD");
  EXPECT_THAT(compare(), HasSubstr("block 3 at byte 3145728"));
  folder_.write(kPath, "short");
  EXPECT_THAT(compare(), AllOf(HasSubstr("expected 3145731 bytes"), HasSubstr("got 5")));
}

TEST_F(SidecarTest, AFileChangedMeanwhileIsRefused) {
  const auto data = file();
  const IndexContents kept = contents();
  folder_.write(kPath, "other");
  EXPECT_EQ(error_of([&] { Sidecar::write(*data, kept, context_); }).kind(), ErrorKind::Changed);
  EXPECT_EQ(folder_.file_count(), 1);
}

TEST_F(SidecarTest, EveryFlippedByteIsFound) {
  const std::string good = written();
  for (size_t at = 0; at < good.size(); ++at) {
    SCOPED_TRACE(at);
    std::string bad = good;
    bad[at] ^= static_cast<char>(1 << at % 8);
    folder_.write(kSidecar, bad);
    expect_right_or_reported();
  }
}

TEST_F(SidecarTest, EveryTruncationIsFound) {
  const std::string good = written();
  for (size_t bytes = 0; bytes < good.size(); ++bytes) {
    SCOPED_TRACE(bytes);
    folder_.write(kSidecar, good.substr(0, bytes));
    expect_right_or_reported();
  }
  folder_.write(kSidecar, good + "x");
  expect_right_or_reported();
}

// Sidecars whose checksums are right, with any other content.
class HostileSidecarTest : public SidecarTest {
 protected:
  HostileSidecarTest() : text_(written()) {}

  template <class Stored>
  void change(size_t at, const std::function<void(Stored&)>& how) {
    Stored stored;
    std::memcpy(&stored, text_.data() + at, sizeof stored);
    how(stored);
    std::memcpy(text_.data() + at, &stored, sizeof stored);
  }
  void change_entry(size_t i, const std::function<void(Entry&)>& how) {
    change<Entry>(sizeof(Header) + i * sizeof(Entry), how);
    sign();
  }
  // Changes the section of column "price".
  template <class Stored>
  void change_price(size_t at, const std::function<void(Stored&)>& how) {
    const size_t i =
        sidecar::column_key("frame", "price") < sidecar::column_key("frame", "tags") ? 1 : 2;
    size_t offset = sizeof(Header) + 4 * sizeof(Entry);
    uint64_t bytes = 0;
    for (size_t k = 0; k <= i; ++k) {
      change<Entry>(sizeof(Header) + k * sizeof(Entry), [&](Entry& entry) {
        offset += bytes;
        bytes = entry.bytes;
      });
    }
    change<Stored>(offset + at, how);
    change_entry(i, [&](Entry& entry) {
      entry.checksum = checksum(std::string_view(text_).substr(offset, bytes));
    });
  }
  void sign() {
    change<Header>(0, [&](Header& header) {
      const size_t end = sizeof(Header) + header.sections * sizeof(Entry);
      header.checksum = checksum(
          std::string_view(text_).substr(sidecar::kCheckedFrom, end - sidecar::kCheckedFrom));
    });
    folder_.write(kSidecar, text_);
  }
  void expect_reported(const char* what) {
    expect_right_or_reported();
    EXPECT_THAT(notes_, ElementsAre(HasSubstr(what)));
    text_ = written();
  }

  std::string text_;
};

TEST_F(HostileSidecarTest, Versions) {
  change<Header>(0, [](Header& header) { header.version = 1; });
  sign();
  expect_reported("expected an index of version 2, got 1");
}

TEST_F(HostileSidecarTest, Sections) {
  change<Header>(0, [](Header& header) { header.sections = UINT32_MAX; });
  folder_.write(kSidecar, text_);
  expect_reported("sections, got 4294967295");
  change_entry(0, [](Entry& entry) { entry.bytes = UINT64_MAX; });
  expect_reported("got 18446744073709551615");
  change_entry(3, [](Entry& entry) { entry.bytes += 1; });
  expect_reported("a section of at most 5 bytes, got 6");
  change_entry(3, [](Entry& entry) { entry.bytes -= 1; });
  expect_reported("expected the end, got 1 bytes more");
  change_entry(1, [](Entry& entry) { entry.kind = 0, entry.key = 0; });
  expect_reported("expected ascending sections");
  change_entry(3, [](Entry& entry) { entry.kind = 0; });
  expect_reported("expected ascending sections");
  text_ = text_.substr(0, sizeof(Header));
  change<Header>(0, [](Header& header) { header.sections = 0; });
  sign();
  expect_reported("expected checksums of the file, got none");
}

TEST_F(HostileSidecarTest, ASectionLargerThanTheFile) {
  constexpr uint64_t kBytes = uint64_t{1} << 40;
  change_entry(3, [&](Entry& entry) { entry.bytes = kBytes; });
  const uint64_t before = text_.size() - 5;
  std::filesystem::resize_file(folder_ / kSidecar, before + kBytes);  // without a block on disk
  expect_reported("got 1099511627776 bytes");
}

TEST_F(HostileSidecarTest, Columns) {
  constexpr size_t kZones = sizeof(ColumnHead) + 5 + 5 + 7 + 4;
  using Head = std::function<void(ColumnHead&)>;
  const std::pair<const char*, Head> heads[] = {
      {"an order, got 8", [](ColumnHead& head) { head.order = 8; }},
      {"than rows, got 151", [](ColumnHead& head) { head.distinct = 151; }},
      {"zones of 100 rows, 150 in all, got 3", [](ColumnHead& head) { head.zones = 3; }},
      {"zones of 0 rows", [](ColumnHead& head) { head.zone_rows = 0; }},
      {"0 in all", [](ColumnHead& head) { head.rows = 0, head.distinct = 0; }},
      {"expected the end", [](ColumnHead& head) { head.zones = 0; }},
      {"bytes more of a section", [](ColumnHead& head) { head.names[0] = UINT32_MAX; }},
      {"expected 18446744073709551615 zones",
       [](ColumnHead& head) { head.zones = head.rows = UINT64_MAX, head.zone_rows = 1; }},
      {"expected 1099511627776 zones",  // 24 TiB of them
       [](ColumnHead& head) { head.zones = head.rows = uint64_t{1} << 40, head.zone_rows = 1; }},
  };
  for (const auto& [what, how] : heads) {
    SCOPED_TRACE(what);
    change_price<ColumnHead>(0, how);
    expect_reported(what);
  }
  change_price<StoredZone>(kZones, [](StoredZone& zone) { zone.null_count = 94; });
  expect_reported("a zone of 100 rows, got 94 nulls and 7 NaNs");
  change_price<StoredZone>(kZones + sizeof(StoredZone),
                           [](StoredZone& zone) { zone.null_count = 51; });
  expect_reported("a zone of 50 rows, got 51 nulls and 0 NaNs");
  change_price<StoredZone>(kZones,
                           [](StoredZone& zone) { zone.null_count = zone.nans = UINT32_MAX; });
  expect_reported("nulls");
}

TEST_F(HostileSidecarTest, OfAnotherColumn) {
  change_price<char>(sizeof(ColumnHead), [](char& first) { first = 'F'; });  // the text was "frame"
  EXPECT_EQ(find()->column("frame", "price", context_), std::nullopt);
}

}  // namespace
}  // namespace heron

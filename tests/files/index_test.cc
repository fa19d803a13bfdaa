// Forged indexes have right checksums and wrong claims. Claims on structure are not used, and
// compare_index() names the claim that is false.
#include "heron/index.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <functional>

#include "base/fail.h"
#include "checks/index_columns.h"
#include "error_of.h"
#include "files/formats.h"
#include "files/open.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"
#include "skip/sidecar.h"
#include "temp_folder.h"

namespace heron::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class ForgedIndex : public testing::Test {
 protected:
  ForgedIndex() { ::unsetenv("HERON_INDEX_DIR"); }
  void use(const std::string& name) {
    path_ = folder_ / std::filesystem::path(name).filename().string();
    std::filesystem::copy_file(data_dir() / name, path_);
    const auto file = open_file(path_, true);
    OpenOptions options;
    options.use_index = false;
    const auto opened = open_source(file, options, {});
    truth_ = {index_columns(*opened, {}), format_indexes(file, *opened, options, {}),
              block_checksums(*file, {})};
  }
  // Writes the true contents with the changes of `lie`.
  void write(const std::function<void(IndexContents&)>& lie) const {
    IndexContents contents = truth_;
    lie(contents);
    Sidecar::write(*open_file(path_, true), contents, {});
  }
  void expect_found(const std::string& claim,
                    const std::function<void(IndexContents&)>& lie) const {
    write(lie);
    const Error error = error_of([&] { compare_index(path_); });
    EXPECT_EQ(error.kind(), ErrorKind::Corrupt) << claim;
    EXPECT_THAT(error.what(), StartsWith(path_ + ".heron: "));
    EXPECT_THAT(error.what(), HasSubstr(claim));
  }
  std::vector<std::string> rows(bool use_index) const {
    OpenOptions options;
    options.use_index = use_index;
    const auto opened = open(path_, options);
    std::vector<std::string> all;
    for (const auto& table : opened->tables()) {
      all.push_back(table->name());
      for (std::string& row : json_rows(read(Projection(table), {0, table->rows()}))) {
        all.push_back(std::move(row));
      }
    }
    return all;
  }

  TempFolder folder_;
  std::string path_;
  IndexContents truth_;
};

TEST_F(ForgedIndex, EveryClaimOfAColumnIsCompared) {
  use("jay/types_nostats.jay");
  ASSERT_FALSE(truth_.columns.empty());
  write([](IndexContents&) {});
  EXPECT_TRUE(compare_index(path_));
  const std::string of = concat(" in column \"", truth_.columns[0].column, "\" of table \"data\"");
  using Lie = std::function<void(ColumnIndex&)>;
  const std::pair<std::string, Lie> lies[] = {
      {"type" + of, [](ColumnIndex& column) { column.type = "text"; }},
      {"encoding" + of, [](ColumnIndex& column) { column.encoding = "other"; }},
      {"rows" + of, [](ColumnIndex& column) { ++column.rows; }},
      {"order" + of, [](ColumnIndex& column) { column.order = ZoneOrder::RowId; }},
      {"rows of a zone" + of, [](ColumnIndex& column) { column.zone_rows = 1000; }},
      {"zones" + of, [](ColumnIndex& column) { column.zones.clear(); }},
      {"nulls of zone 0" + of, [](ColumnIndex& column) { ++column.zones[0].null_count; }},
      {"NaNs of zone 0" + of, [](ColumnIndex& column) { ++column.zones[0].nans; }},
      {"least value of zone 0" + of, [](ColumnIndex& column) { ++column.zones[0].low; }},
      {"greatest value of zone 0" + of, [](ColumnIndex& column) { ++column.zones[0].high; }},
      {"distinct values" + of, [](ColumnIndex& column) { column.distinct = 0; }},
      {"the file has no such readable column",
       [](ColumnIndex& column) { column.column = "no such"; }},
  };
  for (const auto& [claim, lie] : lies) {
    expect_found(claim, [&lie = lie](IndexContents& contents) { lie(contents.columns[0]); });
  }
}

TEST_F(ForgedIndex, ClaimsOfEveryTypeAreCompared) {
  for (const char* name : {"jay/types_nostats.jay", "idv/scalars_all_none_1block.idv",
                           "jforests/types_ranking.bin", "balsa/m-nine-types.balsa",
                           "arrow/decimals_binary.arrow"}) {
    use(name);
    for (size_t i = 0; i < truth_.columns.size(); ++i) {
      if (truth_.columns[i].zones.empty() || !truth_.columns[i].zones[0].has_bounds()) continue;
      expect_found("greatest value of zone 0 in column", [i](IndexContents& contents) {
        Zone& zone = contents.columns[i].zones[0];
        const uint64_t other = zone.high ^ 1;
        zone.high = other < zone.low ? zone.high + 1 : other;
      });
    }
  }
}

TEST_F(ForgedIndex, DoesNotDefineWhatBalsaHolds) {
  use("balsa/m-nine-types.balsa");
  EXPECT_TRUE(truth_.formats.empty());
  const std::vector<std::string> expected = rows(false);
  // An older Heron stored the objects of the file like this, checksum first.
  write([](IndexContents& contents) {
    contents.formats.push_back({"balsa[0]", std::vector<std::byte>(1000, std::byte{7})});
  });
  EXPECT_EQ(rows(true), expected);
  EXPECT_THAT(error_of(ErrorKind::Corrupt, [&] { compare_index(path_); }),
              HasSubstr("sections of formats: expected 0"));
}

TEST_F(ForgedIndex, OfATreeIsCompared) {
  use("treezip/counter_u64le_65536.tz");
  ASSERT_EQ(truth_.formats.size(), 1u);
  write([](IndexContents&) {});
  EXPECT_TRUE(compare_index(path_));
  expect_found("section of treezip[0]",
               [](IndexContents& contents) { contents.formats[0].bytes.back() ^= std::byte{1}; });
}

}  // namespace
}  // namespace heron::test

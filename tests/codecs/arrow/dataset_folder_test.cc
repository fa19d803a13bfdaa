// Folders of Hugging Face datasets: which files are which table, and every way in which a folder is
// none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "error_of.h"
#include "heron/heron.h"
#include "kit/json_rows.h"
#include "kit/real_files.h"
#include "temp_folder.h"

namespace heron {
namespace {

namespace fs = std::filesystem;
using test::error_of;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::string dataset_folder(const std::string& name) {
  return (data_dir() / "arrow/datasets" / name).string();
}
std::vector<std::string> all_rows(const std::shared_ptr<const Table>& table) {
  return json_rows(read(Projection(table), {0, table->rows()}));
}
std::vector<std::string> made_rows(uint64_t count) {
  std::vector<std::string> rows;
  for (uint64_t i = 0; i < count; ++i) {
    rows.push_back("{\"id\":" + std::to_string(i) + ",\"s\":\"t" + std::to_string(i % 3) + "\"}");
  }
  return rows;
}
std::vector<std::string> table_names(const File& file) {
  std::vector<std::string> names;
  for (const auto& table : file.tables()) names.push_back(table->name());
  return names;
}

class DatasetFolder : public testing::Test {
 protected:
  // Copies a folder, so that a test can damage it.
  std::string copy(const std::string& name) {
    const std::string to = folder_ / name;
    fs::copy(dataset_folder(name), to, fs::copy_options::recursive);
    return to;
  }
  std::string fault(ErrorKind kind, const std::string& path) {
    return error_of(kind, [&] { open(path); });
  }
  test::TempFolder folder_;
};

TEST_F(DatasetFolder, SavedFilesAreOneTableInTheOrderOfTheState) {
  const auto file = open(dataset_folder("saved"));
  EXPECT_EQ(file->format(), "arrow");
  EXPECT_EQ(all_rows(file->table()), made_rows(10));
  EXPECT_EQ(all_rows(open({dataset_folder("saved"), dataset_folder("splits/test")})->table()).size(), 13u);
  EXPECT_EQ(all_rows(open(dataset_folder("saved") + "/")->table()), made_rows(10));

  const std::string turned = copy("saved");
  folder_.write("saved/state.json", R"({"_data_files": [{"filename": "data-00001-of-00002.arrow"},
      {"filename": "data-00000-of-00002.arrow"}], "_format_kwargs": {"a": [1]}})");
  EXPECT_EQ(all_rows(open(turned)->table()).front(), made_rows(10)[5]);
}

TEST_F(DatasetFolder, FilesWithoutAStateAreInTheOrderOfTheirNames) {
  const std::string path = copy("saved");
  fs::remove(path + "/state.json");
  EXPECT_EQ(all_rows(open(path)->table()), made_rows(10));
  fs::remove(path + "/dataset_info.json");
  EXPECT_EQ(all_rows(open(path)->table()), made_rows(10));
  fs::remove(path + "/data-00000-of-00002.arrow");
  EXPECT_THAT(fault(ErrorKind::Io, path), HasSubstr("got data-00001-of-00002.arrow as file 0"));
}

TEST_F(DatasetFolder, SplitsAreTables) {
  for (const char* name : {"splits", "cache"}) {
    const auto file = open(dataset_folder(name));
    EXPECT_THAT(table_names(*file), ElementsAre("train", "test"));
    EXPECT_EQ(all_rows(file->table()), made_rows(10));
    EXPECT_EQ(all_rows(file->table("test")), made_rows(3));
    EXPECT_EQ(file->path(), dataset_folder(name));
  }
}

TEST_F(DatasetFolder, AFileThatIsListedMustExist) {
  const std::string saved = copy("saved"), splits = copy("splits"), cache = copy("cache");
  fs::remove(saved + "/data-00001-of-00002.arrow");
  EXPECT_THAT(fault(ErrorKind::Io, saved),
              AllOf(HasSubstr("data-00001-of-00002.arrow"), HasSubstr("state.json lists it")));
  fs::remove_all(splits + "/test");
  EXPECT_THAT(fault(ErrorKind::Io, splits),
              AllOf(HasSubstr("/test: does not exist"), HasSubstr("dataset_dict.json lists it")));
  fs::create_directory(splits + "/test");
  EXPECT_THAT(fault(ErrorKind::Io, splits), HasSubstr("of the split \"test\""));
  fs::remove(cache + "/json-test.arrow");
  EXPECT_THAT(fault(ErrorKind::Io, cache), HasSubstr("NAME-test.arrow"));
  fs::rename(cache + "/json-train.arrow", cache + "/json-train-00000-of-00002.arrow");
  fs::copy(cache + "/cache-0.arrow", cache + "/json-test.arrow");
  EXPECT_THAT(fault(ErrorKind::Io, cache), HasSubstr("expected 2 files like json-train-00000"));
}

TEST_F(DatasetFolder, NamesDoNotLeaveTheFolder) {
  const std::string path = copy("saved");
  for (const char* name : {"../saved/data-00000-of-00002.arrow", "..", "", "/etc/passwd"}) {
    folder_.write("saved/state.json",
                  std::string(R"({"_data_files": [{"filename": ")") + name + "\"}]}");
    EXPECT_THAT(fault(ErrorKind::Io, path), HasSubstr("does not exist")) << name;
  }
}

TEST_F(DatasetFolder, DamagedJsonIsNamedWithItsPosition) {
  const std::string path = copy("saved");
  folder_.write("saved/state.json", R"({"_data_files": [)");
  EXPECT_THAT(fault(ErrorKind::Corrupt, path), HasSubstr("state.json: JSON at byte 17"));
  folder_.write("saved/state.json", R"({"_data_files": {}})");
  EXPECT_THAT(fault(ErrorKind::Corrupt, path), HasSubstr("expected '[', got '{'"));
  folder_.write("saved/state.json", "{}");
  EXPECT_THAT(fault(ErrorKind::Unsupported, path), HasSubstr("has no rows"));
  folder_.write("saved/state.json", R"({"_indices_data_files": [{"filename": "i.arrow"}]})");
  EXPECT_THAT(fault(ErrorKind::Unsupported, path), HasSubstr("flatten_indices()"));
  const std::string splits = copy("splits");
  folder_.write("splits/dataset_dict.json", R"({"splits": []})");
  EXPECT_THAT(fault(ErrorKind::Corrupt, splits), HasSubstr("expected splits"));
  const std::string cache = copy("cache");
  folder_.write("cache/dataset_info.json", R"({"splits": null})");
  EXPECT_THAT(fault(ErrorKind::Io, cache), HasSubstr("expected files data-*.arrow"));
}

TEST_F(DatasetFolder, OtherFoldersSayWhatCanBeOpened) {
  folder_.write("state.json", "{}");  // of another program
  EXPECT_THAT(fault(ErrorKind::Io, folder_.path()),
              AllOf(HasSubstr("is a folder"), HasSubstr("dataset_info.json")));
}

}  // namespace
}  // namespace heron

// convert makes the same file from rows of other formats as the reference's converter makes from
// the same rows as text, also from several texts together.
#include <gtest/gtest.h>

#include "heron/heron.h"
#include "kit/real_files.h"
#include "kit/svmlight.h"
#include "temp_folder.h"

namespace heron {
namespace {

std::string content(const std::string& name) {
  const auto bytes = read_file(data_dir() / "jforests" / name);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Returns the rows of a text without the ranges, which convert has to find.
RowBatch rows_of(const std::string& text) {
  const bool ranking = content(text).find("qid:") != std::string::npos;
  RowBatch batch = parse_svmlight(content(text), ranking);
  Schema schema = *batch.schema;
  for (Field& field : schema) field.metadata.clear();
  batch.schema = std::make_shared<const Schema>(std::move(schema));
  return batch;
}

RowSourcePtr idv_rows(const std::string& path, const RowBatch& batch) {
  const auto writer = create(path, *batch.schema);
  writer->write(batch);
  writer->close();
  writer->publish();
  return table_rows(Projection(open(path)->table()));
}

class JforestsConvert : public testing::TestWithParam<const char*> {
 protected:
  test::TempFolder folder_;
};

TEST_P(JforestsConvert, GivesTheReferencesBytes) {
  const std::string name = GetParam();
  convert(idv_rows(folder_ / "rows.idv", rows_of("text/" + name + ".txt")), folder_ / "out.bin");
  EXPECT_EQ(folder_.read("out.bin"), content(name + ".bin"));
}

// The texts have every feature on every line: a column of another format cannot tell an absent
// feature from null.
INSTANTIATE_TEST_SUITE_P(Texts, JforestsConvert,
                         testing::Values("one_query", "one_row_per_query", "plain_small_unnamed",
                                         "single_row_ranking"),
                         [](const auto& name) { return std::string(name.param); });

TEST_F(JforestsConvert, FilesConvertedTogetherShareTheirRanges) {
  const std::vector<std::string> names = {"single_row_base", "single_row_scaled"};
  std::vector<RowSourcePtr> sources;
  std::vector<std::string> outs;
  for (const std::string& name : names) {
    sources.push_back(idv_rows(folder_ / (name + ".idv"), rows_of("text/" + name + ".txt")));
    outs.push_back(folder_ / (name + ".bin"));
  }
  convert(sources, outs);
  for (const std::string& name : names) {
    EXPECT_EQ(folder_.read(name + ".bin"), content(name + ".bin"));
  }
}

}  // namespace
}  // namespace heron

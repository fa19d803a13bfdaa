// Options of formats: values, names, and where they apply; every table of a format is consistent.
#include "heron/formats.h"

#include <gmock/gmock.h>

#include <set>

#include "heron/heron.h"
#include "temp_folder.h"

namespace heron {
namespace {

using testing::HasSubstr;

class FormatOptionsTest : public testing::Test {
 protected:
  // Returns the text of the error of writing a file with one option, or "" if it is written.
  std::string refusal(std::string_view file, std::string_view name, OptionValue value) {
    WriteOptions options;
    options.replace = true;
    options.set(name, std::move(value));
    return refusal([&] { create(folder_ / std::string(file), schema_, options); });
  }
  template <class Call>
  std::string refusal(Call call) {
    try {
      call();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Argument);
      return error.what();
    }
    return {};
  }

  // Returns the path of a Jay file without rows.
  std::string empty_file() {
    const std::string path = folder_ / "empty.jay";
    const auto writer = create(path, schema_);
    writer->close();
    writer->publish();
    return path;
  }

  const Schema schema_ = {nullable_field("a", Type::Int32)};
  const test::TempFolder folder_;
};

TEST_F(FormatOptionsTest, ValuesAreReplacedAndLimited) {
  FormatOptions options = {{"a", 1}, {"b", "x"}, {"a", true}};
  options.set("c", UINT64_MAX);
  ASSERT_EQ(options.values().size(), 3u);
  EXPECT_EQ(options.values()[0].first, "a");
  EXPECT_EQ(*options.get<bool>("a"), true);
  EXPECT_EQ(options.get<int64_t>("a"), nullptr);
  EXPECT_EQ(*options.get<std::string>("b"), "x");
  EXPECT_EQ(*options.get<int64_t>("c"), INT64_MAX);
  EXPECT_EQ(options.get<bool>("d"), nullptr);
}

TEST_F(FormatOptionsTest, WrittenFilesTakeTheirOwn) {
  EXPECT_EQ(refusal("a.jay", "layout", "legacy"), "");
  EXPECT_EQ(refusal("a.idv", "block_rows", 7), "");
  EXPECT_THAT(refusal("a.jay", "layout", "old"),
              HasSubstr("a.jay: layout: expected one of typed, legacy, got \"old\""));
  EXPECT_THAT(refusal("a.jay", "layout", 3), HasSubstr("one of typed, legacy, got 3"));
  EXPECT_THAT(refusal("a.idv", "compression", 13),
              HasSubstr("compression: expected 0 to 12, got 13"));
  EXPECT_THAT(refusal("a.idv", "compression", "6"), HasSubstr("expected 0 to 12, got \"6\""));
  EXPECT_THAT(refusal("a.idv", "block_rows", -1),
              HasSubstr("block_rows: expected an integer of at least 0, got -1"));
  EXPECT_THAT(refusal("a.idv", "block_rows", true), HasSubstr("at least 0, got true"));
  EXPECT_THAT(refusal("a.bin", "label_column", ""), HasSubstr("expected the name of a column"));
  EXPECT_THAT(refusal("a.idv", "layout", "legacy"),
              HasSubstr("option \"layout\" of format \"jay\" does not apply to format \"idv\""));
  EXPECT_THAT(refusal("a.idv", "block_row", 1),
              HasSubstr("no option \"block_row\" of writing; did you mean \"block_rows\"?"));
  EXPECT_THAT(refusal("a.idv", "stored_keys", true),
              HasSubstr("no option \"stored_keys\" of writing"));
}

TEST_F(FormatOptionsTest, OpenedFilesIgnoreThoseOfOtherFormats) {
  const std::string path = empty_file();
  const auto opened = [&](std::string_view name, OptionValue value) {
    OpenOptions options;
    options.set(name, std::move(value));
    return refusal([&] { open(path, options); });
  };
  EXPECT_EQ(opened("stored_keys", true), "");
  EXPECT_EQ(opened("values", "index"), "");
  EXPECT_THAT(opened("values", "codes"),
              HasSubstr("values: expected one of original, scaled, index, got \"codes\""));
  EXPECT_THAT(opened("stored_keys", 1), HasSubstr("expected true or false, got 1"));
  EXPECT_THAT(opened("layout", "typed"), HasSubstr("no option \"layout\" of opening; there are: "));
}

TEST_F(FormatOptionsTest, ContainersTakeTheirOwn) {
  const RowSourcePtr rows = table_rows(open(empty_file())->table());
  const auto converted = [&](const char* file, FormatOptions format_options) {
    ConvertOptions options;
    options.wrap.format_options = std::move(format_options);
    return refusal([&] { convert(rows, folder_ / file, options); });
  };
  EXPECT_EQ(converted("a.jay.tz", {{"previous_bits", 2}}), "");
  EXPECT_THAT(converted("b.jay.tz", {{"previous_bits", 256}}),
              HasSubstr("expected 0 to 255, got 256"));
  EXPECT_THAT(converted("b.jay", {{"previous_bits", 2}}),
              HasSubstr("does not apply to format \"jay\""));
  EXPECT_THAT(converted("a.jay.gz", {{"previous_bits", 2}}),
              HasSubstr("does not apply to format \"gzip\""));
}

TEST(FormatTables, AreConsistent) {
  std::set<std::string_view> names, flags;
  for (const std::string_view format : format_names()) {
    for (const FormatOption& option : format_options(format)) {
      SCOPED_TRACE(option.name);
      EXPECT_TRUE(names.insert(option.name).second);
      EXPECT_TRUE(option.flag.empty() || option.flag == "-" || flags.insert(option.flag).second);
      EXPECT_FALSE(option.what.empty());
      EXPECT_EQ(option.value.empty(), option.kind == FormatOption::Kind::Switch);
      EXPECT_EQ(option.choices.empty(), option.kind != FormatOption::Kind::Word);
      EXPECT_LE(option.min, option.max);
    }
  }
}

}  // namespace
}  // namespace heron

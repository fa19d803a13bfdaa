// Words of the command line: which are options, which are their values, which are arguments.
#include "parsing/parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "error_of.h"
#include "heron/error.h"
#include "parsing/options.h"
#include "parsing/format_flags.h"

namespace heron::cli {
namespace {

using testing::ElementsAre;
using Words = std::vector<std::string>;

Request parsed(std::string_view verb, const Words& words) {
  return parse(verb_named(verb), words);
}

std::string error_of_words(std::string_view verb, const Words& words) {
  return test::error_of(ErrorKind::Argument, [&] { parsed(verb, words); });
}

TEST(Parse, AValueIsBehindTheNameOrInTheSameWord) {
  for (const Words& words : {Words{"f", "-n", "5"}, {"-n5", "f"}, {"-n", "5", "f"}}) {
    const Request request = parsed("head", words);
    EXPECT_EQ(request.options.get<DrawOptions>().count, 5u);
    EXPECT_THAT(request.arguments, ElementsAre(ElementsAre("f")));
  }
  for (const Words& words : {Words{"--where", "a=b", "f"}, {"f", "--where=a=b"}}) {
    const Request request = parsed("count", words);
    EXPECT_EQ(request.options.get<TableOptions>().where, "a=b");
    EXPECT_THAT(request.arguments, ElementsAre(ElementsAre("f")));
  }
  EXPECT_EQ(parsed("head", {"f", "-c[a,b]"}).options.get<TableOptions>().columns, "[a,b]");
}

TEST(Parse, AValueMayBeginWithDashesButBeNoOption) {
  EXPECT_EQ(parsed("scan", {"f", "--where", "--x"}).options.get<TableOptions>().where, "--x");
  EXPECT_EQ(parsed("scan", {"f", "--where", "-5 < x"}).options.get<TableOptions>().where, "-5 < x");
  EXPECT_EQ(error_of_words("scan", {"f", "--where", "--limit", "3"}),
            "--where needs a value, got the option --limit; see heron help scan");
  EXPECT_EQ(error_of_words("head", {"f", "-qn", "-c"}),
            "-n needs a value, got the option -c; see heron help head");
}

TEST(Parse, ShortSwitchesShareAWord) {
  const Request request = parsed("head", {"f", "-qqn7"});
  EXPECT_TRUE(request.options.get<CommonOptions>().quiet);
  EXPECT_EQ(request.options.get<DrawOptions>().count, 7u);
  EXPECT_EQ(parsed("head", {"f", "-qn", "7"}).options.get<DrawOptions>().count, 7u);
  EXPECT_EQ(error_of_words("head", {"f", "-qx"}), "unknown option \"-x\"; see heron help head");
  EXPECT_EQ(error_of_words("count", {"f", "-q5"}), "unknown option \"-5\"; see heron help count");
}

TEST(Parse, ASwitchTakesNoValueAndMayBeRepeated) {
  EXPECT_TRUE(parsed("head", {"f", "--raw", "--raw"}).options.get<OutputOptions>().raw);
  for (const char* word : {"--raw=", "--raw=no"}) {
    EXPECT_EQ(error_of_words("head", {"f", word}), "--raw takes no value; see heron help head");
  }
}

TEST(Parse, AnEmptyValueIsGivenByAnEqualsSign) {
  const Request request = parsed("head", {"--null-words=", "f"});
  const auto* words = request.options.get<FormatValues>().open.get<std::string>("csv_null_words");
  ASSERT_NE(words, nullptr);
  EXPECT_EQ(*words, "");
  EXPECT_THAT(request.arguments, ElementsAre(ElementsAre("f")));
  EXPECT_EQ(error_of_words("scan", {"--limit=", "2"}),
            "--limit needs a value; see heron help scan");
  EXPECT_EQ(error_of_words("scan", {"f", "--to", ""}), "--to is empty; expected OUT");
}

TEST(Parse, BehindTwoDashesAreArguments) {
  const Request request = parsed("head", {"-n", "2", "--", "-n", "--", "-5"});
  EXPECT_EQ(request.options.get<DrawOptions>().count, 2u);
  EXPECT_THAT(request.arguments, ElementsAre(ElementsAre("-n", "--", "-5")));
}

TEST(Parse, NumbersBehindADashAreArguments) {
  Request request;
  EXPECT_THAT(parse_options(verb_named("row"), Words{"f", "-5", "-"}, request),
              ElementsAre("f", "-5", "-"));
  EXPECT_EQ(error_of_words("head", {"f", "-5"}), "unknown option \"-5\"; did you mean \"-n 5\"?");
}

TEST(Parse, TheFirstWrongWordIsReported) {
  EXPECT_EQ(error_of_words("head", {"f", "--blue-cheese", "-n", "x", "-c"}),
            "unknown option \"--blue-cheese\"; see heron help head");
  EXPECT_EQ(error_of_words("head", {"f", "-n", "x", "--help"}),
            "-n: expected a whole number, got \"x\"");
}

TEST(Parse, HelpNeedsNoArguments) {
  EXPECT_TRUE(parsed("head", {"-h"}).options.get<CommonOptions>().help);
  EXPECT_EQ(error_of_words("head", {}), "head: FILE is missing; see heron help head");
}

}  // namespace
}  // namespace heron::cli

// The table of verbs: every command that it shows can be parsed, and every word has one meaning.
#include "parsing/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "help/help.h"
#include "help/shell_words.h"
#include "heron/error.h"
#include "parsing/options.h"
#include "parsing/parse.h"

namespace heron::cli {
namespace {

// Returns the words behind "heron", up to a pipe or a redirection; none if another program is
// called.
std::vector<std::string> words_of(std::string_view command) {
  const std::vector<std::string> all = ShellLine(std::string(command) + ' ').words();
  const auto heron = std::ranges::find(all, "heron");
  if (heron == all.end()) return {};
  return {heron + 1, std::find_if(heron, all.end() - 1, [](const std::string& word) {
            return word == "|" || word == ">" || word == "...";
          })};
}

void expect_parses(std::string_view command) {
  std::vector<std::string> words = words_of(command);
  if (words.empty()) return;
  EXPECT_NO_THROW({
    const std::string verb = words.front();
    words.erase(words.begin());
    parse(verb_named(verb), words);
  }) << command;
}

TEST(Commands, ThatAreShownCanBeParsed) {
  for (const Example& example : first_examples()) expect_parses(example.command);
  for (const Verb& verb : verbs()) {
    for (const Example& example : verb.examples) expect_parses(example.command);
    for (const Elsewhere& other : verb.elsewhere) {
      EXPECT_THAT(words_of(other.command), testing::Not(testing::IsEmpty())) << other.command;
      expect_parses(other.command);
      EXPECT_EQ(words_of(other.command).front(), verb.name);
      EXPECT_TRUE(other.aim.starts_with("to ")) << other.aim;
    }
  }
  EXPECT_THROW(parse(verb_named("head"), words_of("heron head --nothing f")), Error);
}

TEST(Commands, WordsOfOthersMeanOneVerb) {
  std::set<std::string_view> seen;
  for (const Verb& verb : verbs()) EXPECT_TRUE(seen.insert(verb.name).second) << verb.name;
  for (const Verb& verb : verbs()) {
    for (const Elsewhere& other : verb.elsewhere) {
      for (const std::string_view word : words(other.verbs)) {
        EXPECT_TRUE(seen.insert(word).second) << word;
      }
    }
  }
}

TEST(Commands, OptionsHaveNamesOfTheirOwnAndHintsAreOptions) {
  uint64_t hints = 0;
  for (const Verb& verb : verbs()) {
    std::set<std::string_view> names;
    for (const Option& option : verb.options) {
      const auto [brief, full] = option_names(option);
      for (const std::string_view name : {brief, full}) {
        const bool is_new = name.empty() || names.insert(name).second;
        EXPECT_TRUE(is_new) << verb.name << ' ' << name;
      }
    }
    for (const Option& option : verb.options) {
      for (const std::string_view name : words(option.elsewhere)) {
        EXPECT_TRUE(name.starts_with('-')) << name;
        ++hints;
      }
    }
  }
  EXPECT_GT(hints, 1000);
}

TEST(Commands, HelpIsInPlainWords) {
  const auto check = [](std::string_view text, std::string_view where) {
    for (const char* wrong : {"so many", "Of ", "means nothing", "asked for", "such ones"}) {
      EXPECT_EQ(text.find(wrong), std::string_view::npos) << where << ": " << text;
    }
    EXPECT_FALSE(text.empty()) << where;
    EXPECT_FALSE(text.starts_with("of ")) << where << ": " << text;
    EXPECT_FALSE(text.starts_with("what ")) << where << ": " << text;
    EXPECT_FALSE(text.ends_with('.')) << where << ": " << text;
  };
  for (const Verb& verb : verbs()) {
    check(verb.what, verb.name);
    for (const Option& option : verb.options) check(option.what, option.names);
    for (const Argument& argument : verb.arguments) check(argument.what, argument.name);
  }
}

TEST(Commands, CommonOptionsStandInOneSectionEach) {
  std::set<std::string_view> names;
  for (const Option& option : common_options()) {
    EXPECT_NE(option.section, Section::Own) << option.names;
    EXPECT_TRUE(names.insert(option.names).second) << option.names;
  }
  for (const Verb& verb : verbs()) {
    for (const Option& option : verb.options) {
      if (option.section != Section::Own) {
        EXPECT_TRUE(names.contains(option.names)) << verb.name << ' ' << option.names;
      }
    }
  }
}

TEST(ShellLine, HasTheWordsOfACommand) {
  using testing::ElementsAre;
  EXPECT_THAT(ShellLine("heron ").words(), ElementsAre("heron", ""));
  EXPECT_THAT(ShellLine("heron  he").words(), ElementsAre("heron", "he"));
  EXPECT_THAT(ShellLine("heron head 'a b' \"c\\\"d\" e\\ f 'g").words(),
              ElementsAre("heron", "head", "a b", "c\"d", "e f", "g"));
  EXPECT_THAT(ShellLine("heron head ''").words(), ElementsAre("heron", "head", ""));
  EXPECT_THAT(ShellLine("heron head '' ").words(), ElementsAre("heron", "head", "", ""));
}

TEST(ShellLine, PutsWordsWhereReadlineReplacesThem) {
  EXPECT_EQ(ShellLine("heron head f -c a").in_place("a b"), "a\\ b");
  EXPECT_EQ(ShellLine("heron head f -c 'a").in_place("a b$"), "a b$");
  EXPECT_EQ(ShellLine("heron head f -c \"a").in_place("a b$"), "a b\\$");
  EXPECT_EQ(ShellLine("heron head f --columns=a").in_place("--columns=a b"), "a\\ b");
  EXPECT_EQ(ShellLine("heron scan f --order-by x:de").in_place("x:desc"), "desc");
  EXPECT_EQ(ShellLine("heron head f -c a,b").in_place("a,`b,c`"), "a,\\`b,c\\`");
}

}  // namespace
}  // namespace heron::cli

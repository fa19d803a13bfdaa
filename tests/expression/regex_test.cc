// Regular expressions: the functions against values written here, and against RE2 without the
// engine's own analysis of patterns.
#include "expression/functions/regex.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <algorithm>
#include <random>

#include "base/fail.h"
#include "error_of.h"
#include "expression/functions/like_match.h"
#include "heron/heron.h"
#include "kit/made_table.h"

namespace heron {
namespace {

std::shared_ptr<const Table> table_of_texts(const std::vector<std::optional<std::string>>& texts) {
  TableMaker maker(texts.size());
  maker.texts("s", texts);
  return maker.table();
}

std::shared_ptr<const Table> five_texts() {
  return table_of_texts({"word0005", std::nullopt, "a\nb", "", "ABC abc"});
}

std::string regex_values(const std::string& expression) {
  Query query(five_texts());
  query.columns = {expression + " as made"};
  const RowBatch batch = read(query.projection(), {0, 5});
  std::string text;
  for (uint64_t i = 0; i < batch.rows; ++i) {
    text += concat(i == 0 ? "" : ", ", to_text(batch.columns[0], i));
  }
  return text;
}

void regex_says(const std::string& expression, const std::string& message) {
  const std::string error = test::error_of(ErrorKind::Argument, [&] { regex_values(expression); });
  EXPECT_NE(error.find(message), error.npos) << error;
  const std::string filtered = test::error_of(
      ErrorKind::Argument, [&] { count(Query(five_texts(), "length(" + expression + ") > 0")); });
  EXPECT_NE(filtered.find(message), filtered.npos) << filtered;
}

TEST(Regex, Matches) {
  EXPECT_EQ(regex_values("regexp_matches(s, 'word.*5$')"), "true, null, false, false, false");
  EXPECT_EQ(regex_values("regexp_matches(s, '')"), "true, null, true, true, true");
  EXPECT_EQ(regex_values("regexp_matches(s, '^b')"), "false, null, false, false, false");
  EXPECT_EQ(regex_values("regexp_matches(s, 'a.b')"), "false, null, false, false, false");
  EXPECT_EQ(regex_values("regexp_matches(s, 'a.b', 's')"), "false, null, true, false, false");
  EXPECT_EQ(regex_values("regexp_matches(s, 'a.b', 'sm')"), "false, null, false, false, false");
  EXPECT_EQ(regex_values("regexp_matches(s, '^abc', 'i')"), "false, null, false, false, true");
  EXPECT_EQ(regex_values("regexp_matches(s, '^abc', 'i c')"), "false, null, false, false, false");
  EXPECT_EQ(regex_values("regexp_matches(s, 'w.r', 'l')"), "false, null, false, false, false");
  EXPECT_EQ(regex_values("regexp_matches(s, 'C a', 'l')"), "false, null, false, false, true");
  EXPECT_EQ(regex_values("regexp_full_match(s, 'a.*')"), "false, null, false, false, false");
  EXPECT_EQ(regex_values("regexp_full_match(s, '[A-Za-z ]+')"), "false, null, false, false, true");
  EXPECT_EQ(regex_values("regexp_matches(s, null)"), "null, null, null, null, null");
  EXPECT_EQ(regex_values("regexp_matches(s, 'a', cast(null as text))"),
            "null, null, null, null, null");
  EXPECT_EQ(regex_values("regexp_matches(cast(null as text), 'a')"),
            "null, null, null, null, null");
  EXPECT_EQ(regex_values("regexp_matches('abc', 'b' || 'c')"), "true, true, true, true, true");
}

TEST(Regex, Extracts) {
  EXPECT_EQ(regex_values("regexp_extract(s, '[a-z]+')"), "word, null, a, , abc");
  EXPECT_EQ(regex_values("regexp_extract(s, '([a-z]+)0*(.*)', 2)"), "5, null, , , ");
  EXPECT_EQ(regex_values("regexp_extract(s, '(x)?o', 1)"), ", null, , , ");
  EXPECT_EQ(regex_values("regexp_extract(s, '(B)(.)', 2, 'i')"), ", null, , , C");
  EXPECT_EQ(regex_values("regexp_extract(s, 'x', null)"), "null, null, null, null, null");
}

TEST(Regex, Replaces) {
  EXPECT_EQ(regex_values("regexp_replace(s, '0', '-')"), "word-005, null, a\nb, , ABC abc");
  EXPECT_EQ(regex_values("regexp_replace(s, '[ab]', '<\\0>', 'gi')"),
            "word0005, null, <a>\n<b>, , <A><B>C <a><b>c");
  EXPECT_EQ(regex_values("regexp_replace(s, 'b*', '-', 'g')"),
            "-w-o-r-d-0-0-0-5-, null, -a-\n-, -, -A-B-C- -a-c-");
  EXPECT_EQ(regex_values("regexp_replace(s, '(.)(.)', '\\2\\1')"),
            "owrd0005, null, a\nb, , BAC abc");
  EXPECT_EQ(regex_values("regexp_replace(s, '0', s)"), "wordword0005005, null, a\nb, , ABC abc");
}

TEST(Regex, MistakesAreErrorsBeforeARowIsRead) {
  regex_says("regexp_extract(s, 'a(')", "expected a regular expression: missing ): a(: ");
  regex_says("regexp_extract(s, '[b-a]')", "invalid character class range: b-a");
  regex_says("regexp_extract(s, 'a{1001}')", "invalid repetition size: {1001}");
  regex_says("regexp_extract(s, '((((((((((a{100}){100}){100}){100}){100}))))))')", "repetition");
  regex_says("regexp_extract(s, s)", "expected the pattern of regexp_extract as a text in quotes");
  regex_says("regexp_replace(s, 'a', 'b', s)", "expected the options of regexp_replace as a text");
  regex_says("regexp_extract(s, 'a', 1)", "expected the number of a group, 0 to 0");
  regex_says("regexp_extract(s, '(a)', -1)", "expected the number of a group, 0 to 1");
  regex_says("regexp_extract(s, '(a)', length(s))", "the same for all rows");
  regex_says("regexp_extract(s, '(a)', 1, 'g')", "expected options out of c, i, l, m, s, got 'g'");
  regex_says("regexp_replace(s, 'a', 'b', 'x')", "c, i, l, m, s and g, got 'x'");
  regex_says("regexp_replace(s, 'a', '\\1')", "expected a replacement: Rewrite schema requests 1");
  regex_says("regexp_replace(s, '0', s || '\\')", "expected a replacement: ");
  regex_says("regexp_extract(5, 'a')", "expected a text for regexp_extract, got a number");
  // The caret points at the pattern.
  regex_says("regexp_extract(s, '*')", "regexp_extract(s, ^'*')");
}

// Makes random patterns of the syntax that the engine analyses itself, and of other syntax.
class RandomRegexes {
 public:
  explicit RandomRegexes(uint64_t seed) : random_(seed) {}

  std::string pattern(int depth) {
    std::string made;
    for (uint64_t left = 1 + random_() % 4; left != 0; --left) {
      made += one(depth);
      static const std::vector<std::string> repeats{"",  "",   "",   "",    "*",     "+",
                                                    "?", "*?", "+?", "{2}", "{1,2}", "{,3}"};
      made += pick(repeats);
    }
    if (depth > 0 && random_() % 4 == 0) made = '(' + made + ')';
    if (random_() % 6 == 0) made += '|' + one(0);
    if (random_() % 5 == 0) made = '^' + made;
    if (random_() % 5 == 0) made += '$';
    return made;
  }
  std::string text() {
    static const std::vector<std::string> parts{
        "a", "b", "c", "ab", "\n", "é", " ", "_", ".", "(", "0", "5", "\xff", "\xed\xa0\x80", "{"};
    std::string made;
    for (uint64_t left = random_() % 7; left != 0; --left) made += pick(parts);
    return made;
  }
  std::string letters(bool replaces) {
    static const std::vector<std::string> all{"", "", "", "i", "s", "l", "si", "m"};
    return pick(all) + (replaces && random_() % 2 == 0 ? "g" : "");
  }
  std::string replacement() {
    static const std::vector<std::string> all{"", "x", "<\\0>", "\\\\", "é"};
    return pick(all);
  }

 private:
  std::string one(int depth) {
    static const std::vector<std::string> all{
        "a",    "b",     "c",      "ab",           "é",    ".",     ".*",
        "[ab]", "[^a]",  "[]a]",   "[[:alpha:]c]", "\\.",  "\\d",   "\\b",
        "\\w",  "(a|b)", "(?:ab)", "(a)",          "(?i)", "_",     " ",
        "{",    "\\(",   "\\n",    "(ab*)",        "5",    "[\\]]", "\\x61",
        "$",    "^",     "((a)b)", "\\Qa.\\E"};
    return depth > 0 && random_() % 5 == 0 ? '(' + pattern(depth - 1) + ')' : pick(all);
  }
  const std::string& pick(const std::vector<std::string>& from) {
    return from[random_() % from.size()];
  }

  std::mt19937_64 random_;
};

bool has_letter(const std::string& letters, char letter) {
  return letters.find(letter) != letters.npos;
}

re2::RE2::Options plain_options(const std::string& letters) {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_case_sensitive(!has_letter(letters, 'i'));
  options.set_dot_nl(has_letter(letters, 's'));
  options.set_literal(has_letter(letters, 'l'));
  return options;
}

RegexOptions options_of(const std::string& letters) {
  RegexOptions options;
  options.ignore_case = has_letter(letters, 'i');
  options.point_is_newline = has_letter(letters, 's');
  options.literal = has_letter(letters, 'l');
  options.all = has_letter(letters, 'g');
  return options;
}

// A random pattern and its options, for RE2 and for Regex; RE2 may reject it.
struct PatternOfBoth {
  PatternOfBoth(RandomRegexes& patterns, bool replaces)
      : pattern(patterns.pattern(2)), letters(patterns.letters(replaces)) {}

  std::string pattern, letters;
  re2::RE2 plain{pattern, plain_options(letters)};
  RegexOptions options = options_of(letters);
};

TEST(Regex, KnowsNothingThatRe2DoesNot) {
  RandomRegexes patterns(1);
  uint64_t matches = 0, exact = 0;
  for (int i = 0; i < 8'000; ++i) {
    const PatternOfBoth both(patterns, false);
    if (!both.plain.ok()) continue;
    for (const bool whole : {false, true}) {
      const Regex regex(both.pattern, both.options, whole, {}, 0);
      const LikeMatch like(regex.like().pattern);
      exact += regex.like().exact != LikeOfRegex::Exact::Never;
      for (int t = 0; t < 10; ++t) {
        const std::string text = patterns.text();
        const bool expected = whole ? re2::RE2::FullMatch(text, both.plain)
                                    : re2::RE2::PartialMatch(text, both.plain);
        matches += expected;
        ASSERT_EQ(regex(text), expected) << both.pattern << " '" << both.letters << "' of " << text;
        ASSERT_TRUE(like(text) || !expected) << both.pattern << " of " << text;
        ASSERT_EQ(like(text) && regex.decide(text), expected) << both.pattern << " of " << text;
      }
    }
  }
  EXPECT_GT(matches, 10'000);
  EXPECT_GT(exact, 1'000);
}

TEST(Regex, ReplacesAndExtractsAsRe2Does) {
  RandomRegexes patterns(2);
  uint64_t replaced = 0;
  for (int i = 0; i < 5'000; ++i) {
    const PatternOfBoth both(patterns, true);
    if (!both.plain.ok()) continue;
    const Regex regex(both.pattern, both.options, false, {}, 0);
    for (int t = 0; t < 10; ++t) {
      const std::string text = patterns.text(), replacement = patterns.replacement();
      if (text.find('\xed') != text.npos) continue;  // only RE2 takes a surrogate for a character
      std::string expected = text, made;
      const int count = both.options.all
                            ? re2::RE2::GlobalReplace(&expected, both.plain, replacement)
                            : int{re2::RE2::Replace(&expected, both.plain, replacement)};
      replaced += count != 0;
      regex.replace(text, replacement, 1 << 20, made);
      ASSERT_EQ(made, expected) << both.pattern << " '" << both.letters << "' of " << text;
      const uint64_t groups = std::min(regex.groups(), Regex::kMaxGroups);
      for (uint64_t group = 0; group <= groups; ++group) {
        std::string found;
        re2::RE2::Extract(text, both.plain, concat('\\', group), &found);
        ASSERT_EQ(regex.group(text, group), found) << both.pattern;
      }
    }
  }
  EXPECT_GT(replaced, 5'000);
}

// A filter by a column has tests that a computed column does not have.
TEST(Regex, FiltersAreWhatComputedColumnsAre) {
  RandomRegexes patterns(3);
  std::vector<std::optional<std::string>> texts;
  for (int i = 0; i < 3000; ++i) {
    texts.push_back(i % 9 == 0 ? std::nullopt : std::optional(patterns.text()));
  }
  const auto table = table_of_texts(texts);
  uint64_t tried = 0;
  for (int i = 0; i < 1000; ++i) {
    std::string pattern = patterns.pattern(1);
    if (!re2::RE2(pattern, re2::RE2::Quiet).ok()) continue;
    const std::string call = concat(i % 3 == 0 ? "regexp_full_match" : "regexp_matches", "(s, '",
                                    pattern, "', '", patterns.letters(false), "')");
    if (call.find("''") == call.npos && call.find("'l'") != call.npos) continue;
    for (const std::string& predicate : {call, "not " + call, call + " is null"}) {
      Query query(table);
      query.columns = {predicate + " as made"};
      const RowBatch all = read(query.projection(), {0, texts.size()});
      uint64_t expected = 0;
      for (uint64_t row = 0; row < all.rows; ++row)
        expected += !all.columns[0].is_null(row) && all.columns[0].get_bool(row);
      ASSERT_EQ(count(Query(table, predicate)), expected) << predicate;
    }
    ++tried;
  }
  EXPECT_GT(tried, 500);
}

TEST(Regex, ResultsOfOneCallAreBounded) {
  const auto table = table_of_texts({std::string(1 << 20, 'a')});
  Query query(table);
  query.columns = {"regexp_replace(s, 'a', '" + std::string(1000, 'x') + "', 'g') as made"};
  EXPECT_NE(test::error_of(ErrorKind::Limit,
                           [&] {
                             read(query.projection(), {0, 1});
                           })
                .find("268435456 bytes"),
            std::string::npos);
}

}  // namespace
}  // namespace heron
